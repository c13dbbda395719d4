#include "inference/model/option_rows.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "inference/model/init_problem.h"
#include "support/platform/threads.h"

namespace fermiac::inference {

using Kind = OptionRow::Kind;

std::string alternatives(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) out += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + words[i];
  return out;
}

std::string OptionRow::refusal(std::string_view what, std::string_view text) const {
  if (kind == Kind::Init) return fmt::format("{}: {}", what, check_init(std::string(text)).message);
  return fmt::format("{} is {}, but must be {}", what, text, expected);
}

OptionRow& OptionRows::add(Kind kind, std::string name, std::string about, std::string value) {
  OptionRow& row = rows_.emplace_back();
  row.kind = kind;
  row.name = std::move(name);
  row.about = std::move(about);
  row.value = std::move(value);
  return row;
}

void OptionRows::retired(std::string name) {
  add(Kind::Retired, std::move(name), "", "TEXT").set = [](const std::string&) { return true; };
}

void OptionRows::threads(unsigned& value) {
  OptionRow& row = add(Kind::Threads, "threads", "Number of threads, -1 for all cores (default: STAN_NUM_THREADS, or all cores)", "N");
  row.expected = range_text(Range<unsigned>{1, kMostThreads}) + ", or -1 for all cores";
  row.set = [&value](const std::string& text) {
    const std::optional<unsigned> threads = threads_in_text(text);
    value = threads.value_or(value);
    return threads.has_value();
  };
}

void OptionRows::init(CommonOptions& options) {
  const std::string search = options.default_init == kSearchedInit ? "pathfinder (by search), " : "";
  OptionRow& row = add(Kind::Init, "init", "Initial values: " + search + "a radius, 0, or a JSON file", "TEXT");
  row.standard = options.init;
  row.set = [&options](const std::string& text) {
    if (!check_init(text)) return false;
    options.init = text;
    return true;
  };
  row.set_all = [&options](std::vector<std::string> texts) { options.init_values = std::move(texts); };
}

void OptionRows::mode(LaplaceOptions& options) {
  OptionRow& row =
      text("mode", options.mode, "Mode: CSV file of optimize --jacobian, or JSON file of the parameters (default: found by optimization)", "TEXT");
  row.kind = Kind::Mode;
  row.set_all = [&options](const std::vector<std::string>& texts) { options.mode_values = texts.front(); };
}

OptionRow& OptionRows::text(std::string name, std::string& value, std::string about, std::string kind) {
  const bool path = kind == "DIR" || kind.find('.') != std::string::npos;
  OptionRow& row = add(path ? Kind::File : Kind::Text, std::move(name), std::move(about), std::move(kind));
  row.expected = "a text";
  row.set = [&value](const std::string& text) {
    value = text;
    return true;
  };
  return row;
}

void OptionRows::folder(std::string& value, std::string about) {
  text("output", value, std::move(about), "DIR").otherwise = "a new folder beside the model";
}

void OptionRows::files(std::string name, std::vector<std::string>& values, std::string about, bool required) {
  OptionRow& row = add(Kind::Files, std::move(name), std::move(about), "FILES");
  row.required = required;
  row.set_all = [&values](std::vector<std::string> texts) { values = std::move(texts); };
}

void OptionRows::add_flag(std::string name, std::string about, std::function<void(bool)> apply) {
  OptionRow& row = add(Kind::Flag, std::move(name), std::move(about), "");
  row.expected = "true or false";
  row.assign = [apply](double x) { apply(x != 0); };
  row.set = [apply](const std::string& text) {
    if (text != "true" && text != "false") return false;
    apply(text == "true");
    return true;
  };
}

void OptionRows::flag(std::string name, bool& value, std::string about) {
  add_flag(std::move(name), std::move(about), [&value](bool given) { value = given; });
}

void OptionRows::unset(std::string name, bool& value, std::string about) {
  add_flag(std::move(name), std::move(about), [&value](bool given) { value = !given; });
}

OptionRow& OptionRows::add_choice(std::string name, std::string about) {
  return add(Kind::Choice, std::move(name), std::move(about), "");
}

void OptionRows::describe_choices(OptionRow& row) {
  row.value = fmt::format("{}", fmt::join(row.choices, "|"));
  row.expected = alternatives(row.choices);
  row.standard = row.choices.front();
}

const OptionRow* OptionRows::find(std::string_view name) const {
  const auto found = std::ranges::find(rows_, name, &OptionRow::name);
  return found == rows_.end() ? nullptr : &*found;
}

}  // namespace fermiac::inference
