#include "inference/output/init_files.h"

#include <charconv>
#include <cmath>
#include <set>

#include "inference/model/column_names.h"
#include "inference/output/output.h"
#include "inference/output/output_layout.h"
#include "support/base/json_tree.h"

namespace fermiac::inference {
namespace {

/// One text for all chains, or one for each.
Status given_inits(const std::vector<std::string>& texts, unsigned chains, std::vector<InitSpec>* out) {
  if (texts.size() != 1 && texts.size() != chains)
    return Status::failed("there are " + std::to_string(texts.size()) + " initial values, expected one for each of " +
                        std::to_string(chains) + " chains, or one for all");
  out->assign(chains, InitSpec{});
  for (unsigned c = 0; c < chains; ++c) {
    (*out)[c].json = texts[texts.size() == 1 ? 0 : c];
    (*out)[c].source = "init";
  }
  return {};
}

Status read_inits(const CommonOptions& options, unsigned chains, unsigned first_id, std::vector<InitSpec>* out) {
  const std::string& init = options.init;
  if (!options.init_values.empty()) return given_inits(options.init_values, chains, out);
  InitSpec spec;
  const auto parsed = std::from_chars(init.data(), init.data() + init.size(), spec.radius);
  if (parsed.ec == std::errc() && parsed.ptr == init.data() + init.size()) {
    if (!(spec.radius >= 0) || !std::isfinite(spec.radius))
      return Status::failed("init is " + init + ", but must be a radius of at least 0 or a JSON file");
    out->assign(chains, spec);
    return {};
  }
  std::vector<std::string> files;
  if (Status bad = files_per_chain(init, chains, first_id, &files); !bad) return bad;
  out->assign(chains, InitSpec{});
  for (unsigned c = 0; c < chains; ++c) {
    (*out)[c].source = files[c];
    if (Status bad = read_values_file(files[c], *options.layout, &(*out)[c].json); !bad)
      return Status::failed("initial values: " + bad.message);
    if ((*out)[c].json.empty()) return Status::failed("initial values: '" + files[c] + "' is empty");
  }
  return {};
}

}  // namespace

Status load_inits(const CommonOptions& options, unsigned chains, unsigned first_id, std::vector<InitSpec>* out) {
  const Status result = read_inits(options, chains, first_id, out);
  for (InitSpec& spec : *out) spec.like_stan = options.layout->conventions().cmdstan_starts, spec.why_not_finite = options.why_not_finite;
  return result;
}

std::string unknown_inits(const std::vector<InitSpec>& specs, const Model& model) {
  std::set<std::string> known, told;
  for (const std::string& name : model.names(true, true)) known.emplace(variable_of(name));
  std::string out;
  for (const InitSpec& spec : specs) {
    JsonValue values;
    if (spec.json.empty() || spec.like_stan || !told.insert(spec.source).second || !parse_json(spec.json, &values)) continue;
    for (const JsonMember& member : values.members) {
      const bool empty = member.value.kind == JsonValue::Kind::Array && member.value.items.empty();  // has no column
      if (!empty && !known.contains(member.key))
        out += "initial values in '" + spec.source + "': the model has no parameter '" + member.key + "'\n";
    }
  }
  return out;
}

Status load_starts(const SampleOptions& options, std::vector<InitSpec>* out) {
  if (options.init != kSearchedInit || !options.init_values.empty()) return load_inits(options, options.chains, options.id, out);
  InitSpec searched;
  searched.search = true;
  searched.why_not_finite = options.why_not_finite;
  out->assign(options.chains, searched);
  return {};
}

}  // namespace fermiac::inference
