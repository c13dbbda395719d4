#include "cli/cmdstan/setting.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "inference/output/config.h"
#include "support/base/number_text.h"

namespace fermiac::cmdstan {
namespace {

using inference::ConfigNode;

/// Reads as much of the text as is a number: `3abc` is 3. False where there is none.
bool leading_number(std::string_view text, bool whole, double* out) {
  const std::string copy(text);
  char* end = nullptr;
  *out = whole ? static_cast<double>(std::strtoll(copy.c_str(), &end, 10)) : std::strtod(copy.c_str(), &end);
  return end != copy.c_str();
}

bool within(double x, const Bounds& b) {
  if (!std::isfinite(x) || (b.no_zero && x == 0)) return false;
  return (b.open ? x > b.least : x >= b.least) && x <= b.most;
}

std::string shortest(double x) {
  char buffer[40];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
}

constexpr double kLargestInt = 2147483647, kLargestSeed = 4294967295;

}  // namespace

Setting::Setting(const Argument& argument) : argument_(&argument) {
  for (const Argument& child : argument.children) children_.emplace_back(child);
  read(argument.standard);
}

Setting* Setting::child(std::string_view name) {
  const auto found =
      std::ranges::find_if(children_, [&](const Setting& child) { return child.argument_->name == name; });
  return found == children_.end() ? nullptr : &*found;
}

bool Setting::set(std::string_view text) {
  if (!read(text)) return false;
  given_ = true;
  is_default_ = text_ == Setting(*argument_).text_;
  return true;
}

void Setting::settle(long long used) {
  text_ = exact_ = std::to_string(used);
  number_ = static_cast<double>(used);
}

bool Setting::read(std::string_view text) {
  double x = 0;
  switch (argument_->kind) {
    case Kind::Category:
    case Kind::Plain:
      return true;
    case Kind::List:
      if (!child(text)) return false;
      text_ = text;
      return true;
    case Kind::Text:
      text_ = text;
      return true;
    case Kind::Boolean:
      if (text != "0" && text != "1" && text != "true" && text != "false") return false;
      number_ = text == "1" || text == "true";
      text_ = exact_ = number_ != 0 ? "true" : "false";
      return true;
    case Kind::Integer:
    case Kind::Unsigned: {
      const double most = argument_->bounds.most == kLargestSeed ? kLargestSeed : kLargestInt;
      if (!leading_number(text, true, &x) || !within(x, argument_->bounds) || x > most) return false;
      number_ = x;
      text_ = exact_ = std::to_string(static_cast<long long>(x));
      return true;
    }
    case Kind::Real:
      if (!leading_number(text, false, &x) || !within(x, argument_->bounds)) return false;
      number_ = x;
      text_ = format_number(x, 6);
      exact_ = shortest(x);
      return true;
  }
  return false;
}

const Setting& Setting::at(std::string_view path) const {
  const Setting* setting = this;
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const std::string_view name = path.substr(0, dot);
    setting = &*std::ranges::find_if(setting->children_, [&](const Setting& c) { return c.argument_->name == name; });
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return *setting;
}

const Setting* Setting::find(std::string_view name) const {
  if (argument_->name == name) return this;
  const Setting* found = argument_->kind == Kind::List ? at(text_).find(name) : nullptr;
  for (auto child = children_.begin(); !found && child != children_.end(); ++child) found = child->find(name);
  return found;
}

std::vector<ConfigNode> Setting::member_configs() const {
  std::vector<ConfigNode> out;
  for (const Setting& child : children_) out.push_back(child.config());
  return out;
}

ConfigNode Setting::config() const {
  using NodeKind = ConfigNode::Kind;
  switch (argument_->kind) {
    case Kind::Category:
    case Kind::Plain:
      return ConfigNode::group(argument_->name, member_configs());
    case Kind::List: {
      ConfigNode node{NodeKind::Choice, argument_->name, text_, is_default_, {}, ""};
      const Setting& chosen = at(text_);
      if (chosen.argument_->kind == Kind::Category) node.children.push_back(chosen.config());
      return node;
    }
    case Kind::Text:
      return {NodeKind::Text, argument_->name, text_, is_default_, {}, ""};
    case Kind::Boolean:
      return {NodeKind::Bool, argument_->name, text_, is_default_, {}, ""};
    case Kind::Integer:
    case Kind::Unsigned:
    case Kind::Real:
      break;
  }
  return {NodeKind::Number, argument_->name, text_, is_default_, {}, exact_};
}

}  // namespace fermiac::cmdstan
