// Values on the command line.
#include <fmt/format.h>

#include "cli/fermiac/options/conditioning_options.h"
#include "interp/io/print.h"
#include "repl/session/evaluator.h"
#include "support/base/json_scan.h"
#include "support/base/json_tree.h"

namespace fermiac::cli {

bool is_json(const std::string& text) {
  if (JsonValue ignored; !parse_json(text, &ignored)) return false;
  try {
    JsonScan scan(text, "");  // stricter about numbers
    scan.skip_value();
    scan.expect_end();
  } catch (const InputError&) {
    return false;
  }
  return true;
}

std::string value_text(const std::string& name, const std::function<interp::Value()>& evaluate) {
  try {
    return interp::json_text({}, evaluate());
  } catch (const InputError& e) {
    throw InputError(fmt::format("the value of {} is neither JSON nor a Stan expression: {}", name, e.what()));
  }
}

std::string json_of_value(const std::string& name, const std::string& text) {
  if (is_json(text)) return text;
  return value_text(name, [&] { return repl::Evaluator(1, nullptr).evaluate(text).value; });
}

}  // namespace fermiac::cli
