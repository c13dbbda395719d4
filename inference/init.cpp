#include "inference/init.h"

#include <charconv>
#include <map>

#include "inference/output.h"

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

/// One text for all chains, or one for each.
Result given_inits(const std::vector<std::string>& texts, unsigned chains, std::vector<InitSpec>* out) {
  if (texts.size() != 1 && texts.size() != chains)
    return Result::fail("there are " + std::to_string(texts.size()) + " initial values, expected one for each of " +
                        std::to_string(chains) + " chains, or one for all");
  out->assign(chains, InitSpec{});
  for (unsigned c = 0; c < chains; ++c) {
    (*out)[c].json = texts[texts.size() == 1 ? 0 : c];
    (*out)[c].source = "init";
  }
  return {};
}

}  // namespace

Result load_inits(const CommonOptions& options, unsigned chains, unsigned first_id, std::vector<InitSpec>* out) {
  const std::string& init = options.init;
  if (!options.init_values.empty()) return given_inits(options.init_values, chains, out);
  InitSpec spec;
  const auto parsed = std::from_chars(init.data(), init.data() + init.size(), spec.radius);
  if (parsed.ec == std::errc() && parsed.ptr == init.data() + init.size()) {
    if (!(spec.radius >= 0) || !std::isfinite(spec.radius))
      return Result::fail("init is " + init + ", but must be a radius of at least 0 or a JSON file");
    out->assign(chains, spec);
    return {};
  }
  std::vector<std::string> files;
  if (Result bad = files_per_chain(init, chains, first_id, &files); !bad) return bad;
  out->assign(chains, InitSpec{});
  for (unsigned c = 0; c < chains; ++c) {
    (*out)[c].source = files[c];
    if (Result bad = read_values_file(files[c], options.face, &(*out)[c].json); !bad)
      return Result::fail("initial values: " + bad.error);
    if ((*out)[c].json.empty()) return Result::fail("initial values: '" + files[c] + "' is empty");
  }
  return {};
}

Result find_initial_point(const InitSpec& spec, Target& target, Rng& rng, Span theta, std::string* report) {
  const Model& model = target.model();
  Vec gradient(theta.size());
  const bool complete = !spec.json.empty() && static_cast<bool>(model.unconstrain_json(spec.json, false, theta));
  const int tries = complete || spec.radius == 0 || theta.empty() ? 1 : kMaxTries;
  std::map<std::string, int> objections;
  for (int i = 0; i < tries; ++i) {
    if (!complete)
      for (double& x : theta) x = spec.radius * (2 * rng.uniform() - 1);
    if (!spec.json.empty() && !complete)
      if (const EvalStatus status = model.unconstrain_json(spec.json, true, theta); !status)
        return Result::fail("initial values in '" + spec.source + "': " + status.message);
    const std::string why = objection(target, theta, gradient);
    if (target.fatal()) return Result::fail(target.fatal_message());
    if (target.stopped()) return Result::fail(kInterrupted);
    if (why.empty()) {
      *report = counted(objections);
      target.rejects().clear();  // reported here
      return {};
    }
    ++objections[why];
  }
  *report = counted(objections);
  return Result::fail(give_up(spec, tries));
}

}  // namespace fermiac::inference
