// Cases of the files of known values whose result is wrong there, with the right one. Each line of the list has the id
// of a case, the members that replace those of the case (numbers computed with 40 to 700 digits) and the reason.
#include <map>

#include "tests/conformance/oracle_values.h"

namespace fermiac::selfcheck::oracle {
namespace {

constexpr std::string_view kLines =
#include "tests/conformance/known_differences.inc"
    ;

using Table = std::map<std::string, Json, std::less<>>;

Table read_table() {
  Table table;
  for (std::string_view rest = kLines; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty()) continue;
    Json row;
    if (const Status problem = parse_json(line, &row); !problem)
      throw InputError("known differences: " + problem.message);
    table.emplace(text_of(row, "id"), std::move(row));
  }
  return table;
}

const Table& table() {
  static const Table all = read_table();
  return all;
}

/// The first member of a name is the one that counts.
void put_in_front(Json& object, const JsonMember& m) {
  if (m.value.kind == Json::Kind::Object)
    for (JsonMember& mine : object.members)
      if (mine.key == m.key && mine.value.kind == Json::Kind::Object) {
        mine.value.members.insert(mine.value.members.begin(), m.value.members.begin(), m.value.members.end());
        return;
      }
  object.members.insert(object.members.begin(), m);
}

}  // namespace

const Json* known_difference(std::string_view id) {
  const auto it = table().find(id);
  return it == table().end() ? nullptr : &it->second;
}

std::vector<std::string> known_difference_ids() {
  std::vector<std::string> ids;
  for (const auto& [id, row] : table()) ids.push_back(id);
  return ids;
}

Json corrected(Json c, const Json& known) {
  for (const JsonMember& m : known.members)
    if (m.key != "id" && m.key != "reason") put_in_front(c, m);
  return c;
}

}  // namespace fermiac::selfcheck::oracle
