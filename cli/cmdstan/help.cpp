// Help texts, made from the table.
#include <algorithm>

#include "cli/cmdstan/argument.h"
#include "cli/cmdstan/setting.h"

namespace fermiac::cmdstan {
namespace {

constexpr std::size_t kNameColumn = 12;

bool has_members(const Argument& argument) {
  return argument.kind == Kind::Category || argument.kind == Kind::Plain;
}

std::string members_of(const Argument& argument) {
  std::string out;
  for (const Argument& child : argument.children) out += (out.empty() ? "" : ", ") + child.name;
  return out.empty() ? "none" : out;
}

std::string row(const std::string& name, const std::string& about) {
  return "  " + name + std::string(std::max(kNameColumn, name.size() + 1) - name.size(), ' ') + about + "\n";
}

void add_places(const Argument& argument, const std::string& before, std::string_view name, std::string& out) {
  std::string mark = type_name(argument.kind);
  std::ranges::replace(mark, ' ', '_');
  const std::string here = before + argument.name;
  if (argument.name == name) out += "  " + here + (mark.empty() ? "" : "=<" + mark + ">") + "\n";
  for (const Argument& child : argument.children) {
    const bool of_list = argument.kind == Kind::List;
    add_places(child, here + (of_list ? "=" + child.name : "") + (here.empty() ? "" : " "), name, out);
  }
}

}  // namespace

std::string help_text(const Argument& argument, int level, bool all) {
  const std::string indent(2 * static_cast<std::size_t>(level), ' ');
  std::string out = indent + argument.name;
  if (has_members(argument)) {
    out += "\n" + indent + "  " + argument.about + "\n" + indent + "  Valid subarguments: " + members_of(argument) +
           "\n\n";
  } else {
    out += "=<" + type_name(argument.kind) + ">\n" + indent + "  " + argument.about + "\n" + indent +
           "  Valid values: " + argument.valid + "\n" + indent + "  Defaults to " +
           (argument.standard.empty() ? "" : Setting(argument).text("")) + "\n\n";
  }
  if (all)
    for (const Argument& child : argument.children) out += help_text(child, level + 1, true);
  return out;
}

std::string usage_text(const Argument& tree, const std::string& program) {
  std::string out = "Usage: " + program +
                    " <arg1> <subarg1_1> ... <subarg1_m> ... <arg_n> <subarg_n_1> ... <subarg_n_m>\n\n"
                    "Begin by selecting amongst the following inference methods and diagnostics,\n\n";
  for (const Argument& method : tree.children.front().children) out += row(method.name, method.about);
  out += "\nOr see help information with\n\n" + row("help", "Prints help") +
         row("help-all", "Prints entire argument tree");
  out += "\nAdditional configuration available by specifying\n\n";
  for (std::size_t i = 1; i < tree.children.size(); ++i) out += row(tree.children[i].name, tree.children[i].about);
  return out + "\nSee " + program + " <arg1> [ help | help-all ] for details on individual arguments.\n\n";
}

std::string places_text(const Argument& tree, std::string_view name) {
  std::string out;
  if (!name.empty())
    for (const Argument& argument : tree.children) add_places(argument, "", name, out);
  return out;
}

}  // namespace fermiac::cmdstan
