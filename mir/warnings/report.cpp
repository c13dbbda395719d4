#include "mir/warnings/warnings.h"

namespace fermiac::mir {
namespace {

constexpr Diagnostic<std::string> kUninitialised{DiagId::W2030, DiagKind::Warning, "{}", WarningGroup::Uninitialised};
constexpr Diagnostic<std::string> kPedantic{DiagId::W2031, DiagKind::Warning, "{}", WarningGroup::Pedantic};

void report(const std::vector<Warning>& warnings, const Diagnostic<std::string>& kind, Diagnostics& diagnostics) {
  for (const Warning& warning : warnings) diagnostics.report(warning.span, kind, warning.text);
}

}  // namespace

void report_uninitialised(const Program& program, const SourceMap& sources, Diagnostics& diagnostics) {
  report(uninitialised_warnings(program, sources), kUninitialised, diagnostics);
}
void report_pedantic(const Program& program, const SourceMap& sources, Diagnostics& diagnostics) {
  report(pedantic_warnings(program, sources), kPedantic, diagnostics);
}

}  // namespace fermiac::mir
