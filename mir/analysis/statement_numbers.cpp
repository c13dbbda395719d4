#include "mir/analysis/statement_numbers.h"

#include "mir/ir/visit.h"

namespace fermiac::mir {

void StatementNumbers::add(const Stmt& top) {
  each_substmt(top, [&](const Stmt& s) {
    if (numbers_.try_emplace(&s, static_cast<std::uint32_t>(all_.size())).second) all_.push_back(&s);
  });
}

StatementNumbers::StatementNumbers(const Program& program) {
  for (const Function& f : program.functions)
    if (f.body) add(*f.body);
  for (const auto* section : {&program.prepare_data, &program.log_prob, &program.generate_quantities})
    for (const StmtPtr& s : *section) add(*s);
}

}  // namespace fermiac::mir
