// The model of a bundle: the program that lies behind the code of this library, for the interpreter.
#include <exception>
#include <optional>
#include <string>

#include "bindings/bridgestan/bundle/carried_program.h"
#include "bindings/bridgestan/bundle/payload.h"
#include "bindings/bridgestan/model_source.h"
#include "interp/model/conditioned_model.h"
#include "support/platform/module.h"

namespace fermiac::capi {
namespace {

/// Asked of a place that no other library can have.
std::string own_path() {
  static const char here = 0;
  std::string file = file_with(&here);
  if (file.empty()) throw InputError("the library does not know its own file");
  return file;
}

/// What this library carries, or why it cannot be read.
class Carried {
 public:
  Carried() noexcept {
    try {
      payload_ = read_payload(own_path());
      facts_ = {payload_->name, payload_->compiler, payload_->flags, payload_->no_range_checks};
    } catch (...) {
      problem_ = std::current_exception();
    }
  }
  const Payload& payload() const {
    if (problem_) std::rethrow_exception(problem_);
    return *payload_;
  }
  const ModelFacts& facts() const {
    payload();
    return facts_;
  }

 private:
  std::optional<Payload> payload_;
  ModelFacts facts_;
  std::exception_ptr problem_;
};

const Carried& carried() {
  static const Carried carried;
  return carried;
}

/// When the library is loaded: later its file may be another one, or the path lead elsewhere.
[[gnu::constructor]] void read_carried() {
  carried();
}

/// Once for all models that are made of it.
const std::shared_ptr<const interp::CompiledModel>& compiled() {
  static const std::shared_ptr<const interp::CompiledModel> program = compile_carried(carried().payload());
  return program;
}

interp::DataSource data_source(std::string_view data) {
  if (data.empty()) return {};
  if (data.ends_with(".json")) return interp::DataSource::open(std::string(data));
  return interp::DataSource::parse(std::string(data), "data");
}

}  // namespace

const ModelFacts& carried_facts() {
  return carried().facts();
}

std::unique_ptr<Model> bind_carried_model(std::string_view data, std::uint64_t seed, PrintSink print) {
  return interp::bind_as_data_say(compiled(), data_source(data), seed, std::move(print));
}

}  // namespace fermiac::capi
