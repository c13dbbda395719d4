#include "inference/methods/method_run.h"

#include <cstdio>
#include <map>
#include <memory>
#include <set>

#include "inference/model/column_names.h"
#include "inference/model/second_derivatives.h"
#include "inference/output/draw_files.h"
#include "inference/output/init_files.h"
#include "inference/output/posterior_table.h"
#include "inference/output/run_io.h"
#include "support/base/json.h"
#include "support/base/text.h"
#include "support/platform/output.h"
#include "support/platform/terminal.h"

namespace fermiac::inference {
namespace {

/// Values by the parts of their names: an index, a tuple slot, real or imag.
struct Tree {
  std::map<long, std::unique_ptr<Tree>> children;  // 1-based; real and imag are 1 and 2
  bool tuple = false;
  double value = kNaN;
};

Tree& child(Tree& node, long index) {
  std::unique_ptr<Tree>& slot = node.children[index];
  if (!slot) slot = std::make_unique<Tree>();
  return *slot;
}

Tree& descend(Tree& root, std::string_view path) {
  Tree* node = &root;
  while (!path.empty()) {
    const char mark = path.front();
    path.remove_prefix(1);
    const std::size_t end = std::min(path.find_first_of(".:"), path.size());
    const std::string part(path.substr(0, end));
    path.remove_prefix(end);
    node->tuple = mark == ':';
    node = &child(*node, part == "real" ? 1 : part == "imag" ? 2 : std::strtol(part.c_str(), nullptr, 10));
  }
  return *node;
}

void write_json(const Tree& node, std::string& out) {
  if (node.children.empty()) {
    out += json_number(node.value);
    return;
  }
  JsonGroup group(out, node.tuple ? JsonGroup::Kind::Object : JsonGroup::Kind::Array, kJsonTight);
  for (const auto& [index, sub] : node.children)
    write_json(*sub, node.tuple ? group.member(std::to_string(index)) : group.item());
  group.end();
}

}  // namespace

Status MethodRun::open(ConfigNode method, std::string_view suffix, CsvWriter* csv, std::size_t index) {
  csv->tell(io_.listener, index);
  if (!writes_files(options_, io_)) return check_common(options_);
  if (!prepared_) {
    if (Status bad = check_common(options_); !bad) return bad;
    if (Status bad = files_.prepare(options_, model_.name()); !bad) return bad;
    if (!files_.directory().empty() && writes_draws(method.value))
      if (Status bad = refuse_folder_of_others(files_.directory(), files_.name()); !bad) return bad;
    prepared_ = true;
  }
  const std::string path = files_.csv(suffix, index);
  if (Status bad = csv->open(path, options_.overwrite); !bad) {
    bad.message += options_.overwrite ? "" : "; choose another --output, or allow --overwrite";
    return bad;
  }
  const auto config = run_config(std::move(method), options_, seed_, path);
  csv->raw(csv_prolog(model_, config, options_));
  if (!options_.save_config || (conventions().one_config_file && index > 0)) return {};
  return write_text_file(files_.config(), options_.overwrite, config_file_json(model_, config, options_));
}

void MethodRun::drop_others(const std::string& stem, unsigned first, std::size_t count) const {
  if (!options_.overwrite || !conventions().has_folder || files_.directory().empty()) return;
  const std::string& folder = files_.directory();
  const std::string name = files_.name() + stem;
  remove_chains(folder, name, other_chains(folder, name, first, static_cast<unsigned>(count)));
}

Status MethodRun::initial_point(Target& target, unsigned id, Rng& rng, Span theta) {
  std::vector<InitSpec> init;
  if (Status bad = load_inits(options_, 1, id, &init); !bad) return bad;
  if (const std::string unknown = unknown_inits(init, model_); !unknown.empty()) say(unknown);
  std::string report;
  Status result = find_initial_point(init[0], target, rng, theta, &report);
  if (!report.empty()) say(report);
  return result;
}

void MethodRun::tell(const std::string& text) const {
  if (!text.empty()) io_.listener->message(text);
}

void MethodRun::say(const std::string& text) const {
  if (io_.listener) return tell(text);
  std::fwrite(text.data(), 1, text.size(), io_.err);
  std::fflush(io_.err);
}

void MethodRun::narrate(const std::string& text) const {
  if (options_.refresh > 0 || conventions().always_reports) say(text);
}

void MethodRun::watch(std::optional<SlowWork>& slow, Target& target, std::string what, std::size_t total) const {
  if (options_.refresh == 0 || !conventions().guides || io_.listener) return slow.reset();
  slow.emplace(target, std::move(what), total, [this](const std::string& text) { say(text); });
}

void MethodRun::print(const std::string& text) const {
  if (io_.listener) return tell(text);
  write_output(text, io_.out);
  flush_output(io_.out);
}

void MethodRun::conclude(const std::string& text) const {
  if (conventions().guides && !io_.listener && options_.refresh > 0) print(text);
}

void MethodRun::conclude_draws(const std::string& path, std::size_t skipped) const {
  if (!conventions().guides || io_.listener || options_.refresh == 0) return;
  CsvDraws draws;
  ChainSet chains;
  if (!read_csv(path, &draws) || draws.rows <= skipped) return conclude("Draws are in '" + path + "'.\n");
  chains.names = draws.names;
  chains.rows.emplace_back(draws.values.begin() + static_cast<std::ptrdiff_t>(skipped * draws.columns()), draws.values.end());
  std::vector<ColumnSummary> columns = summarise(chains, options_.threads);
  std::erase_if(columns, [](const ColumnSummary& c) { return c.name.ends_with("__"); });
  const PosteriorStyle style{.width = terminal_columns(io_.out), .rest = "fermiac summary --pars {} " + path};
  conclude("\n" + draws_table(columns, style) + "\nDraws are in '" + path + "'.\n");
}

Status MethodRun::finish(Status result) const {
  if (result) return result;
  files_.discard_if_empty();
  const std::string why = error_text(result, stop_reason(io_));
  if (io_.listener) return io_.listener->failed(why), result;
  std::FILE* errors = io_.errors ? io_.errors : io_.err;
  std::fprintf(errors, "%s%s\n", std::string(io_.prefix).c_str(), why.c_str());
  std::fflush(errors);
  return result;
}

bool DrawRows::add(ConstSpan lead, ConstSpan theta) {
  const ConstSpan values = writer_.write(theta, &failures_);
  if (!result()) return false;
  csv_.row(lead, values.subspan(skipped_));
  return !csv_.failed();
}

Status DrawRows::result() const {
  if (!writer_.fatal_message().empty()) return Status::failed(writer_.fatal_message());
  return is_set(io_.stop) ? Status::interrupted() : Status{};
}

std::string failures_text(const RejectLog& failures, const OutputConventions& conventions) {
  std::string out;
  for (const auto& [key, entry] : failures.entries())
    out += std::to_string(entry.count) + " draws failed and are NaN:" + (conventions.exception_prefix.empty() ? " " : "\n") +
           std::string(conventions.exception_prefix) + entry.first + "\n";
  return out;
}

std::vector<ConfigNode> search_config(const LineSearchOptions& o) {
  const LineSearchOptions defaults;
  return {ConfigNode::number("init_alpha", o.init_alpha, defaults.init_alpha),
          ConfigNode::number("tol_obj", o.tol_obj, defaults.tol_obj),
          ConfigNode::number("tol_rel_obj", o.tol_rel_obj, defaults.tol_rel_obj),
          ConfigNode::number("tol_grad", o.tol_grad, defaults.tol_grad),
          ConfigNode::number("tol_rel_grad", o.tol_rel_grad, defaults.tol_rel_grad),
          ConfigNode::number("tol_param", o.tol_param, defaults.tol_param),
          ConfigNode::integer("history_size", o.history_size, defaults.history_size)};
}

std::vector<std::string> columns_after(std::vector<std::string> lead, const Model& model) {
  for (std::string& name : model.names(true, true)) lead.push_back(std::move(name));
  return lead;
}

std::string row_as_json(const std::vector<std::string>& names, ConstSpan values) {
  std::vector<std::pair<std::string, Tree>> variables;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names[i];
    const std::size_t end = std::min(name.find_first_of(".:"), name.size());
    // Columns of one variable follow each other.
    if (variables.empty() || variables.back().first != name.substr(0, end))
      variables.emplace_back(std::string(name.substr(0, end)), Tree{});
    descend(variables.back().second, name.substr(end)).value = values[i];
  }
  std::string out;
  JsonGroup object(out, JsonGroup::Kind::Object, kJsonTight);
  for (const auto& [name, tree] : variables) write_json(tree, object.member(name));
  object.end();
  return out;
}

namespace {

/// Of the variables that have unconstrained values; others are drawn anew with every draw.
std::vector<std::string> names_of_parameters(const Model& model) {
  std::set<std::string, std::less<>> free;
  for (const std::string& name : model.unconstrained_names()) free.emplace(variable_of(name));
  std::vector<std::string> out = model.names(false, false);
  std::erase_if(out, [&](const std::string& name) { return !free.contains(variable_of(name)); });
  return out;
}

}  // namespace

Status RowReader::open(const Model& model, const CsvDraws& draws) {
  model_ = &model;
  names_ = names_of_parameters(model);
  all_ = names_.size() == model.names(false, false).size();
  std::map<std::string_view, std::size_t> where;
  for (std::size_t i = 0; i < draws.names.size(); ++i) where.emplace(draws.names[i], i);
  for (const std::string& name : names_) {
    const auto found = where.find(name);
    if (found == where.end())
      return Status::failed("'" + draws.path + "' has no column '" + name + "', a parameter of model '" +
                          std::string(model.name()) + "'");
    columns_.push_back(found->second);
  }
  return {};
}

Status RowReader::open_by_position(const Model& model, const CsvDraws& draws) {
  model_ = &model;
  names_ = model.names(false, false);
  all_ = true;
  std::size_t at = 0;
  while (at < draws.names.size() && draws.names[at].ends_with("__")) ++at;
  for (const std::string& name : names_) {
    if (at == draws.names.size() || draws.names[at] != name)
      return Status::failed("Mismatch between model and fitted_parameters csv file \"" + draws.path + "\": expected column " +
                          name + ", found " + (at == draws.names.size() ? "none" : draws.names[at]));
    columns_.push_back(at++);
  }
  return {};
}

Status RowReader::unconstrain(const CsvDraws& draws, std::size_t row, Span theta) const {
  Vec values;
  for (const std::size_t column : columns_) values.push_back(draws.at(row, column));
  const GivenValues given = {.partial = true, .rounding = draws.rounding()};
  const EvalStatus status = all_ ? model_->unconstrain_array(values, given, theta) : model_->unconstrain_json(row_as_json(names_, values), given, theta);
  if (status) return {};
  return Status::failed("'" + draws.path + "', draw " + std::to_string(row + 1) + ": " + status.message);
}

}  // namespace fermiac::inference
