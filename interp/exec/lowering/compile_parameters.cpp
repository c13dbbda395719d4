// Declarations of parameters: their transforms and bounds as nodes of the section they stand in.
#include "interp/exec/lowering/compiler.h"
#include "support/base/check.h"

namespace fermiac::interp {

ParameterNode Compiler::parameter(const mir::SizedType& type, const mir::Transform& transform,
                                  const std::vector<mir::Transform>& slot_transforms, std::size_t& next_slot,
                                  const std::string& name) {
  ParameterNode node;
  node.type = sized(type);
  node.name = name;
  if (type.base == BaseType::Tuple) {
    for (std::size_t i = 0; i < type.slots.size(); ++i) {
      const bool nested = type.slots[i].base == BaseType::Tuple;
      const mir::Transform own = nested ? mir::Transform{} : slot_transforms.at(next_slot++);
      node.slots.push_back(
          parameter(type.slots[i], own, slot_transforms, next_slot, name + "." + std::to_string(i + 1)));
    }
    return node;
  }
  node.transform = transform.kind;
  node.first = expr_or_null(transform.first);
  node.second = expr_or_null(transform.second);
  return node;
}

StmtPtr Compiler::parameter_declaration(const mir::Stmt& s, const mir::Decl& node, const mir::OutputVar& output) {
  std::size_t next_slot = 0;
  ParameterNode parameter_node =
      parameter(output.constrained, output.transform, output.slot_transforms, next_slot, node.id);
  const std::size_t slot = declare(node.id, output.constrained.type(), derivatives_possible()).slot;
  if (kind_ == SectionKind::LogProb) code_->log_prob_slots.push_back(slot);
  auto& list = kind_ == SectionKind::LogProb ? code_->log_prob_parameters : code_->generate_parameters;
  const ParameterNode* kept = nullptr;
  StmtPtr out = make_parameter_declaration(site(s.span), slot, list.size(), std::move(parameter_node), kept);
  list.push_back(kept);
  return out;
}

}  // namespace fermiac::interp
