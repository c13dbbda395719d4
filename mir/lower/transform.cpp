// The form of the MIR that a compiling back end wants: data and parameters are read by explicit statements, outputs are
// written by explicit statements. An engine that binds variables itself (the interpreter) executes lower()'s result
// instead.
#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "mir/ir/build.h"
#include "mir/ir/symbols.h"
#include "mir/lower/lower.h"
#include "support/base/match.h"

namespace fermiac::mir {
namespace {

using Statements = std::vector<StmtPtr>;

void append(Statements& out, Statements more) {
  for (StmtPtr& stmt : more) out.push_back(std::move(stmt));
}

// ---------------------------------------------------------------- places inside a variable

/// A variable or a part of it, as destination and as value.
struct Place {
  LValue left;
  ExprPtr value;
  Type unindexed;    // type of the destination's unindexed base
  std::string path;  // `t.2`: the name under which the part is read and reported

  static Place variable(const std::string& name, const Type& type, bool autodiff) {
    return {to_variable(name), var(name, type, uniform_level(type, autodiff)), type, name};
  }
  Place at(const std::vector<Index>& indexes) const {
    if (indexes.empty()) return *this;
    return {with_indexes(left, indexes), indexed(value, indexes), unindexed, path};
  }
  Place slot(int number) const {
    ExprPtr part = project(value, number);
    Type type = part->type;
    return {slot_of(left, number), std::move(part), std::move(type), path + "." + std::to_string(number)};
  }
};

// `t.2` becomes `t_dot_2`.
std::string flat_name(const std::string& path) {
  std::string out;
  for (char c : path) {
    if (c == '.')
      out += "_dot_";
    else
      out += c;
  }
  return out + "_flat__";
}

bool is_tuple(const SizedType& type) {
  return type.base == BaseType::Tuple;
}

/// Scalars and 1-d arrays of int or real: read and written whole.
bool is_flat(const SizedType& type) {
  if (is_tuple(type) || !type.sizes.empty()) return false;
  return type.array_dims.empty() || (type.array_dims.size() == 1 && type.base != BaseType::Complex);
}

// ---------------------------------------------------------------- the transformation

class Backend {
 public:
  explicit Backend(Program program) : program_(std::move(program)) {}

  Program run() {
    for (Function& function : program_.functions)
      if (function.body) function.body = as_block(as_one(with_block_bodies({function.body})));
    read_data();
    insert_parameter_reads(program_.log_prob);
    insert_parameter_reads(program_.generate_quantities);
    insert_writes();
    transform_inits();
    unconstrain_array();
    for (Statements* section : {&program_.prepare_data, &program_.log_prob, &program_.generate_quantities,
                                &program_.transform_inits, &program_.unconstrain_array})
      *section = with_block_bodies(*section);
    program_.reverse_mode_log_prob = program_.log_prob;
    return std::move(program_);
  }

 private:
  using Body = std::function<Statements(const std::vector<Index>&)>;

  // Nested loops over `dims`, the last dimension outermost, so that elements come in column-major order; or the first
  // outermost.
  Statements loops(const std::vector<ExprPtr>& dims, const Body& body, bool first_outermost = false) {
    const SymbolScope scope(symbols_);
    const auto nth = [&](std::size_t i) { return first_outermost ? i : dims.size() - 1 - i; };  // from outside
    std::vector<std::string> counters(dims.size());
    for (std::size_t i = 0; i < dims.size(); ++i) counters[nth(i)] = symbols_.fresh();
    std::vector<Index> at;
    for (const std::string& counter : counters) at.push_back(single(int_var(counter)));
    Statements out = body(at);
    for (std::size_t i = dims.size(); i-- > 0;)
      out = {for_loop(counters[nth(i)], int_lit(1), dims[nth(i)], std::move(out))};
    return out;
  }

  // ---- data

  static ExprPtr read_call(const std::string& path, BaseType scalar) {
    return internal_call(Internal::FnReadData, {str_lit(path)}, Type(scalar, 1));
  }
  static BaseType scalar_base(const SizedType& type) { return scalar_of(type.type().with_array_dims(0)).base(); }
  static StmtPtr set_position(const std::string& name, ExprPtr value) {
    return assign(to_variable(name), BaseType::Int, std::move(value));
  }
  static ExprPtr shifted(const std::string& position, const ExprPtr& by) {
    return int_op(Builtin::Plus, int_var(position), by);
  }
  static StmtPtr advance(const std::string& name) { return set_position(name, shifted(name, int_lit(1))); }
  static StmtPtr declare_flat(const std::string& name, BaseType scalar) {
    return declare_unsized(name, Type(scalar, 1), uniform_level(Type(scalar, 1), true), Decl::Init::Uninit);
  }

  static ExprPtr number_at(const std::string& flat, BaseType scalar, ExprPtr position) {
    const Type type(scalar, 1);
    return indexed(var(flat, type, uniform_level(type, true)), {single(std::move(position))});
  }

  Statements read_elements(const Place& place, const SizedType& type, const std::string& flat,
                           const std::string& position) {
    return loops(all_dims(type), [&](const std::vector<Index>& at) {
      const Place element = place.at(at);
      ExprPtr next = number_at(flat, scalar_base(type), int_var(position));
      return Statements{assign(element.left, element.unindexed, std::move(next)), advance(position)};
    });
  }

  // A leaf of n complex numbers inside an array of tuples: n real parts, then n imaginary parts.
  Statements read_complex_elements(const Place& place, const SizedType& type, const std::string& flat,
                                   const std::string& position) {
    ExprPtr n;
    for (const ExprPtr& dim : all_dims(type)) n = n ? int_op(Builtin::Times, n, dim) : dim;
    if (!n) n = int_lit(1);
    Statements out = loops(all_dims(type), [&](const std::vector<Index>& at) {
      const Place element = place.at(at);
      ExprPtr next = stan_call(Builtin::to_complex, {number_at(flat, BaseType::Real, int_var(position)),
                                              number_at(flat, BaseType::Real, shifted(position, n))}, BaseType::Complex);
      return Statements{assign(element.left, element.unindexed, std::move(next)), advance(position)};
    });
    out.push_back(set_position(position, shifted(position, n)));
    return out;
  }

  Statements read_leaf(const Place& place, const SizedType& type) {
    const BaseType scalar = scalar_base(type);
    ExprPtr read = read_call(place.path, scalar);
    if (is_flat(type)) {
      if (type.array_dims.empty()) read = indexed(read, {single(int_lit(1))});
      return {assign(place.left, place.unindexed, std::move(read))};
    }
    const std::string flat = flat_name(place.path);
    Statements body = {declare_flat(flat, scalar), assign(to_variable(flat), read->type, read),
                       set_position("pos__", int_lit(1))};
    append(body, read_elements(place, type, flat, "pos__"));
    return {block(std::move(body))};
  }

  Statements read_value(const Place& place, const SizedType& type) {
    if (!is_tuple(type)) return read_leaf(place, type);
    if (!type.array_dims.empty()) return {block(read_tuple_array(place, type))};
    Statements out;
    for (std::size_t i = 0; i < type.slots.size(); ++i)
      append(out, read_value(place.slot(static_cast<int>(i) + 1), type.slots[i]));
    return out;
  }

  // Values of an array of tuples come element by element: every leaf has its flat array and its own position in it.
  Statements read_tuple_array(const Place& place, const SizedType& type) {
    Statements out;
    open_flats(place.path, type, out);
    append(out, fill_tuples(place, type));
    return out;
  }

  void open_flats(const std::string& path, const SizedType& type, Statements& out) {
    if (is_tuple(type)) {
      for (std::size_t i = 0; i < type.slots.size(); ++i)
        open_flats(path + "." + std::to_string(i + 1), type.slots[i], out);
      return;
    }
    const BaseType scalar = scalar_base(type) == BaseType::Int ? BaseType::Int : BaseType::Real;
    const std::string flat = flat_name(path);
    const std::string position = flat + "pos__";
    out.push_back(declare_flat(flat, scalar));
    out.push_back(assign(to_variable(flat), Type(scalar, 1), read_call(path, scalar)));
    out.push_back(declare(position, sized_scalar(BaseType::Int), false));
    out.push_back(set_position(position, int_lit(1)));
  }

  Statements fill_tuples(const Place& place, const SizedType& type) {
    if (!is_tuple(type)) {
      const std::string flat = flat_name(place.path);
      return scalar_base(type) == BaseType::Complex ? read_complex_elements(place, type, flat, flat + "pos__")
                                                    : read_elements(place, type, flat, flat + "pos__");
    }
    // Elements come in the order of the text: the last array dimension changes fastest.
    const Body body = [&](const std::vector<Index>& at) {
      const Place element = place.at(at);
      Statements out;
      for (std::size_t i = 0; i < type.slots.size(); ++i)
        append(out, fill_tuples(element.slot(static_cast<int>(i) + 1), type.slots[i]));
      return out;
    };
    return loops(type.array_dims, body, true);
  }

  static bool needs_position(const SizedType& type) {
    if (!is_tuple(type)) return !is_flat(type);
    return std::ranges::any_of(type.slots, needs_position);
  }

  static Statements position_declaration() {
    return {declare("pos__", sized_scalar(BaseType::Int), false), set_position("pos__", int_lit(1))};
  }

  void read_data() {
    std::map<std::string, SizedType> inputs;
    for (const InputVar& input : program_.input_vars) inputs.emplace(input.name, input.type);
    Statements out;
    const auto wants = [](const InputVar& input) { return needs_position(input.type); };
    if (std::ranges::any_of(program_.input_vars, wants)) out = position_declaration();
    for (const StmtPtr& stmt : program_.prepare_data) {
      out.push_back(stmt);
      const auto* decl = std::get_if<Decl>(&stmt->node);
      const auto input = decl ? inputs.find(decl->id) : inputs.end();
      if (input == inputs.end()) continue;
      append(out, read_value(Place::variable(decl->id, input->second.type(), false), input->second));
    }
    program_.prepare_data = std::move(out);
  }

  // ---- parameters

  const OutputVar* parameter(const std::string& name) const {
    for (const OutputVar& output : program_.output_vars)
      if (output.name == name && output.block == BlockKind::Parameters) return &output;
    return nullptr;
  }

  static CompilerInternal read_parameter(const Transform& transform, const SizedType& type) {
    using Kind = TransformKind;
    CompilerInternal fn;
    fn.fn = Internal::FnReadParam;
    fn.transform = transform;
    fn.has_transform = true;
    fn.dims = all_dims(type);
    const bool square = transform.kind == Kind::CholeskyCorr || transform.kind == Kind::Correlation ||
                        transform.kind == Kind::Covariance;
    if (square) fn.dims.pop_back();
    return fn;
  }

  static ExprPtr read_expr(const Transform& transform, const SizedType& type, const AdLevel& level) {
    return make_expr(FunApp{read_parameter(transform, type), {}}, type.type(), level);
  }

  Statements read_slots(const Place& place, const SizedType& type, const std::vector<Transform>& transforms,
                        std::size_t& next) {
    if (!is_tuple(type)) {
      const Transform& transform = transforms.at(next++);
      return {assign(place.left, place.unindexed, read_expr(transform, type, place.value->ad))};
    }
    const std::size_t first = next;
    return loops(type.array_dims, [&](const std::vector<Index>& at) {
      next = first;
      const Place element = place.at(at);
      Statements out;
      for (std::size_t i = 0; i < type.slots.size(); ++i)
        append(out, read_slots(element.slot(static_cast<int>(i) + 1), type.slots[i], transforms, next));
      return out;
    });
  }

  void insert_parameter_reads(Statements& section) {
    Statements out;
    for (const StmtPtr& stmt : section) {
      const auto* decl = std::get_if<Decl>(&stmt->node);
      const OutputVar* output = decl ? parameter(decl->id) : nullptr;
      if (!output) {
        out.push_back(stmt);
        continue;
      }
      if (is_tuple(output->constrained)) {
        out.push_back(stmt);
        std::size_t next = 0;
        const Place place = Place::variable(decl->id, output->constrained.type(), decl->ad.any());
        append(out, read_slots(place, output->constrained, output->slot_transforms, next));
        continue;
      }
      Decl read = *decl;
      read.init = Decl::Init::Assign;
      read.value = read_expr(output->transform, output->constrained, decl->ad);
      out.push_back(make_stmt(std::move(read), stmt->span));
    }
    section = std::move(out);
  }

  // ---- writes

  static StmtPtr write(const ExprPtr& value, const Transform* transform) {
    CompilerInternal fn;
    fn.fn = Internal::FnWriteParam;
    fn.var = value;
    fn.has_transform = transform != nullptr;
    if (transform) fn.transform = *transform;
    return internal_stmt(std::move(fn), {});
  }

  static bool written_whole(const SizedType& type) { return type.array_dims.empty() || is_flat(type); }

  Statements write_output(const Place& place, const SizedType& type) {
    if (!is_tuple(type)) {
      if (written_whole(type)) return {write(place.value, nullptr)};
      return loops(all_dims(type),
                   [&](const std::vector<Index>& at) { return Statements{write(place.at(at).value, nullptr)}; });
    }
    return loops(type.array_dims, [&](const std::vector<Index>& at) {
      const Place element = place.at(at);
      Statements out;
      for (std::size_t i = 0; i < type.slots.size(); ++i)
        append(out, write_output(element.slot(static_cast<int>(i) + 1), type.slots[i]));
      return out;
    });
  }

  Statements writes(BlockKind block) {
    Statements out;
    for (const OutputVar& output : program_.output_vars)
      if (output.block == block)
        append(out, write_output(Place::variable(output.name, output.constrained.type(), false), output.constrained));
    return out;
  }

  static bool is_early_return(const Stmt& stmt) {
    const auto* branch = std::get_if<IfElse>(&stmt.node);
    return branch && std::holds_alternative<Return>(branch->yes->node);
  }

  // Before the first early return come the parameters, before the second the transformed parameters.
  void insert_writes() {
    Statements transformed = writes(BlockKind::TransformedParameters);
    Statements out;
    int returns = 0;
    for (const StmtPtr& stmt : program_.generate_quantities) {
      if (is_early_return(*stmt)) {
        if (++returns == 1) append(out, writes(BlockKind::Parameters));
        if (returns == 2 && !transformed.empty())
          out.push_back(
              make_stmt(IfElse{int_var("emit_transformed_parameters__"), block(std::move(transformed)), nullptr}));
      }
      out.push_back(stmt);
    }
    append(out, writes(BlockKind::GeneratedQuantities));
    program_.generate_quantities = std::move(out);
  }

  // ---- initial values and unconstraining

  Statements write_free(const Place& place, const SizedType& type, const Transform& transform,
                        const std::vector<Transform>& slots, std::size_t& next) {
    if (!is_tuple(type)) return {write(place.value, &transform)};
    const std::size_t first = next;
    return loops(type.array_dims, [&](const std::vector<Index>& at) {
      next = first;
      const Place element = place.at(at);
      Statements out;
      for (std::size_t i = 0; i < type.slots.size(); ++i) {
        const Transform& own = is_tuple(type.slots[i]) ? transform : slots.at(next++);
        append(out, write_free(element.slot(static_cast<int>(i) + 1), type.slots[i], own, slots, next));
      }
      return out;
    });
  }

  template <class Read>
  Statements free_parameters(Read read) {
    Statements out;
    for (const OutputVar& output : program_.output_vars) {
      if (output.block != BlockKind::Parameters) continue;
      const Place place = Place::variable(output.name, output.constrained.type(), true);
      out.push_back(declare(output.name, output.constrained, true, output.span));
      append(out, read(place, output.constrained));
      std::size_t next = 0;
      append(out, write_free(place, output.constrained, output.transform, output.slot_transforms, next));
    }
    return out;
  }

  void transform_inits() {
    Statements out;
    const auto wants = [](const OutputVar& output) {
      return output.block == BlockKind::Parameters && needs_position(output.constrained);
    };
    if (std::ranges::any_of(program_.output_vars, wants)) out = position_declaration();
    append(out, free_parameters([&](const Place& place, const SizedType& type) { return read_value(place, type); }));
    program_.transform_inits = std::move(out);
  }

  Statements deserialize(const Place& place, const SizedType& type) {
    if (!is_tuple(type)) {
      ExprPtr read = internal_call(Internal::FnReadDeserializer, {}, scalar_of(type.type()));
      return loops(all_dims(type), [&](const std::vector<Index>& at) {
        const Place element = place.at(at);
        return Statements{assign(element.left, element.unindexed, read)};
      });
    }
    return loops(type.array_dims, [&](const std::vector<Index>& at) {
      const Place element = place.at(at);
      Statements out;
      for (std::size_t i = 0; i < type.slots.size(); ++i)
        append(out, deserialize(element.slot(static_cast<int>(i) + 1), type.slots[i]));
      return out;
    });
  }

  void unconstrain_array() {
    program_.unconstrain_array =
        free_parameters([&](const Place& place, const SizedType& type) { return deserialize(place, type); });
  }

  Program program_;
  Symbols symbols_;
};

// ---------------------------------------------------------------- bodies

StmtPtr with_block_body(const StmtPtr& stmt);

StmtPtr body_block(const StmtPtr& body) {
  const StmtPtr inner = with_block_body(body);
  if (const auto* list = std::get_if<SList>(&inner->node)) return block(with_block_bodies(list->body), inner->span);
  return as_block(inner);
}

StmtPtr with_block_body(const StmtPtr& stmt) {
  const auto same = [&](const auto&) { return stmt; };
  const auto list = [&](auto node) {
    node.body = with_block_bodies(node.body);
    return make_stmt(std::move(node), stmt->span);
  };
  return match(
      stmt->node, [&](const Assignment& s) { return same(s); }, [&](const TargetPE& s) { return same(s); },
      [&](const JacobianPE& s) { return same(s); }, [&](const NRFunApp& s) { return same(s); },
      [&](const Break& s) { return same(s); }, [&](const Continue& s) { return same(s); },
      [&](const Return& s) { return same(s); }, [&](const Skip& s) { return same(s); },
      [&](const Decl& s) { return same(s); },
      [&](const IfElse& s) {
        return make_stmt(IfElse{s.test, body_block(s.yes), s.no ? body_block(s.no) : nullptr}, stmt->span);
      },
      [&](const While& s) {
        return make_stmt(While{s.test, body_block(s.body)}, stmt->span);
      },
      [&](const For& s) {
        return make_stmt(For{s.variable, s.lower, s.upper, body_block(s.body)}, stmt->span);
      },
      [&](const Profile& s) { return list(s); }, [&](const Block& s) { return list(s); },
      [&](const SList& s) { return list(s); });
}

}  // namespace

std::vector<StmtPtr> with_block_bodies(const std::vector<StmtPtr>& statements) {
  Statements out;
  for (const StmtPtr& stmt : statements) {
    const StmtPtr rebuilt = with_block_body(stmt);
    if (const auto* list = std::get_if<SList>(&rebuilt->node))
      append(out, list->body);
    else
      out.push_back(rebuilt);
  }
  return out;
}

Program transform_for_backend(Program program) {
  return Backend(std::move(program)).run();
}

}  // namespace fermiac::mir
