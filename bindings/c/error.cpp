// Errors as objects of the caller.
#include <cstdlib>
#include <new>
#include <string>
#include <system_error>

#include "bindings/c/failure.h"
#include "bindings/c/fermiac.h"
#include "bindings/c/place.h"
#include "bindings/c/structs.h"
#include "bindings/shared/or_else.h"
#include "interp/model/interp_model.h"
#include "support/base/interrupted.h"
#include "support/base/json.h"

using namespace fermiac;
using namespace fermiac::capi;

struct fermiac_error {
  fermiac_status status;
  std::string message;
  std::optional<Place> place;
  std::string json;
};

namespace {

const char* kind_of(fermiac_status status) {
  static constexpr const char* kKinds[] = {"ok",    "argument", "program", "data",   "rejected",
                                           "fatal", "stopped",  "failed",  "memory", "internal"};
  return kKinds[status];
}

std::string json_of(const fermiac_error& e) {
  std::string out;
  JsonGroup object(out, JsonGroup::Kind::Object);
  object.member("status") += std::to_string(e.status);
  object.member("kind") += json_quote(kind_of(e.status));
  object.member("message") += json_quote(e.message);
  if (e.place) append_json(*e.place, object.member("place"));
  object.end();
  return out;
}

/// What there is no memory to describe; nobody frees it.
fermiac_error* out_of_memory() {
  static fermiac_error error{
      FERMIAC_MEMORY, "out of memory", {}, R"({"status": 8, "kind": "memory", "message": "out of memory"})"};
  return &error;
}
/// Made before it is needed.
[[gnu::constructor]] void make_out_of_memory() {
  out_of_memory();
}

void set(fermiac_error** error, fermiac_status status, const char* what) noexcept {
  if (!error) return;
  try {
    auto made = std::make_unique<fermiac_error>(fermiac_error{status, what, place_in(what), {}});
    made->json = json_of(*made);
    *error = made.release();
  } catch (...) {
    *error = out_of_memory();
  }
}

}  // namespace

namespace fermiac::capi {

/// The numbers are the same.
static fermiac_status c_status(StatusCode code) {
  constexpr auto same = [](StatusCode ours, fermiac_status theirs) { return static_cast<int>(ours) == static_cast<int>(theirs); };
  static_assert(same(StatusCode::Ok, FERMIAC_OK) && same(StatusCode::InvalidArgument, FERMIAC_ARGUMENT) && same(StatusCode::InvalidProgram, FERMIAC_PROGRAM) &&
                same(StatusCode::InvalidData, FERMIAC_DATA) && same(StatusCode::Rejected, FERMIAC_REJECTED) && same(StatusCode::Fatal, FERMIAC_FATAL) &&
                same(StatusCode::Interrupted, FERMIAC_STOPPED) && same(StatusCode::Failed, FERMIAC_FAILED) && same(StatusCode::NoMemory, FERMIAC_MEMORY) &&
                same(StatusCode::Internal, FERMIAC_INTERNAL));
  return static_cast<fermiac_status>(code);
}

void require(const EvalStatus& status, StatusCode fatal) {
  if (status) return;
  throw StatusError(status.kind == StatusCode::Fatal ? fatal : status.kind, status.message);
}

fermiac_status catch_failure(fermiac_error** error) noexcept {
  const auto failed = [&](fermiac_status status, const char* what) { return set(error, status, what), status; };
  try {
    throw;
  } catch (const StatusError& e) {
    return failed(c_status(e.code), e.what());
  } catch (const ad::Interrupted& e) {
    return failed(FERMIAC_STOPPED, e.what());
  } catch (const ad::MemoryError& e) {
    return failed(FERMIAC_MEMORY, e.what());
  } catch (const std::bad_alloc&) {
    return failed(FERMIAC_MEMORY, "out of memory");
  } catch (const std::system_error& e) {
    return failed(FERMIAC_MEMORY, e.what());
  } catch (const std::exception& e) {
    return failed(FERMIAC_INTERNAL, e.what());
  } catch (...) {
    return failed(FERMIAC_INTERNAL, "unknown exception");
  }
}

}  // namespace fermiac::capi

fermiac_status fermiac_error_status(const fermiac_error* error) {
  return error ? error->status : FERMIAC_OK;
}
const char* fermiac_error_message(const fermiac_error* error) {
  return error ? error->message.c_str() : "";
}
int fermiac_error_place(const fermiac_error* error, fermiac_place* place) {
  return or_else(0, [&] {
    if (!error || !error->place) return 0;
    fill_struct(c_place(*error->place), place, "place");
    return 1;
  });
}
const char* fermiac_error_json(const fermiac_error* error) {
  return error ? error->json.c_str() : "{}";
}
void fermiac_error_free(fermiac_error* error) {
  if (error != out_of_memory()) delete error;
}
void fermiac_string_free(char* text) {
  std::free(text);
}
