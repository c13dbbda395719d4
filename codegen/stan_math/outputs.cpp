// What a model says of its parameters and of what it writes: names, dimensions, types.
#include <fmt/format.h>

#include <functional>

#include "codegen/stan_math/program_parts.h"
#include "codegen/stan_math/types.h"
#include "frontend/ast/blocks.h"
#include "mir/ir/build.h"

namespace fermiac::codegen::stan_math {
namespace {

using mir::BlockKind;
using mir::ExprPtr;
using mir::OutputVar;
using mir::SizedType;

/// A variable, or a slot of a tuple that is none itself, with all dimensions around it.
struct Leaf {
  std::string path;  // `t.2`
  std::vector<ExprPtr> dims;
  BaseType base = BaseType::Real;
};
using VisitLeaf = std::function<void(const Leaf&)>;

void for_each_leaf(const std::string& path, const SizedType& type, std::vector<ExprPtr> dims, const VisitLeaf& visit) {
  dims.insert(dims.end(), type.array_dims.begin(), type.array_dims.end());
  if (type.base != BaseType::Tuple) {
    dims.insert(dims.end(), type.sizes.begin(), type.sizes.end());
    return visit({path, std::move(dims), type.base});
  }
  for (std::size_t i = 0; i < type.slots.size(); ++i)
    for_each_leaf(path + "." + std::to_string(i + 1), type.slots[i], dims, visit);
}

const SizedType& type_of(const OutputVar& v, bool unconstrained) {
  return unconstrained ? v.unconstrained : v.constrained;
}

/// What belongs to one method: size expressions are those of the class's members.
class Outputs {
 public:
  explicit Outputs(Unit& unit) : unit_(unit), emitter_(unit, Part::Constructor) {}

  void param_names(Lines& out) {
    by_block(
        out,
        "void get_param_names(std::vector<std::string>& names__, const bool emit_transformed_parameters__ = true, "
        "const bool emit_generated_quantities__ = true) const",
        "names__", [&](const Leaf& leaf) { return Code("(" + string_literal(leaf.path) + ")"); }, "std::string");
  }

  void dims(Lines& out) {
    by_block(
        out,
        "void get_dims(std::vector<std::vector<std::size_t>>& dimss__, const bool emit_transformed_parameters__ = "
        "true, "
        "const bool emit_generated_quantities__ = true) const",
        "dimss__", [&](const Leaf& leaf) { return dims_of(leaf); }, "std::vector<std::size_t>");
  }

  /// Names of numbers: the same walk over constrained and unconstrained types.
  void number_names(Lines& out, bool unconstrained) {
    out.open(Code("void ")
             << (unconstrained ? "un" : "")
             << "constrained_param_names(std::vector<std::string>& param_names__, "
                "bool emit_transformed_parameters__ = true, bool emit_generated_quantities__ = true) const final");
    out << "(void)param_names__;";
    in_blocks(out, [&](const OutputVar& v) {
      depth_ = 0;
      name_numbers(out, Code("std::string(" + string_literal(v.name) + ")"), type_of(v, unconstrained), {});
    });
    out.close();
  }

  void sized_types(Lines& out, bool unconstrained) {
    out.open(Code("std::string get_") << (unconstrained ? "un" : "") << "constrained_sizedtypes() const");
    out << "std::string types__ = \"[\";";
    std::string comma;
    for (const OutputVar& v : unit_.program().output_vars) {
      out << (Code("types__ += ") << std::string(string_literal(comma + "{\"name\":\"" + v.name + "\",\"type\":"))
                                  << " + " << json_type(type_of(v, unconstrained)) << " + "
                                  << string_literal(",\"block\":\"" + std::string(ast::block_identifier(v.block)) + "\"}") << ";");
      comma = ",";
    }
    out << "return types__ + \"]\";";
    out.close();
  }

  Code count(BlockKind block, bool unconstrained) {
    Code out;
    for (const OutputVar& v : unit_.program().output_vars)
      if (v.block == block)
        for_each_leaf(v.name, type_of(v, unconstrained), {}, [&](const Leaf& leaf) {
          if (!out.empty()) out.br() << "+ ";
          out << product(leaf);
        });
    return out.empty() ? Code("0") : out;
  }

 private:
  using Text = std::function<Code(const Leaf&)>;

  /// Calls visit for the outputs of each block; those after the parameters under their flags.
  void in_blocks(Lines& out, const std::function<void(const OutputVar&)>& visit) {
    for (const BlockKind block : {BlockKind::Parameters, BlockKind::TransformedParameters, BlockKind::GeneratedQuantities}) {
      const bool optional = block != BlockKind::Parameters;
      if (optional) out.open(fmt::format("if (emit_{}__)", ast::block_identifier(block)));
      for (const OutputVar& v : unit_.program().output_vars)
        if (v.block == block) visit(v);
      if (optional) out.close();
    }
  }

  void by_block(Lines& out, const std::string& head, const std::string& list, const Text& text,
                const std::string& element) {
    out.open(head);
    out << Code(list + ".clear();");
    in_blocks(out, [&](const OutputVar& v) {
      for_each_leaf(v.name, v.constrained, {},
                    [&](const Leaf& leaf) { out << (Code(list + ".push_back(") << element << text(leaf) << ");"); });
    });
    out.close();
  }

  Code size(const ExprPtr& e) { return emitter_.text(*e); }

  Code dims_of(const Leaf& leaf) {
    Code out("{");
    out.open();
    for (std::size_t i = 0; i < leaf.dims.size(); ++i) {
      if (i > 0) (out << ",").br();
      out << "static_cast<std::size_t>(" << size(leaf.dims[i]) << ")";
    }
    if (is_complex(leaf.base)) out << (leaf.dims.empty() ? "" : ", ") << "static_cast<std::size_t>(2)";
    return out.close() << "}";
  }

  Code product(const Leaf& leaf) {
    Code out;
    const std::size_t factors = leaf.dims.size() + (is_complex(leaf.base) ? 1 : 0);
    if (factors == 0) return "1";
    if (factors > 1) out << "(";
    for (std::size_t i = 0; i < leaf.dims.size(); ++i) out << (i > 0 ? " * " : "") << size(leaf.dims[i]);
    if (is_complex(leaf.base)) out << (leaf.dims.empty() ? "" : " * ") << "2";
    if (factors > 1) out << ")";
    return out;
  }

  /// Loops over all dimensions, the last one outermost; the name gets the indexes in their order.
  Code open_loops(Lines& out, Code name, const std::vector<ExprPtr>& dims) {
    const std::size_t first = depth_;
    depth_ += dims.size();
    for (std::size_t i = dims.size(); i-- > 0;) {
      const std::string at = fmt::format("sym{}__", first + i + 1);
      out.open(Code("for (int " + at + " = 1; " + at + " <= ") << size(dims[i]) << "; ++" + at + ")");
    }
    for (std::size_t i = 0; i < dims.size(); ++i)
      name << fmt::format(" + '.' + std::to_string(sym{}__)", first + i + 1);
    return name;
  }

  void close_loops(Lines& out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out.close();
    depth_ -= count;
  }

  void name_numbers(Lines& out, const Code& name, const SizedType& type, std::vector<ExprPtr> dims) {
    dims.insert(dims.end(), type.array_dims.begin(), type.array_dims.end());
    dims.insert(dims.end(), type.sizes.begin(), type.sizes.end());
    const Code element = open_loops(out, name, dims);
    const auto push = [&](std::string_view suffix) {
      out << (Code("param_names__.push_back(") << element << suffix << ");");
    };
    if (type.base == BaseType::Tuple) {
      for (std::size_t i = 0; i < type.slots.size(); ++i)
        name_numbers(out, Code(element) << " + " << string_literal(":" + std::to_string(i + 1)), type.slots[i], {});
    } else if (is_complex(type.base)) {
      push(" + \".real\"");
      push(" + \".imag\"");
    } else {
      push("");
    }
    close_loops(out, dims.size());
  }

  // ---- types as JSON

  Code json(std::string_view text) { return "std::string(" + string_literal(text) + ")"; }
  Code number(const ExprPtr& size_of) { return Code("std::to_string(") << size(size_of) << ")"; }

  Code json_type(const SizedType& type, std::size_t dim = 0) {
    if (dim < type.array_dims.size())
      return json("{\"name\":\"array\",\"length\":")
             << " + " << number(type.array_dims[dim]) << " + " << json(",\"element_type\":") << " + "
             << json_type(type, dim + 1) << " + " << json("}");
    if (type.base == BaseType::Tuple) return json_tuple(type);
    const std::string complex = is_complex(type.base) ? "complex" : "";
    if (type.sizes.empty())
      return json("{\"name\":\"" +
                  std::string(type.base == BaseType::Int ? "int"
                              : complex.empty()          ? "real"
                                                         : "complex") +
                  "\"}");
    const std::string prefix = complex.empty() ? "" : "complex_";
    if (type.sizes.size() == 1)
      return json("{\"name\":\"" + prefix + "vector\",\"length\":")
             << " + " << number(type.sizes[0]) << " + " << json("}");
    return json("{\"name\":\"" + prefix + "matrix\",\"rows\":")
           << " + " << number(type.sizes[0]) << " + " << json(",\"cols\":") << " + " << number(type.sizes[1]) << " + "
           << json("}");
  }

  Code json_tuple(const SizedType& type) {
    Code out = json(fmt::format("{{\"name\":\"tuple\",\"num_elements\":\"{}\",\"element_types\":[", type.slots.size()));
    for (std::size_t i = 0; i < type.slots.size(); ++i)
      out << " + " << (i > 0 ? json(",") << " + " : Code()) << json_type(type.slots[i]);
    return out << " + " << json("]}");
  }

  Unit& unit_;
  StanMath emitter_;
  std::size_t depth_ = 0;
};

}  // namespace

void output_members(Lines& out, Unit& unit) {
  Outputs outputs(unit);
  outputs.param_names(out);
  out << "";
  outputs.dims(out);
  for (const bool unconstrained : {false, true}) {
    out << "";
    outputs.number_names(out, unconstrained);
  }
  for (const bool unconstrained : {false, true}) {
    out << "";
    outputs.sized_types(out, unconstrained);
  }
}

Code count_of(Unit& unit, BlockKind block, bool unconstrained) {
  return Outputs(unit).count(block, unconstrained);
}

}  // namespace fermiac::codegen::stan_math
