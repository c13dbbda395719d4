// Models: from a program and data to a handle that describes itself.
#include "bindings/c/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "autodiff/tape/opencl/use.h"
#include "bindings/c/failure.h"
#include "bindings/c/option_reader.h"
#include "bindings/c/structs.h"
#include "bindings/shared/call_threads.h"
#include "bindings/shared/or_else.h"
#include "frontend/ast/blocks.h"
#include "interp/model/conditioned_model.h"
#include "interp/model/layout.h"
#include "plugins/opencl/device.h"
#include "support/base/interrupted.h"
#include "support/base/json.h"
#include "support/base/memory.h"
#include "support/platform/process_memory.h"

using namespace fermiac;
using namespace fermiac::capi;

namespace {

constexpr unsigned kAllBlocks = FERMIAC_TRANSFORMED | FERMIAC_GENERATED;

/// Dimensions as users index: of arrays, vectors, matrices, the two parts of complex numbers.
std::vector<std::size_t> dims_of(const interp::ExpectedType& type) {
  std::vector<std::size_t> out(type.array_dims.begin(), type.array_dims.end());
  if (type.base == BaseType::Tuple) return out;
  const ad::Shape shape = type.shape();
  if (shape.inner == ad::Inner::Vector || shape.inner == ad::Inner::Matrix) out.push_back(type.rows);
  if (shape.inner == ad::Inner::RowVector || shape.inner == ad::Inner::Matrix) out.push_back(type.cols);
  if (shape.complex) out.push_back(2);
  return out;
}

fermiac_block block_of(mir::BlockKind block) {
  if (block == mir::BlockKind::Parameters) return FERMIAC_BLOCK_PARAMETERS;
  return block == mir::BlockKind::TransformedParameters ? FERMIAC_BLOCK_TRANSFORMED_PARAMETERS
                                                        : FERMIAC_BLOCK_GENERATED_QUANTITIES;
}

/// The object of one call of either constructor; `data` is called once, with what stands for it in messages.
template <class Data>
fermiac_model* make_model(const fermiac_program* program, const char* json, fermiac_print_callback print, void* user_data,
                          fermiac_error** error, Data data) {
  fermiac_model* out = nullptr;
  at_border(error, [&] {
    ModelOptions options = model_options(json);
    const ad::MemoryScope limited(options.memory);
    out = new fermiac_model({.name = given(program, "program").name,
                             .program = program->checked(),
                             .data = std::make_shared<const interp::DataSource>(data(options.file)),
                             .data_file = options.file,
                             .seed = options.seed,
                             .memory = options.memory,
                             .threads = std::move(options.threads),
                             .print = sink_of(print, user_data),
                             .conditioning = {},
                             .device = options.device});
  });
  return out;
}

}  // namespace

namespace fermiac::capi {

PrintSink sink_of(fermiac_print_callback print, void* user_data) {
  if (!print) return {};
  return [print, user_data](std::string_view text) { print(user_data, text.data(), text.size()); };
}

ModelOptions model_options(const char* json) {
  ModelOptions out;
  OptionReader reader(json, "a model");
  unsigned threads = 1;
  const bool limits_threads = reader.has("threads");
  out.memory = ad::default_memory_limit();
  inference::OptionRows rows;
  rows.text("file", out.file, "", "TEXT");
  rows.seed(out.seed);
  rows.threads(threads);
  rows.number("memory", out.memory, "", {0, std::numeric_limits<std::size_t>::max()});
  rows.text("device", out.device, "", "TEXT");
  reader.read(rows);
  if (limits_threads) out.threads = std::make_unique<ad::PieceThreads>(threads);
  if (const Status wrong = check_device_choice(out.device); !wrong) throw InputError(StatusCode::InvalidArgument, "option 'device': " + wrong.message);
  reader.refuse_rest();
  return out;
}

std::vector<Variable> variables_of(const interp::InterpModel& model) {
  std::vector<Variable> out;
  std::size_t first = 0, unconstrained = 0;
  for (const interp::Output& o : model.outputs()) {
    const std::size_t free = o.block == mir::BlockKind::Parameters ? o.free_count() : 0;
    if (!o.written()) continue;
    out.push_back({o.name, o.type.str(), o.block, dims_of(o.type), first, o.count, free > 0 ? unconstrained : 0, free});
    first += o.count;
    unconstrained += free;
  }
  return out;
}

std::string info_json(const interp::InterpModel& model, const std::string& name, std::span<const Variable> variables) {
  std::string out;
  JsonGroup object(out, JsonGroup::Kind::Object);
  object.member("name") += json_quote(name);
  object.member("unconstrained") += std::to_string(model.unconstrained_size());
  JsonGroup list(object.member("variables"), JsonGroup::Kind::Array);
  for (const Variable& v : variables) {
    JsonGroup one(list.item(), JsonGroup::Kind::Object);
    one.member("name") += json_quote(v.name);
    one.member("type") += json_quote(v.type);
    one.member("block") += json_quote(ast::block_name(v.block));
    one.member("dims") += json_list(v.dims);
    one.member("first") += std::to_string(v.first);
    one.member("count") += std::to_string(v.count);
    if (v.block == mir::BlockKind::Parameters) {
      one.member("unconstrained_first") += std::to_string(v.unconstrained_first);
      one.member("unconstrained_count") += std::to_string(v.unconstrained_count);
    }
    one.end();
  }
  list.end();
  object.end();
  return out;
}

}  // namespace fermiac::capi

fermiac_model::fermiac_model(ModelSource source)
    : name(source.name), data_file(source.data_file), print_(source.print), source_(std::move(source)) {
  const ad::MemoryScope limited(source_.memory);
  const ad::PieceScope pieces(threads());
  model_ = interp::bound_model(
      source_.program, *source_.data, source_.conditioning, source_.seed, [this](std::string_view line) { print_.print(line); }, &stop);
  std::shared_ptr<ad::device::DeviceUse> device;
  const Status opened = ad::device::open_for_tapes(source_.device, [this](const std::string& message) { print_.print(message + "\n"); }, &device);
  if (!opened) throw StatusError(StatusCode::Failed, fmt::format("device '{}': {}", source_.device, opened.message));
  if (device) model_ = model_->with_settings({.device = std::move(device)});
  workspaces = std::make_unique<WorkspacePool>(*model_);
  variables = variables_of(*model_);
  info = info_json(*model_, name, variables);
}

const NameArray& fermiac_model::names(unsigned blocks) const {
  if ((blocks & ~kAllBlocks) != 0)
    throw InputError(StatusCode::InvalidArgument, fmt::format("blocks is {}, which has flags that do not exist", blocks));
  const bool transformed = (blocks & FERMIAC_TRANSFORMED) != 0, generated = (blocks & FERMIAC_GENERATED) != 0;
  return names_[blocks].made_by([&] { return model_->names(transformed, generated); });
}

const NameArray& fermiac_model::unconstrained_names() const {
  return unconstrained_names_.made_by([&] { return model_->unconstrained_names(); });
}

const ad::PieceThreads& fermiac_model::threads() const {
  return source_.threads ? *source_.threads : call_threads();
}

void fermiac_model::require_running() const {
  if (stop.load(std::memory_order_relaxed)) throw ad::Interrupted();
}

fermiac_model* fermiac_model_create(const fermiac_program* program, const char* data, const char* options,
                                    fermiac_print_callback print, void* user_data, fermiac_error** error) {
  return make_model(program, options, print, user_data, error, [&](const std::string& name) {
    return data && *data ? interp::DataSource::parse(data, name) : interp::DataSource();
  });
}

fermiac_model* fermiac_model_open(const fermiac_program* program, const char* data_path, const char* options,
                                  fermiac_print_callback print, void* user_data, fermiac_error** error) {
  return make_model(program, options, print, user_data, error,
                    [&](const std::string&) { return interp::DataSource::open(&given(data_path, "data_path")); });
}

fermiac_status fermiac_model_condition(const fermiac_model* model, const char* json, fermiac_model** out, fermiac_error** error) {
  return at_border(error, [&] {
    given(out, "out") = nullptr;
    ModelSource source = given(model, "model").source();
    interp::read_conditioning(&given(json, "json"), "the conditioning", source.conditioning);
    *out = new fermiac_model(std::move(source));
  });
}

void fermiac_model_free(fermiac_model* model) {
  delete model;
}

void fermiac_model_stop(fermiac_model* model, int on) {
  if (model) model->stop = on != 0;
}

size_t fermiac_unconstrained_size(const fermiac_model* model) {
  return model ? model->model().unconstrained_size() : 0;
}

size_t fermiac_constrained_size(const fermiac_model* model, unsigned blocks) {
  return or_else<std::size_t>(0, [&] { return given(model, "model").names(blocks).size(); });
}

static const char* const* names_and_count(const fermiac_model* model, size_t* count, const auto& names) {
  if (count) *count = 0;
  return or_else<const char* const*>(nullptr, [&] {
    const NameArray& all = names(given(model, "model"));
    if (count) *count = all.size();
    return all.data();
  });
}

const char* const* fermiac_unconstrained_names(const fermiac_model* model, size_t* count) {
  return names_and_count(
      model, count, [](const fermiac_model& m) -> auto& { return m.unconstrained_names(); });
}

const char* const* fermiac_constrained_names(const fermiac_model* model, unsigned blocks, size_t* count) {
  return names_and_count(
      model, count, [&](const fermiac_model& m) -> auto& { return m.names(blocks); });
}

size_t fermiac_variable_count(const fermiac_model* model) {
  return model ? model->variables.size() : 0;
}

fermiac_status fermiac_variable_at(const fermiac_model* model, size_t index, fermiac_variable* out, fermiac_error** error) {
  return at_border(error, [&] {
    const auto& all = given(model, "model").variables;
    if (index >= all.size())
      throw InputError(StatusCode::InvalidArgument, fmt::format("index is {}, but there are {} variables", index, all.size()));
    const Variable& v = all[index];
    fill_struct(fermiac_variable{0, v.name.c_str(), v.type.c_str(), block_of(v.block), v.dims.size(), v.dims.data(), v.first, v.count,
                                 v.unconstrained_first, v.unconstrained_count},
                out, "variable");
  });
}

const char* fermiac_model_info_json(const fermiac_model* model) {
  return model ? model->info.c_str() : nullptr;
}
