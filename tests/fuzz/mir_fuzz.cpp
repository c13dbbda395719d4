#include <string>

#include "mir/analysis/verify.h"
#include "mir/text/text.h"
#include "support/base/check.h"
#include "tests/fuzz/fuzz.h"

namespace fermiac::fuzz {

void mir_reader(const std::string& text) {
  const mir::ReadResult read = mir::read_text(text);
  FERMIAC_CHECK(read.program.has_value() == read.error.empty(), "a program or an error, never both");
  if (!read.program) return;
  const std::string once = mir::to_text(*read.program);
  const mir::ReadResult again = mir::read_text(once);
  FERMIAC_CHECK(again.program.has_value(), "what is printed can be read");
  FERMIAC_CHECK(mir::to_text(*again.program) == once, "what is printed reads back the same");
  if (mir::verify(*read.program)) return;
  FERMIAC_CHECK(!mir::to_pretty(*read.program).empty(), "a program that is fine can be shown to people");
}

}  // namespace fermiac::fuzz
