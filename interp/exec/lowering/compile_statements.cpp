// Statements and whole programs to nodes.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "frontend/ast/type_words.h"
#include "frontend/check/conversions.h"
#include "interp/exec/lowering/compiler.h"
#include "interp/exec/lowering/jit_lower.h"
#include "interp/exec/lowering/views.h"
#include "interp/exec/runs/external_leaves.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "support/base/check.h"
#include "support/base/match.h"
#include "support/base/number_text.h"
#include "support/base/text.h"
#include "support/platform/stack.h"

namespace fermiac::interp {

// ---------------------------------------------------------------- scopes and places

Compiler::Variable& Compiler::declare(const std::string& name, Type type, bool may_ref) {
  const bool refs = may_ref && !type.is_discrete();
  auto& known = by_name_[name];
  known.push_back({slots_++, refs, std::move(type), false});
  if (kind_ == SectionKind::LogProb && !name.ends_with("__")) log_prob_names_.emplace_back(name, known.back().slot);
  names_.push_back(name);  // last: a scope takes back what stands here, and each of these may run out of memory
  return known.back();
}

void Compiler::alias(const std::string& name, const Variable& variable) {
  by_name_[name].push_back(variable);
  names_.push_back(name);
}

const Compiler::Variable* Compiler::find(const std::string& name) const {
  const auto it = by_name_.find(name);
  return it == by_name_.end() || it->second.empty() ? nullptr : &it->second.back();
}

const Compiler::Variable& Compiler::lookup(Span span, const std::string& name) const {
  const Variable* variable = find(name);
  if (!variable) throw ProgramError(span, fmt::format("variable {} is not declared", name));
  return *variable;
}

Site Compiler::site(Span span) {
  if (span == Span{}) return kNoSite;
  const auto key = std::pair{std::pair{span.begin.file, span.begin.offset}, std::pair{span.end.file, span.end.offset}};
  const auto [it, fresh] = sites_.try_emplace(key, static_cast<Site>(code_->sites.size()));
  if (fresh) code_->sites.push_back(span);
  return it->second;
}

// ---------------------------------------------------------------- declarations

SizedNode Compiler::sized(const mir::SizedType& type) {
  SizedNode node;
  node.base = type.base;
  node.array_dims = exprs(type.array_dims);
  node.sizes = exprs(type.sizes);
  for (const mir::SizedType& slot : type.slots) node.slots.push_back(sized(slot));
  return node;
}

namespace {

/// The right side of `s` if it assigns the whole of `name` without reading it.
const mir::Expr* initialiser(const mir::Stmt* s, const std::string& name) {
  const auto* a = s ? std::get_if<mir::Assignment>(&s->node) : nullptr;
  if (!a || a->left.tuple || a->left.variable != name || !a->left.indexes.empty()) return nullptr;
  return depends_on(*a->right, {name}) ? nullptr : a->right.get();
}

}  // namespace

StmtPtr Compiler::declaration(const mir::Stmt& s, const mir::Decl& node, const mir::Stmt* next, bool& took_next) {
  const Site at = site(s.span);
  if (kind_ == SectionKind::LogProb || kind_ == SectionKind::GenerateQuantities) {
    if (const auto output = parameters_.find(node.id); output != parameters_.end())
      return parameter_declaration(s, node, *output->second);
  }
  if (const auto* unsized = std::get_if<Type>(&node.type)) {
    ExprPtr value = expr_or_null(node.value);
    Variable& variable = declare(node.id, *unsized, derivatives_possible());
    variable.resizable = true;
    if (!value) return make_unsized_declaration(at, variable.slot, *unsized);
    return make_assignment(at, variable, node.id, std::move(value));
  }
  const auto& declared = std::get<mir::SizedType>(node.type);
  SizedNode type = sized(declared);
  const Type plain_type = declared.type();
  if (kind_ == SectionKind::PrepareData && inputs_.contains(node.id)) {
    const Variable variable = declare(node.id, plain_type, false);
    code_->input_names.push_back(node.id);
    return make_data_declaration(at, variable.slot, node.id, std::move(type));
  }
  const mir::Expr* value = node.value.get();
  Span value_span = s.span;
  if (!value && plain_type.base() != BaseType::Tuple && (value = initialiser(next, node.id))) {
    took_next = true;
    value_span = next->span;
  }
  if (!value) {
    const Variable variable = declare(node.id, plain_type, derivatives_possible());
    return make_declaration(at, variable.slot, std::move(type));
  }
  ExprPtr right = expr(*value);
  const Variable variable = declare(node.id, plain_type, derivatives_possible());
  if (plain_type.is_number())
    return make_scalar_assignment(site(value_span), variable, std::move(right));
  return make_initialised_declaration(site(value_span), variable.slot, node.id, std::move(type), std::move(right));
}

// ---------------------------------------------------------------- assignments

namespace {

/// The steps of an lvalue, outermost first.
void flatten(const mir::LValue& left, std::vector<const mir::LValue*>& out) {
  if (left.tuple) flatten(*left.tuple, out);
  out.push_back(&left);
}

}  // namespace

StmtPtr Compiler::assignment(const mir::Stmt& s, const mir::Assignment& node) {
  const Site at = site(s.span);
  const Variable& to = lookup(s.span, node.left.base_name());
  const std::string& name = node.left.base_name();
  ExprPtr right = expr(*node.right);
  if (!node.left.tuple && node.left.indexes.empty()) {
    if (to.type.is_number()) return make_scalar_assignment(at, to, std::move(right));
    return make_assignment(at, to, name, std::move(right));
  }
  const bool number = mir::indexed_type(to.type, node.left.indexes).is_number();
  const bool array_element = static_cast<int>(node.left.indexes.size()) <= to.type.array_dims();
  if (!node.left.tuple && all_single(node.left.indexes) && (number || array_element)) {
    std::vector<ExprPtr> index;
    for (const mir::Index& i : node.left.indexes) index.push_back(expr(*i.low));
    return make_element_assignment(at, to, name, std::move(index), std::move(right));
  }
  std::vector<const mir::LValue*> path;
  flatten(node.left, path);
  std::vector<AccessStep> steps;
  for (const mir::LValue* left : path) {
    if (left->tuple) steps.push_back({.indexes = {}, .slot = left->slot});
    if (!left->indexes.empty()) steps.push_back({.indexes = indexes(left->indexes), .slot = 0});
  }
  return make_part_assignment(at, to, name, std::move(steps), std::move(right));
}

// ---------------------------------------------------------------- calls as statements

namespace {

const std::string& text_of(const mir::Expr& e) {
  const mir::Lit* lit = mir::as_lit(e);
  FERMIAC_CHECK(lit && lit->kind == mir::Lit::Kind::Str, "checks name what they check by a string");
  return lit->text;
}

std::size_t leaf_count(const mir::SizedType& type) {
  std::size_t n = type.slots.empty() ? 1 : 0;
  for (const mir::SizedType& slot : type.slots) n += leaf_count(slot);
  return n;
}

/// The leaf of a tuple at `path` (`[].2.1`), numbered as in OutputVar::slot_transforms.
std::size_t leaf_number(const mir::SizedType* type, std::string_view path) {
  std::size_t leaf = 0;
  for (std::size_t dot; (dot = path.find('.')) != path.npos; path.remove_prefix(dot + 1)) {
    const std::string_view number = path.substr(dot + 1, path.find_first_of(".[", dot + 1) - dot - 1);
    const auto slot = static_cast<std::size_t>(literal_int(number)) - 1;
    for (std::size_t k = 0; k < slot; ++k) leaf += leaf_count(type->slots[k]);
    type = &type->slots[slot];
  }
  return leaf;
}

/// The keyword of the constrained type that a variable or a slot of a tuple (`h[].2`) is declared with; empty for other types.
std::string_view type_word(const mir::Program& program, const std::string& path) {
  const std::size_t end = std::min(path.find_first_of("[."), path.size());
  const auto output = std::ranges::find(program.output_vars, path.substr(0, end), &mir::OutputVar::name);
  if (output == program.output_vars.end()) return {};
  if (end == path.size()) return ast::constrained_type_word(output->transform.kind);
  const std::size_t leaf = leaf_number(&output->constrained, path.c_str() + end);
  return leaf < output->slot_transforms.size() ? ast::constrained_type_word(output->slot_transforms[leaf].kind) : std::string_view();
}

}  // namespace

StmtPtr Compiler::void_call(const mir::Stmt& s, const mir::NRFunApp& app) {
  const Site at = site(s.span);
  const auto& args = app.args;
  if (const auto* fn = std::get_if<mir::UserDefined>(&app.fn))
    return make_call_statement(at, user_call(s.span, *fn, args, BaseType::Void));
  if (const auto* fn = std::get_if<mir::StanLib>(&app.fn)) {
    if (fn->fn == Builtin::check_matching_dims)
      return make_shape_check(at, text_of(*args[1]), text_of(*args[3]), expr(*args[2]), expr(*args[4]));
    if (fn->fn == Builtin::check_greater_or_equal)
      return make_order_check(at, text_of(*args[0]), text_of(*args[1]), expr(*args[2]), expr(*args[3]));
    throw ProgramError(s.span, fmt::format("the function {} is not implemented", name_of(fn->fn)));
  }
  const auto& fn = std::get<mir::CompilerInternal>(app.fn);
  switch (fn.fn) {
    case mir::Internal::FnPrint:
    case mir::Internal::FnReject:
    case mir::Internal::FnFatalError: return make_print(at, fn.fn, exprs(args));
    case mir::Internal::FnValidateSize:
    case mir::Internal::FnValidateSizePositive:
    case mir::Internal::FnValidateSizeUnitVector:
      return make_size_check(at, fn.fn, text_of(*args[0]), text_of(*args[1]), type_word(program_, text_of(*args[0])), expr(*args[2]));
    case mir::Internal::FnCheck:
      return make_value_check(at, fn.transform.kind, fn.var_name, expr(*fn.var), expr_or_null(fn.transform.first),
                              expr_or_null(fn.transform.second));
    default: break;
  }
  throw ProgramError(s.span, fmt::format("{} cannot be interpreted as a statement", mir::internal_name(fn.fn)));
}

// ---------------------------------------------------------------- statements

std::vector<StmtPtr> Compiler::stmts(const std::vector<mir::StmtPtr>& list) {
  std::vector<StmtPtr> out;
  out.reserve(list.size());
  for (std::size_t i = 0; i < list.size();)
    if (StmtPtr node = next_stmt(list, i)) out.push_back(std::move(node));
  return out;
}

StmtPtr Compiler::next_stmt(const std::vector<mir::StmtPtr>& list, std::size_t& i) {
  const mir::Stmt& s = *list[i++];
  if (std::holds_alternative<mir::Skip>(s.node)) return nullptr;
  const auto* decl = std::get_if<mir::Decl>(&s.node);
  if (!decl) return stmt(s);
  bool took_next = false;
  StmtPtr node = declaration(s, *decl, i < list.size() ? list[i].get() : nullptr, took_next);
  if (took_next) ++i;
  return node;
}

// ---------------------------------------------------------------- statements of a draw

void Compiler::draw_stmts(const std::vector<mir::StmtPtr>& list, Section& section) {
  for (std::size_t i = 0; i < list.size();) {
    const std::size_t first = i;
    const auto* block = std::get_if<mir::Block>(&list[i]->node);
    const auto* plain = std::get_if<mir::SList>(&list[i]->node);
    if (block || plain) {
      std::optional<Scope> scope;
      if (block) scope.emplace(*this);
      draw_stmts(block ? block->body : plain->body, section);
      ++i;
    } else if (StmtPtr node = next_stmt(list, i)) {
      section.body.push_back(std::move(node));
      code_->draw_steps.push_back(draw_step(std::span(list).subspan(first, i - first)));
    }
  }
}

DrawStep Compiler::draw_step(std::span<const mir::StmtPtr> statements) const {
  DrawStep step;
  Touched touched;
  std::set<std::string> drawn;
  for (const mir::StmtPtr& s : statements) {
    step.stays |= stays_as_written(*s, unrecorded_);
    step.draws |= draws_numbers(*s);
    step.returns |= may_return(*s);
    add_touched(*s, touched);
    drawn.merge(drawn_ints(*s));
  }
  const auto add_slots = [&](const std::set<std::string>& names, std::vector<std::size_t>& slots) {
    for (const std::string& name : names)
      if (const Variable* variable = find(name)) slots.push_back(variable->slot);
    std::ranges::sort(slots);
  };
  add_slots(touched.reads, step.reads);
  add_slots(touched.writes, step.writes);
  add_slots(drawn, step.drawn);
  if (statements.size() == 1) add_slots(checked_variable(*statements[0]), step.compared);
  step.stays |= std::ranges::any_of(drawn, [&](const std::string& name) { return touched.reads.contains(name); });
  return step;
}

/// The language lets every value be added to target; there is nothing that a complex number or a tuple could add.
ExprPtr Compiler::term(const mir::Expr& e) {
  const Type& type = e.type;
  if (type.base() == BaseType::Tuple || is_complex(type.base()))
    throw ProgramError(e.span, fmt::format("a term of the density must be a number or a container of numbers, found type {}", type.str()));
  return expr(e);
}

StmtPtr Compiler::stmt(const mir::Stmt& s) {
  if (marks_)
    if (const auto marked = marks_->marks.find(&s); marked != marks_->marks.end()) return site_statement(s, marked->second);
  return is_unit_candidate(s) ? in_unit(s, "loop") : statement(s);
}

StmtPtr Compiler::in_unit(const mir::Stmt& s, std::string label, bool may_inline) {
  constexpr std::size_t kMostNodes = 300000;  // of a program: preparing it must not take longer than running its nodes
  if (!jit_ || in_unit_ || nodes_lowered_ > kMostNodes) return statement(s);
  nodes_lowered_ += mir::node_count(s);
  if (s.span.begin.file != 0 || s.span.begin.offset != 0) label += fmt::format(" at {}", s.span.begin.offset);
  in_unit_ = true;
  std::unique_ptr<const JitUnit> unit = lower_to_jit(*this, s, std::move(label), jit_, may_inline ? inlining_.get() : nullptr);
  in_unit_ = unit != nullptr;
  StmtPtr nodes = statement(s);
  in_unit_ = false;
  if (!unit) return nodes;
  code_->jit_units.push_back(unit.get());
  return make_jit(site(s.span), std::move(unit), std::move(nodes));
}

StmtPtr Compiler::statement(const mir::Stmt& s) {
  if (stack_runs_out()) throw ProgramError(s.span, "statements nest too deeply here");
  const Site at = site(s.span);
  const auto nested = [&](const std::vector<mir::StmtPtr>& body) {
    const Scope scope(*this);
    return make_block(at, stmts(body));
  };
  const auto scoped = [&](const mir::StmtPtr& body) -> StmtPtr {
    const Scope scope(*this);
    return body ? stmt(*body) : nullptr;
  };
  return match(
      s.node, [&](const mir::Assignment& node) -> StmtPtr { return assignment(s, node); },
      [&](const mir::TargetPE& node) -> StmtPtr { return make_target(at, term(*node.value), false); },
      [&](const mir::JacobianPE& node) -> StmtPtr { return make_target(at, term(*node.value), true); },
      [&](const mir::NRFunApp& node) -> StmtPtr { return void_call(s, node); },
      [&](const mir::Break&) -> StmtPtr { return make_break(at); },
      [&](const mir::Continue&) -> StmtPtr { return make_continue(at); },
      [&](const mir::Return& node) -> StmtPtr { return make_return(at, expr_or_null(node.value)); },
      [&](const mir::Skip&) -> StmtPtr { return make_block(at, {}); },
      [&](const mir::IfElse& node) -> StmtPtr {
        if (StmtPtr chosen = select(s, node)) return chosen;
        return make_if(at, expr(*node.test), scoped(node.yes), scoped(node.no));
      },
      [&](const mir::While& node) -> StmtPtr { return while_loop(at, node); },
      [&](const mir::For& node) -> StmtPtr {
        ExprPtr lower = expr(*node.lower);
        ExprPtr upper = expr(*node.upper);
        std::set<std::string> changing;
        collect_assigned(*node.body, changing);
        const bool moving = depends_on(*node.upper, changing);
        const Scope scope(*this);
        const std::size_t slot = declare(node.variable, BaseType::Int, false).slot;
        return make_for(at, slot, std::move(lower), std::move(upper), moving, stmt(*node.body));
      },
      [&](const mir::Profile& node) -> StmtPtr {
        code_->has_profiles = true;
        return make_profile(at, node.name, nested(node.body));
      },
      [&](const mir::Block& node) -> StmtPtr { return nested(node.body); },
      [&](const mir::SList& node) -> StmtPtr { return make_block(at, stmts(node.body)); },
      [&](const mir::Decl& node) -> StmtPtr {
        bool unused = false;
        return declaration(s, node, nullptr, unused);
      });
}

// ---------------------------------------------------------------- functions and sections

Compiler::Compiler(const mir::Program& program, std::shared_ptr<const native::Module> header, Jit jit, const mir::SiteTable* sites)
    : program_(program), marks_(sites), code_(std::make_unique<Code>()) {
  code_->jit = jit;
  if (jit != Jit::Never && !sites && jit::has_machine_code()) {
    jit_ = std::make_shared<JitShare>(jit);
    inlining_ = std::make_shared<Inlining>(program);
  }
  for (const mir::OutputVar& output : program.output_vars)
    if (output.block == mir::BlockKind::Parameters) parameters_.emplace(output.name, &output);
  for (const mir::InputVar& input : program.input_vars) inputs_.insert(input.name);
  code_->header = std::move(header);
}

/// Numbers of functions are those of the program that the header was compiled for, which is this one; or, where it is conditioned, one
/// with the same functions.
void Compiler::define_externals(const native::Module& header) {
  for (std::uint32_t i = 0; i < header.external_function_count; ++i) {
    FunctionCode& function = *code_->functions.at(header.external_functions[i].index);
    function.body = make_external_body(function, header.external_functions[i]);
    code_->reads_target |= function.suffix == Suffix::Target || function.suffix == Suffix::Jacobian;  // it may
    function.slots = function.formals.size();
    function.defined = true;
  }
}

void Compiler::declare_functions() {
  for (const mir::Function& def : program_.functions) {
    auto code = std::make_unique<FunctionCode>();
    code->name = def.name;
    code->suffix = def.suffix;
    code->span = def.span;
    code->jit = code_->jit;
    code->defined = def.body != nullptr;
    if (def.result) code->result = *def.result;
    for (const mir::FunctionArg& arg : def.args) {
      code->formals.push_back(arg.type);
      code->data_only.push_back(arg.data_only);
    }
    definitions_[code.get()] = &def;
    code_->add_function(std::move(code));
  }
  connect_adjoints(program_, *code_);
}

void Compiler::function(std::size_t index) {
  const mir::Function& def = program_.functions[index];
  if (!def.body) return;
  kind_ = SectionKind::Function;
  slots_ = 0;
  const Scope scope(*this);
  activity_ = {.in_function = true, .arguments = {}};
  for (const mir::FunctionArg& arg : def.args) {
    declare(arg.name, arg.type, !arg.data_only);
    activity_.arguments.push_back(arg.name);
  }
  FunctionCode& code = *code_->functions[index];
  code.body = in_unit(*def.body, "function " + def.name, inlining_ && !inlining_->recurs(def.name));
  code.slots = slots_;
}

Section Compiler::section(SectionKind kind, const std::vector<mir::StmtPtr>& body) {
  kind_ = kind;
  activity_ = {};
  Section section;
  if (kind == SectionKind::GenerateQuantities) draw_stmts(body, section);
  else section.body = stmts(body);
  section.slots = slots_;
  return section;
}

std::unique_ptr<const Code> Compiler::run() {
  code_->name = program_.name;
  declare_functions();
  unrecorded_ = unrecorded_functions(program_);
  if (code_->header) define_externals(*code_->header);
  for (std::size_t i = 0; i < program_.functions.size(); ++i) function(i);
  slots_ = 0;
  const Scope globals(*this);
  code_->prepare_data = section(SectionKind::PrepareData, program_.prepare_data);
  for (const mir::OutputVar& output : program_.output_vars)
    code_->outputs.push_back({output.name, output.block, sized(output.constrained), sized(output.unconstrained), 0});
  code_->globals = slots_;
  for (const std::string& name : names_) code_->global_slots[name] = find(name)->slot;
  {
    const Scope scope(*this);
    code_->log_prob = section(SectionKind::LogProb, program_.log_prob);
    code_->log_prob.names = std::move(log_prob_names_);
  }
  slots_ = code_->globals;
  code_->emit_transformed = declare("emit_transformed_parameters__", BaseType::Int, false).slot;
  code_->emit_generated = declare("emit_generated_quantities__", BaseType::Int, false).slot;
  code_->generate_quantities = section(SectionKind::GenerateQuantities, program_.generate_quantities);
  for (OutputInfo& output : code_->outputs) {
    output.slot = lookup({}, output.name).slot;
    if (output.block == mir::BlockKind::Parameters) code_->parameter_slots.push_back(output.slot);
  }
  return std::move(code_);
}

std::unique_ptr<const Code> prepare(const mir::Program& program, std::shared_ptr<const native::Module> header, Jit jit,
                                    const mir::SiteTable* sites) {
  return Compiler(program, std::move(header), jit, sites).run();
}

}  // namespace fermiac::interp
