#include "cli/cmdstan/parse.h"

#include <set>
#include <string_view>

#include "cli/cmdstan/argument.h"

namespace fermiac::cmdstan {
namespace {

using Outcome = Parsed::Outcome;

struct Word {
  explicit Word(std::string_view word)
      : all(word),
        equals(word.find('=')),
        name(word.substr(0, equals)),
        value(equals == std::string_view::npos ? "" : word.substr(equals + 1)) {}
  std::string_view all;
  std::size_t equals;
  std::string_view name, value;
  bool is_name() const { return equals == std::string_view::npos; }
};

class Parser {
 public:
  Parser(const Argument& tree, const std::string& program, std::span<const std::string> words)
      : tree_(tree), program_(program), words_(words), result_{Outcome::Run, Setting(tree), "", ""} {}

  Parsed parse() {
    if (words_.empty()) {
      result_.out = usage_text(tree_, program_);
      result_.outcome = Outcome::Failed;
      return std::move(result_);
    }
    while (going() && next_ < words_.size()) top_level_word();
    if (going() && !used_.contains("method")) fail("A method must be specified!\n");
    return std::move(result_);
  }

 private:
  bool going() const { return result_.outcome == Outcome::Run; }

  void fail(const std::string& why) {
    result_.err += why + "Failed to parse command arguments, cannot run model.\n";
    result_.outcome = Outcome::Failed;
  }

  void top_level_word() {
    const Word word(words_[next_]);
    Setting* method = result_.settings.child("method");
    if (word.all == "info") {
      result_.outcome = Outcome::Info;
    } else if (word.is_name() && method->child(word.name) && used_.insert("method").second) {
      ++next_;
      choose(*method, word.name);
    } else if (!is_help(word, result_.settings) && !take(result_.settings, word)) {
      mistyped(word);
    }
  }

  /// Words for the category, until one does not belong to it.
  void subarguments(Setting& category) {
    while (going() && next_ < words_.size()) {
      const Word word(words_[next_]);
      if (is_help(word, category)) return;
      if (word.all == category.argument().name) return mistyped(word);
      if (!take(category, word)) return;
    }
  }

  /// Takes the word, and all that belongs to it, if it names a member of the category.
  bool take(Setting& category, const Word& word) {
    Setting* member = category.child(word.name);
    if (!member || (member->argument().kind == Kind::Category && !word.is_name())) return false;
    if (&category == &result_.settings && !used_.insert(std::string(word.name)).second) return false;
    ++next_;
    if (member->argument().kind == Kind::Category)
      subarguments(*member);
    else
      choose(*member, word.value);
    return true;
  }

  void choose(Setting& setting, std::string_view value) {
    const Argument& argument = setting.argument();
    if (!setting.set(value))
      return fail(std::string(value) + " is not a valid value for \"" + argument.name +
                  "\"\n  Valid values: " + argument.valid + "\n");
    if (argument.kind == Kind::List) subarguments(*setting.child(value));
  }

  bool is_help(const Word& word, const Setting& category) {
    if (word.all != "help" && word.all != "help-all") return false;
    if (&category != &result_.settings)
      result_.out += help_text(category.argument(), 0, word.all == "help-all");
    else if (word.all == "help-all")
      for (const Argument& argument : tree_.children) result_.out += help_text(argument, 1, true);
    result_.out += usage_text(tree_, program_);
    result_.outcome = Outcome::Help;
    return true;
  }

  void mistyped(const Word& word) {
    std::string why = std::string(word.all) + " is either mistyped or misplaced.\n";
    if (word.name == "opencl") why += "Re-compile the model with STAN_OPENCL to use OpenCL CmdStan arguments.\n";
    const std::string places = places_text(tree_, word.name);
    if (!places.empty()) why += "Perhaps you meant one of the following valid configurations?\n" + places;
    fail(why);
  }

  const Argument& tree_;
  const std::string& program_;
  std::span<const std::string> words_;
  std::size_t next_ = 0;
  std::set<std::string> used_;  // arguments of the top level
  Parsed result_;
};

}  // namespace

Parsed parse(const Argument& tree, const std::string& program, std::span<const std::string> words) {
  return Parser(tree, program, words).parse();
}

}  // namespace fermiac::cmdstan
