// Lowering of whole programs: which statement goes into which section.
#include <algorithm>
#include <string>

#include "mir/ir/call_effects.h"
#include "mir/lower/lower.h"
#include "mir/lower/lowerer.h"
#include "support/base/check.h"

namespace fermiac::mir::lowering {

// ---------------------------------------------------------------- functions

namespace {

bool same_signature(const ast::FunctionDef& a, const ast::FunctionDef& b) {
  if (a.name.text != b.name.text) return false;
  return std::ranges::equal(a.args, b.args, [](const ast::FunctionArgument& x, const ast::FunctionArgument& y) {
    return x.type.type() == y.type.type();
  });
}

}  // namespace

bool Lowerer::defined_elsewhere(const ast::FunctionDef& def) const {
  return std::ranges::any_of(program_.functions,
                             [&](const ast::FunctionDef& other) { return other.body && same_signature(def, other); });
}

Function Lowerer::function(const ast::FunctionDef& def) {
  autodiff_ = true;
  function_ = &def;
  Function out;
  if (def.result) out.result = def.result->type();
  out.name = def.name.text;
  out.suffix = suffix_of(out.name);
  for (const ast::FunctionArgument& arg : def.args) {
    const Type type = arg.type.type();
    out.args.push_back({uniform_level(type, !arg.data_only), arg.data_only, arg.name.text, type});
  }
  if (def.body) out.body = as_block(one(*def.body));
  out.span = def.span;
  for (const ast::Annotation& annotation : def.annotations) out.annotations.push_back(annotation.text);
  function_ = nullptr;
  return out;
}

// ---------------------------------------------------------------- data

void Lowerer::data_block(const ast::ProgramBlock& block, Program& out) {
  autodiff_ = false;
  for (const auto& stmt : block.body)
    if (const auto* node = std::get_if<ast::Declaration>(&stmt->node))
      for (const ast::Declarator& name : node->names) input_variable(*node, name, stmt->span, out);
}

void Lowerer::input_variable(const ast::Declaration& node, const ast::Declarator& name, Span span, Program& out) {
  const SizedType type = sized(node.type, name.name.text, SizeMode::Local, out.prepare_data);
  out.input_vars.push_back({name.name.text, span, type});
  out.prepare_data.push_back(declaration(node, name, type, span));
  const ExprPtr value = var(name.name.text, type.type(), uniform_level(type.type(), false));
  append(out.prepare_data, matching_dims(node.type, type, value, name.name.text, span));
  append(out.prepare_data, value_checks(node.type, type, value, name.name.text, span));
}

// ---------------------------------------------------------------- blocks with statements

Statements Lowerer::global_declaration(const ast::Declaration& node, Span span, Statements& checks) {
  Statements out;
  for (const ast::Declarator& name : node.names) {
    const std::string& id = name.name.text;
    const auto known = output_types_.find(id);
    const SizedType type = known != output_types_.end() ? known->second : sized(node.type, id, SizeMode::Local, out);
    out.push_back(declaration(node, name, type, span));
    const ExprPtr value = with_span(var(id, type.type(), uniform_level(type.type(), autodiff_)), name.name.span);
    append(out, matching_dims(node.type, type, value, id, span));
    append(out, initialiser(node, name, span));
    append(checks, value_checks(node.type, type, value, id, span));
  }
  return out;
}

BlockParts Lowerer::block_parts(const ast::ProgramBlock& block) {
  BlockParts parts;
  for (const auto& stmt : block.body) {
    if (const auto* node = std::get_if<ast::Declaration>(&stmt->node))
      append(parts.body, global_declaration(*node, stmt->span, parts.checks));
    else
      append(parts.body, statement(*stmt));
  }
  return parts;
}

// ---------------------------------------------------------------- output variables

namespace {

SizedType unconstrained(const SizedType& type, const ast::DeclaredType& declared) {
  SizedType out = free_type(type, declared.transform);
  for (std::size_t i = 0; i < type.slots.size(); ++i) out.slots[i] = unconstrained(type.slots[i], declared.slots[i]);
  return out;
}

}  // namespace

void Lowerer::output_variable(const ast::Declaration& node, const ast::Declarator& name, ast::BlockKind kind, Span span,
                              Program& out) {
  const SizeMode mode = kind == ast::BlockKind::Parameters ? SizeMode::Parameter : SizeMode::Output;
  OutputVar output;
  output.name = name.name.text;
  output.span = span;
  output.constrained = sized(node.type, output.name, mode, out.prepare_data);
  output.unconstrained = unconstrained(output.constrained, node.type);
  output.block = kind;
  output.transform = transform(node.type);
  slot_transforms(node.type, output.slot_transforms);
  output_types_[output.name] = output.constrained;
  out.output_vars.push_back(std::move(output));
}

void Lowerer::output_block(const ast::ProgramBlock& block, ast::BlockKind kind, Program& out) {
  for (const auto& stmt : block.body)
    if (const auto* node = std::get_if<ast::Declaration>(&stmt->node))
      for (const ast::Declarator& name : node->names) output_variable(*node, name, kind, stmt->span, out);
}

// ---------------------------------------------------------------- sections

Statements Lowerer::parameter_declarations() {
  Statements out;
  if (!program_.parameters) return out;
  for (const auto& stmt : program_.parameters->body)
    if (const auto* node = std::get_if<ast::Declaration>(&stmt->node))
      for (const ast::Declarator& name : node->names) {
        const SizedType& type = output_types_.at(name.name.text);
        const ExprPtr value = var(name.name.text, type.type(), uniform_level(type.type(), autodiff_));
        out.push_back(declaration(*node, name, type, stmt->span));
        append(out, matching_dims(node->type, type, value, name.name.text, stmt->span));
      }
  return out;
}

void Lowerer::log_prob(Program& out) {
  autodiff_ = true;
  append(out.log_prob, parameter_declarations());
  if (program_.transformed_parameters) {
    BlockParts parts = block_parts(*program_.transformed_parameters);
    append(out.log_prob, std::move(parts.body));
    append(out.log_prob, std::move(parts.checks));
  }
  if (!program_.model) return;
  Statements model = statements(program_.model->body);
  if (!model.empty()) out.log_prob.push_back(block(std::move(model), program_.model->span));
}

namespace {

StmtPtr return_unless(ExprPtr wanted) {
  ExprPtr test = stan_call(Builtin::PNot, {std::move(wanted)}, BaseType::Int);
  return make_stmt(IfElse{std::move(test), make_stmt(Return{nullptr}), nullptr});
}

}  // namespace

void Lowerer::generate_quantities(Program& out) {
  autodiff_ = false;
  Statements& section = out.generate_quantities;
  append(section, parameter_declarations());
  Statements later;
  if (program_.transformed_parameters) {
    BlockParts parts = block_parts(*program_.transformed_parameters);
    for (StmtPtr& stmt : parts.body) (std::holds_alternative<Decl>(stmt->node) ? section : later).push_back(stmt);
    append(later, std::move(parts.checks));
  }
  const ExprPtr quantities = int_var("emit_generated_quantities__");
  section.push_back(return_unless(e_or(int_var("emit_transformed_parameters__"), quantities)));
  append(section, std::move(later));
  section.push_back(return_unless(quantities));
  if (!program_.generated_quantities) return;
  BlockParts parts = block_parts(*program_.generated_quantities);
  append(section, std::move(parts.body));
  append(section, std::move(parts.checks));
}

Program Lowerer::run() {
  Program out;
  for (const ast::FunctionDef& def : program_.functions)
    if (def.body || !defined_elsewhere(def)) out.functions.push_back(function(def));
  if (program_.data) data_block(*program_.data, out);
  if (program_.transformed_data) {
    autodiff_ = false;
    BlockParts parts = block_parts(*program_.transformed_data);
    append(out.prepare_data, std::move(parts.body));
    append(out.prepare_data, std::move(parts.checks));
  }
  autodiff_ = true;
  if (program_.parameters) output_block(*program_.parameters, ast::BlockKind::Parameters, out);
  if (program_.transformed_parameters)
    output_block(*program_.transformed_parameters, ast::BlockKind::TransformedParameters, out);
  if (program_.generated_quantities)
    output_block(*program_.generated_quantities, ast::BlockKind::GeneratedQuantities, out);
  log_prob(out);
  generate_quantities(out);
  return out;
}

}  // namespace fermiac::mir::lowering

namespace fermiac::mir {

Program lower(const ast::Program& program, std::string_view model_name, std::string_view path) {
  Program out = lowering::Lowerer(program).run();
  out.name = model_name;
  out.path = path;
  mark_effects(out);
  return out;
}

}  // namespace fermiac::mir
