// Names that whole-program passes must leave alone.
#include "mir/ir/visit.h"
#include "mir/passes/pass_tools.h"

namespace fermiac::mir {

std::set<std::string> global_names(const Program& program) {
  std::set<std::string> names = {"target"};
  for (const OutputVar& output : program.output_vars) names.insert(output.name);
  for (const InputVar& input : program.input_vars) names.insert(input.name);
  for (const StmtPtr& stmt : program.prepare_data)
    each_substmt(*stmt, [&](const Stmt& s) {
      if (const auto* decl = std::get_if<Decl>(&s.node)) names.insert(decl->id);
    });
  return names;
}

}  // namespace fermiac::mir
