// The class that represents a model.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "codegen/names.h"
#include "codegen/stan_math/emit.h"
#include "codegen/stan_math/program_parts.h"
#include "codegen/stan_math/stan_math.h"
#include "codegen/stan_math/types.h"
#include "mir/ir/build.h"

namespace fermiac::codegen::stan_math {
namespace {

using mir::BlockKind;
using mir::Decl;
using mir::StmtPtr;

/// `N_1dim__`: a size that the program computes once.
bool is_size(const std::string& name) {
  if (!name.ends_with("dim__")) return false;
  std::size_t digits = name.size() - 5;
  const std::size_t end = digits;
  while (digits > 0 && std::isdigit(static_cast<unsigned char>(name[digits - 1]))) --digits;
  return digits < end && digits > 0 && name[digits - 1] == '_';
}

/// Data, transformed data and computed sizes; other names that were made are locals of the constructor.
bool is_member(const Decl& d) {
  return !d.id.ends_with("__") || is_size(d.id);
}

class ModelClass {
 public:
  ModelClass(Unit& unit, const EmitOptions& options) : unit_(unit), options_(options), name_(unit.program().name) {
    for (const StmtPtr& s : unit.program().prepare_data)
      if (const auto* d = std::get_if<Decl>(&s->node); d && is_member(*d))
        members_.insert(d->id), declarations_.push_back(d);
  }

  Lines emit() {
    Lines methods;
    log_prob(methods, unit_.program().log_prob, "not_st_var");
    log_prob(methods, unit_.program().reverse_mode_log_prob, "st_var");
    write_array(methods);
    unconstrain_array(methods);
    transform_inits(methods);
    output_members(methods, unit_);
    Lines made;
    constructor(made);  // after the methods, which say what is needed on a device
    Lines out;
    out.open(Code("class " + name_ + " final : public model_base_crtp<" + name_ + ">"));
    out.indent(-1) << " private:";
    out.indent(1);
    members(out);
    out << "";
    out.indent(-1) << " public:";
    out.indent(1);
    about(out);
    out.append(made).append(methods) << "";
    out.text(fixed_members(count(BlockKind::Parameters), count(BlockKind::TransformedParameters),
                           count(BlockKind::GeneratedQuantities)));
    out.close("};");
    return out;
  }

 private:
  std::string count(BlockKind block) { return count_of(unit_, block, false).flat(); }

  StanMath emitter(Part part) {
    StanMath out(unit_, part);
    out.set_members(&members_);
    if (options_.opencl && (part == Part::LogProb || part == Part::WriteArray)) out.set_device(&on_device_, &members_);
    return out;
  }

  // ---- members

  static Type type_of(const Decl& d) {
    const auto* sized = std::get_if<mir::SizedType>(&d.type);
    return sized ? sized->type() : std::get<Type>(d.type);
  }

  void members(Lines& out) {
    for (const Decl* d : declarations_) {
      const Type type = type_of(*d);
      const std::string id = variable_id(d->id), text = type_text(type, {});
      if (is_eigen(type)) {
        const bool matrix = type.is(BaseType::Matrix) || type.is(BaseType::ComplexMatrix);
        out << Code(text + " " + id + "_data__;")
            << Code("Eigen::Map<" + text + "> " + id + (matrix ? "{nullptr, 0, 0};" : "{nullptr, 0};"));
      } else {
        out << Code(text + " " + id + (is_int(type) ? " = std::numeric_limits<int>::min();" : ";"));
      }
      if (on_device_.contains(d->id)) {
        const bool ints = type == Type(BaseType::Int, 1);
        out << Code(std::string("stan::math::matrix_cl<") + (ints ? "int" : "double") + "> " + device_name(d->id) +
                    ";");
      }
    }
  }

  void about(Lines& out) {
    out.open("std::string model_name() const final");
    out << Code("return " + string_literal(name_) + ";");
    out.close() << "";
    out.open("std::vector<std::string> model_compile_info() const noexcept");
    out << Code("return {" + string_literal("stanc_version = " + options_.version) + ", " +
                string_literal("stancflags = " + options_.flags) + "};");
    out.close() << "";
  }

  // ---- bodies

  void frame(Lines& out, std::string_view scalar, std::string_view where) {
    out << Code(fmt::format("using local_scalar_t__ = {};", scalar)) << "int current_statement__ = 0;"
        << Code(fmt::format("[[maybe_unused]] local_scalar_t__ DUMMY_VAR__({});", kNan))
        << Code(fmt::format("[[maybe_unused]] static constexpr const char* function__ = {};",
                            string_literal(unit_.name_space() + "::" + std::string(where))))
        << "(void)pstream__;";
  }

  template <class Body>
  void guarded(Lines& out, Body body) {
    out.open("try");
    body();
    out.close("} catch (const std::exception& e) {").indent(1);
    out << "stan::lang::rethrow_located(e, locations_array__[current_statement__]);";
    out.close();
  }

  void constructor(Lines& out) {
    out.open(
        Code(name_ +
             "(stan::io::var_context& context__, unsigned int random_seed__ = 0, std::ostream* pstream__ = nullptr)")
        << " : model_base_crtp(0)");
    frame(out, "double", name_);
    out << "[[maybe_unused]] auto base_rng__ = stan::services::util::create_rng(random_seed__, 0);"
        << "(void)context__;";
    guarded(out, [&] { prepare_data(out); });
    out << (Code("num_params_r__ = ") << count_of(unit_, BlockKind::Parameters, true) << ";");
    out.close() << "";
  }

  const mir::InputVar* input(const StmtPtr& s) const {
    const auto* d = std::get_if<Decl>(&s->node);
    if (!d) return nullptr;
    const auto& all = unit_.program().input_vars;
    const auto found = std::ranges::find(all, d->id, &mir::InputVar::name);
    return found == all.end() ? nullptr : &*found;
  }

  void prepare_data(Lines& out) {
    StanMath emitter = this->emitter(Part::Constructor);
    for (const StmtPtr& s : unit_.program().prepare_data) {
      if (const mir::InputVar* v = input(s)) {
        emitter.locate(out, v->span);
        emitter.validate_dims(out, v->name, v->type);
      }
      emitter.stmt(out, *s);
    }
    for (const std::string& name : on_device_)
      out << Code(device_name(name) + " = stan::math::to_matrix_cl(" + variable_id(name) + ");");
  }

  void log_prob(Lines& out, const std::vector<StmtPtr>& body, std::string_view scalars) {
    out << Code(
        "template <bool propto__, bool jacobian__, typename VecR__, typename VecI__, "
        "stan::require_vector_like_t<VecR__>* = "
        "nullptr, "
        "stan::require_vector_like_vt<std::is_integral, VecI__>* = nullptr, stan::require_" +
        std::string(scalars) + "<VecR__>* = nullptr>");
    out.open(
        "inline stan::scalar_type_t<VecR__> log_prob_impl(VecR__& params_r__, VecI__& params_i__, std::ostream* "
        "pstream__ = "
        "nullptr) const");
    out << "using T__ = stan::scalar_type_t<VecR__>;";
    frame(out, "T__", "log_prob");
    out << "T__ lp__(0.0);"
        << "stan::math::accumulator<T__> lp_accum__;"
        << "stan::io::deserializer<local_scalar_t__> in__(params_r__, params_i__);";
    guarded(out, [&] { emitter(Part::LogProb).body(out, body); });
    for (const std::string& name : on_device_) out << Code(device_name(name) + ".wait_for_read_write_events();");
    out << "lp_accum__.add(lp__);"
        << "return lp_accum__.sum();";
    out.close() << "";
  }

  void write_array(Lines& out) {
    out << "template <typename RNG__, typename VecR__, typename VecI__, typename VecVar__, "
           "stan::require_vector_like_vt<std::is_floating_point, VecR__>* = nullptr, "
           "stan::require_vector_like_vt<std::is_integral, VecI__>* = nullptr, "
           "stan::require_vector_vt<std::is_floating_point, VecVar__>* = nullptr>";
    out.open(
        "inline void write_array_impl(RNG__& base_rng__, VecR__& params_r__, VecI__& params_i__, VecVar__& vars__, "
        "const bool emit_transformed_parameters__ = true, const bool emit_generated_quantities__ = true, "
        "std::ostream* pstream__ = nullptr) const");
    frame(out, "double", "write_array");
    out << "stan::io::deserializer<local_scalar_t__> in__(params_r__, params_i__);"
        << "stan::io::serializer<local_scalar_t__> out__(vars__);"
        << "[[maybe_unused]] static constexpr bool propto__ = true;"
        << "[[maybe_unused]] constexpr bool jacobian__ = false;"
        << "[[maybe_unused]] double lp__ = 0.0;"
        << "stan::math::accumulator<double> lp_accum__;"
        << "(void)base_rng__;"
        << "(void)emit_transformed_parameters__;"
        << "(void)emit_generated_quantities__;";
    guarded(out, [&] { emitter(Part::WriteArray).body(out, unit_.program().generate_quantities); });
    out.close() << "";
  }

  void unconstrain_array(Lines& out) {
    out << "template <typename VecVar__, typename VecI__, stan::require_vector_t<VecVar__>* = nullptr, "
           "stan::require_vector_like_vt<std::is_integral, VecI__>* = nullptr>";
    out.open(
        "inline void unconstrain_array_impl(const VecVar__& params_r__, const VecI__& params_i__, VecVar__& vars__, "
        "std::ostream* pstream__ = nullptr) const");
    frame(out, "double", "unconstrain_array");
    out << "stan::io::deserializer<local_scalar_t__> in__(params_r__, params_i__);"
        << "stan::io::serializer<local_scalar_t__> out__(vars__);";
    guarded(out, [&] { emitter(Part::UnconstrainArray).body(out, unit_.program().unconstrain_array); });
    out.close() << "";
  }

  void transform_inits(Lines& out) {
    out << "template <typename VecVar__, stan::require_vector_t<VecVar__>* = nullptr>";
    out.open(
        "inline void transform_inits_impl(const stan::io::var_context& context__, VecVar__& vars__, std::ostream* "
        "pstream__ = nullptr) const");
    frame(out, "double", "transform_inits");
    out << "stan::io::serializer<local_scalar_t__> out__(vars__);"
        << "(void)context__;";
    guarded(out, [&] {
      StanMath emitter = this->emitter(Part::TransformInits);
      for (const mir::OutputVar& v : unit_.program().output_vars) {
        if (v.block != BlockKind::Parameters) continue;
        emitter.locate(out, v.span);
        emitter.validate_dims(out, v.name, v.constrained);
      }
      emitter.set_members(nullptr);
      emitter.body(out, unit_.program().transform_inits);
    });
    out.close() << "";
  }

  Unit& unit_;
  const EmitOptions& options_;
  std::string name_;
  std::set<std::string> members_, on_device_;
  std::vector<const Decl*> declarations_;
};

}  // namespace

Lines model_class(Unit& unit, const EmitOptions& options) {
  return ModelClass(unit, options).emit();
}

}  // namespace fermiac::codegen::stan_math
