#include "inference/model/init.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "support/base/number_text.h"

namespace fermiac::inference {
namespace {

constexpr int kMaxTries = 100;

constexpr char kLogZero[] =
    "  Log probability evaluates to log(0), i.e. negative infinity.\n"
    "  Stan can't start sampling from this initial value.";
constexpr char kBadGradient[] =
    "  Gradient evaluated at the initial value is not finite.\n"
    "  Stan can't start sampling from this initial value.";

/// Why the density cannot be used at theta; empty if it can.
std::string objection(Target& target, ConstSpan theta, Span gradient) {
  const double lp = target.gradient(theta, gradient);
  if (!target.last_message().empty())
    return "  Error evaluating the log probability at the initial value.\nException: " + target.last_message();
  if (!std::isfinite(lp)) return kLogZero;
  if (!all_finite(gradient)) return kBadGradient;
  return {};
}

std::string counted(const std::map<std::string, int>& objections) {
  std::string out;
  for (const auto& [why, count] : objections) {
    out += "Rejecting initial value:\n" + why + "\n";
    if (count > 1) out += "  (" + std::to_string(count) + " attempts)\n";
  }
  return out;
}

std::string give_up(const InitSpec& spec, int tries) {
  if (tries == 1) return "Initialization failed.";
  const std::string r = format_number(spec.radius, 6);
  return "Initialization between (-" + r + ", " + r + ") failed after " + std::to_string(tries) +
         " attempts.\n Try specifying initial values, reducing ranges of constrained values, or reparameterizing the "
         "model.\nInitialization failed.";
}

constexpr int kStructuralTries = 3;  // a size or an index may depend on the point

struct Advice {
  std::string_view sign, text;
};
constexpr Advice kAdvice[] = {
    {" nan", "A NaN at every point comes from the data, or from a variable that is used before it is assigned."},
    {"log(0)", "At every point some statement has probability zero: data outside of a distribution's support, or a parameter "
               "whose declaration lacks its constraint (<lower=0>, say)."},
    {"out of range", "An index does not depend on where the run starts: look at the sizes and at what the loop runs over (indexes "
                     "begin with 1)."},
    {"size", "Sizes do not depend on where the run starts: look at the declarations and at the data."},
    {"", "Look at the constraints of the parameters (a scale wants <lower=0>), or give starting values with --init."},
};

std::string_view advice_for(std::string_view why) {
  for (const Advice& advice : kAdvice)
    if (why.substr(0, why.rfind(" (in '")).find(advice.sign) != why.npos) return advice.text;
  return {};
}

/// The reason alone, without the words that CmdStan puts in front of it.
std::string reason_in(const std::string& why) {
  const std::size_t exception = why.find("Exception: ");
  if (exception != why.npos) return why.substr(exception + 11);
  return why == kLogZero ? "the log density is log(0), negative infinity" : "the gradient is not finite";
}

/// Which statement it is, of a density that says no more than that it is not finite: indented lines.
std::string statement_at(const InitSpec& spec, const std::string& why, ConstSpan theta) {
  if (why.find("Exception: ") != why.npos || !spec.why_not_finite) return {};  // an exception has its place
  std::istringstream lines(spec.why_not_finite(theta));
  std::string out;
  for (std::string line; std::getline(lines, line);) out += "  " + line + "\n";
  return out;
}

std::string one_cause(const InitSpec& spec, const Model& model, int tries, const std::string& why, ConstSpan theta) {
  const std::string statement = statement_at(spec, why, theta);
  const bool undefined = why == kLogZero && statement.find(" is nan") != statement.npos;  // a target takes NaN for log(0)
  const std::string reason = undefined ? "the log density is nan" : reason_in(why);
  const std::string where = tries == 1 ? "Initialization failed"
                                       : "Initialization between (-" + format_number(spec.radius, 6) + ", " +
                                             format_number(spec.radius, 6) + ") failed at each of " + std::to_string(tries) +
                                             " attempts for one reason";
  const std::string of_program = model.refusal_advice(reason);
  return where + ":\n  " + reason + "\n" + statement + (of_program.empty() ? std::string(advice_for(why == kLogZero && !undefined ? why : reason)) : of_program);
}

/// How many of them are refusals by the model, which differ in their numbers perhaps.
std::size_t refusals(const std::map<std::string, int>& objections) {
  return static_cast<std::size_t>(std::ranges::count_if(objections, [](const auto& o) { return o.first.find("Exception: ") != std::string::npos; }));
}

/// A reader of JSON names the source in its own way.
std::string without_source(const std::string& message) {
  constexpr std::string_view kSource = "initial values";
  if (!message.starts_with(kSource)) return message;
  const std::size_t at = message.find_first_not_of(",: ", kSource.size());
  return at == std::string::npos ? message : message.substr(at);
}

}  // namespace

Status find_initial_point(const InitSpec& spec, Target& target, Rng& rng, Span theta, std::string* report) {
  const Model& model = target.model();
  Vec gradient(theta.size());
  const bool complete = !spec.json.empty() && static_cast<bool>(model.unconstrain_json(spec.json, {}, theta));
  const int tries = complete || spec.radius == 0 || theta.empty() ? 1 : kMaxTries;
  std::map<std::string, int> objections;
  int structural = 0, made = 0;
  for (int i = 0; i < tries && (structural < kStructuralTries || spec.like_stan); ++i, ++made) {
    if (!complete)
      for (double& x : theta) x = spec.radius * (2 * rng.uniform() - 1);
    if (!spec.json.empty() && !complete)
      if (const EvalStatus status = model.unconstrain_json(spec.json, {.partial = true}, theta); !status)
        return Status::failed("initial values in '" + spec.source + "': " + without_source(status.message));
    const std::string why = objection(target, theta, gradient);
    if (Status ended = target.ended(); !ended) return ended;
    if (why.empty()) {
      *report = counted(objections);
      target.rejects().clear();  // reported here
      return {};
    }
    ++objections[why];
    structural += target.last_structural();
  }
  if (!spec.like_stan && target.rejects().entries().size() + (objections.size() - refusals(objections)) == 1) {
    target.rejects().clear();  // told by the error
    return Status::failed(one_cause(spec, model, made, objections.begin()->first, theta));
  }
  *report = counted(objections);
  if (!spec.like_stan) target.rejects().clear();
  return Status::failed(give_up(spec, made));
}

std::string gradient_time_text(double seconds) {
  return "\nGradient evaluation took " + format_number(seconds, 2) +
         " seconds\n1000 transitions using 10 leapfrog steps per transition would take " +
         format_number(1e4 * seconds, 3) + " seconds.\nAdjust your expectations accordingly!\n\n\n";
}

}  // namespace fermiac::inference
