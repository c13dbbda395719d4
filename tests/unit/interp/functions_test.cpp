// Built-in functions on values: which overload is chosen, broadcasting, recording, and what the messages say.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "autodiff/kernels/kernel.h"
#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/replay/tape.h"
#include "frontend/builtins/builtins.h"
#include "interp/functions/functions.h"
#include "interp/io/print.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

Value vec(std::vector<double> x, Shape shape) {
  RealBuffer buffer(x.size());
  std::copy(x.begin(), x.end(), buffer.data());
  return Value::reals(shape, std::move(buffer));
}
Value vec(std::vector<double> x) {
  const auto n = static_cast<std::uint32_t>(x.size());
  return vec(std::move(x), Shape::vector(n));
}
Value ints(std::vector<std::int32_t> x) {
  const Shape shape = Shape::array(static_cast<std::uint32_t>(x.size()), {});
  return Value::ints(shape, std::move(x));
}

Value apply(std::string_view name, std::vector<Value> args, CallContext context = {}) {
  const LibraryFunction* f = LibraryFunction::find(name);
  if (!f) throw ad::FatalError("no such function");
  return f->apply(context, args);
}
std::string text(std::string_view name, std::vector<Value> args) { return print_text({}, apply(name, std::move(args))); }

template <class Error>
std::string error(std::string_view name, std::vector<Value> args) {
  try {
    apply(name, std::move(args));
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Functions, UnknownNamesAreNull) {
  EXPECT_EQ(LibraryFunction::find("no_such_function"), nullptr);
  EXPECT_EQ(LibraryFunction::find("normal_lpdf")->name(), "normal_lpdf");
}

TEST(Functions, EveryNameOfTheTableIsImplemented) {
  // functions that call functions are evaluated elsewhere
  const std::set<std::string> elsewhere = {"algebra_solver",      "algebra_solver_newton", "integrate_1d",
                                           "integrate_ode",       "integrate_ode_adams",   "integrate_ode_bdf",
                                           "integrate_ode_rk45",  "map_rect"};
  for (const std::string& name : builtin_names())
    EXPECT_EQ(LibraryFunction::find(name) != nullptr, !elsewhere.contains(name)) << name;
}

TEST(Functions, IntArithmeticStaysInt) {
  EXPECT_TRUE(apply("add", {2, 3}).is_int());
  EXPECT_EQ(apply("multiply", {7, -3}).as_int(), -21);
  EXPECT_EQ(apply("divide", {-7, 2}).as_int(), -3);
  EXPECT_EQ(apply("modulus", {-7, 2}).as_int(), -1);
  EXPECT_EQ(apply("add", {INT32_MAX, 1}).as_int(), INT32_MIN);
  EXPECT_EQ(apply("divide", {INT32_MIN, -1}).as_int(), INT32_MIN);
  EXPECT_EQ(apply("pow", {2, 10}).as_real(), 1024.0);
  EXPECT_EQ(error<ad::DomainError>("divide", {1, 0}), "divide: the divisor is 0");
  EXPECT_EQ(error<ad::DomainError>("modulus", {1, 0}), "modulus: the divisor is 0");
}

TEST(Functions, OperatorsChooseByShape) {
  const Value a = vec({1, 2, 3, 4}, Shape::matrix(2, 2)), v = vec({5, 6}), r = vec({5, 6}, Shape::row_vector(2));
  EXPECT_EQ(text("multiply", {a, v}), "[23,34]");
  EXPECT_EQ(text("multiply", {r, v}), "61");
  EXPECT_EQ(text("multiply", {v, r}), "[[25,30],[30,36]]");
  EXPECT_EQ(text("multiply", {2.0, a}), "[[2,6],[4,8]]");
  EXPECT_EQ(text("elt_multiply", {a, a}), "[[1,9],[4,16]]");
  EXPECT_EQ(text("divide", {1.0, v}), "[0.2,0.166667]");
  EXPECT_EQ(text("divide", {apply("multiply", {r, a}), a}), "[5,6]");
  EXPECT_EQ(text("mdivide_left", {a, apply("multiply", {a, v})}), "[5,6]");
  EXPECT_EQ(text("transpose", {a}), "[[1,2],[3,4]]");
  EXPECT_EQ(text("minus", {ints({1, -2})}), "[-1,2]");
}

TEST(Functions, MapsBroadcastAndKeepTheContainersShape) {
  EXPECT_EQ(text("square", {ints({1, 2, 3})}), "[1,4,9]");
  EXPECT_EQ(apply("exp", {vec({0, 0, 0, 0}, Shape::array(2, Shape::vector(2)))}).shape(), Shape::array(2, Shape::vector(2)));
  EXPECT_EQ(text("fmax", {vec({1, 5}), 2.0}), "[2,5]");
  // a nested array runs through rows first, a matrix is stored by columns
  const Value rows = Value::ints(Shape::array(2, Shape::array(2, {})), {1, 2, 3, 4});
  EXPECT_EQ(text("ldexp", {vec({1, 1, 1, 1}, Shape::matrix(2, 2)), rows}), "[[2,4],[8,16]]");
  EXPECT_EQ(error<ad::SizeError>("fmax", {vec({1, 2}), vec({1, 2, 3})}),
            "fmax: arguments 1 and 2 must have the same size, but they are vector[2] and vector[3]");
}

TEST(Functions, ErrorsNameTheFunctionThatWasCalled) {
  const std::string sizes = ": arguments 1 and 2 must have the same size, but they are vector[2] and vector[3]";
  const Value two = vec({1, 2}), three = vec({1, 2, 3}), wide = vec({1, 2, 3, 4, 5, 6}, Shape::matrix(2, 3));
  const Value nan = vec({NAN, 1, 2, 3}, Shape::matrix(2, 2)), lopsided = vec({1, 3, 2, 4}, Shape::matrix(2, 2));
  EXPECT_EQ(error<ad::SizeError>("elt_multiply", {two, three}), "elt_multiply" + sizes);
  EXPECT_EQ(error<ad::SizeError>("elt_divide", {two, three}), "elt_divide" + sizes);
  EXPECT_EQ(error<ad::SizeError>("add", {two, three}), "add" + sizes);
  const std::string square = ": expecting a square matrix; rows of m (2) and columns of m (3) must match in size";
  for (const std::string name : {"eigendecompose", "eigendecompose_sym", "complex_schur_decompose", "eigenvalues", "eigenvectors_sym"})
    EXPECT_EQ(error<ad::SizeError>(name, {wide}), name + square);
  EXPECT_EQ(error<ad::DomainError>("eigendecompose", {nan}), "eigendecompose: m[1] is nan, but must be finite!");
  EXPECT_EQ(error<ad::DomainError>("svd", {nan}), "svd: m[1,1] is nan, but must be finite!");
  EXPECT_EQ(error<ad::DomainError>("eigendecompose_sym", {lopsided}),
            "eigendecompose_sym: m is not symmetric. m[1,2] = 2, but m[2,1] = 3");
  EXPECT_EQ(error<ad::DomainError>("log1p", {-2.0}), "log1p: x is -2, but must be greater than or equal to -1!");
}

TEST(Functions, DensitiesSumOverContainers) {
  const double one = apply("normal_lpdf", {1.0, 0.0, 2.0}).as_real();
  EXPECT_NEAR(apply("normal_lpdf", {vec({1, 1, 1}), 0.0, ints({2, 2, 2})}).as_real(), 3 * one, 1e-14);
  EXPECT_EQ(apply("normal_lpdf", {vec({}), 0.0, 1.0}).as_real(), 0.0);
  EXPECT_EQ(apply("normal_cdf", {vec({}), 0.0, 1.0}).as_real(), 1.0);
  EXPECT_NEAR(apply("normal_cdf", {vec({0, 0}), 0.0, 1.0}).as_real(), 0.25, 1e-15);
  EXPECT_EQ(error<ad::SizeError>("normal_lpdf", {vec({1, 2, 3}), vec({1, 2}), 1.0}),
            "normal_lpdf: arguments 1 and 2 must have the same size, but they are vector[3] and vector[2]");
  EXPECT_NE(error<ad::DomainError>("normal_lpdf", {1.0, 0.0, -1.0}).find("Scale parameter is -1"), std::string::npos);
}

TEST(Functions, ProptoOfDataIsZeroButChecked) {
  EXPECT_EQ(apply("normal_lpdf", {1.0, 0.0, 2.0}, {.propto = true}).as_real(), 0.0);
  EXPECT_EQ(apply("normal_lpdf", {vec({1, 2}), 0.0, 2.0}, {.propto = true}).as_real(), 0.0);
  EXPECT_THROW(apply("normal_lpdf", {vec({1, 2}), 0.0, -2.0}, {.propto = true}), ad::DomainError);
}

/// What drops summands under propto says so itself; that it is called a density is for people.
TEST(Functions, DensitiesAreMarkedAsSuch) {
  std::size_t densities = 0;
  for (const ad::Kernel* kernel : ad::all_kernels()) {
    const bool called_density = kernel->name.ends_with("_lpdf") || kernel->name.ends_with("_lpmf");
    EXPECT_EQ(kernel->density, called_density) << kernel->name;
    densities += kernel->density;
  }
  EXPECT_GT(densities, 30u);
}

// ---- recording

struct Recording {
  std::vector<double> theta;
  ad::Recorder recorder{theta};
  CallContext context{.recorder = &recorder};

  Value parameter(std::size_t i) const { return Value::reference(Ref::slot(i)); }
  Value parameters(std::uint32_t n) const {
    std::vector<Ref> refs(n);
    std::iota(refs.begin(), refs.end(), Ref());
    return Value::refs(Shape::vector(n), std::move(refs));
  }
  std::vector<double> gradient(const Value& result) {
    add_to_target(recorder, result);
    return replay();
  }
  std::vector<double> replay() {
    ad::Workspace workspace(std::make_shared<const ad::Tape>(std::move(recorder).finish()));
    workspace.poison();
    std::vector<double> out(theta.size());
    double lp = 0;
    EXPECT_EQ(workspace.gradient(theta, &lp, out).kind, ad::ReplayStatus::Kind::Ok);
    return out;
  }
  Value call(std::string_view name, std::vector<Value> args) { return LibraryFunction::find(name)->apply(context, args); }
};

TEST(Recording, GradientsFlowThroughRearranging) {
  Recording r{{1, 2, 3}};
  const Value turned = r.call("reverse", {r.parameters(3)});
  const Value longer = r.call("append_row", {turned, vec({10, 20})});
  EXPECT_EQ(r.gradient(r.call("dot_product", {longer, vec({1, 2, 3, 4, 5})})), (std::vector<double>{3, 2, 1}));
}

TEST(Recording, ElementsOfConstantsMixWithParameters) {
  Recording r{{2}};
  const Value m = r.call("diag_matrix", {r.call("rep_vector", {r.parameter(0), 2})});
  EXPECT_EQ(r.gradient(r.call("sum", {r.call("multiply", {m, m})})), (std::vector<double>{8}));
}

TEST(Recording, SinksEqualApplyingAndAdding) {
  for (const bool sink : {false, true}) {
    Recording r{{0.5, 1.5}};
    std::vector<Value> args = {vec({1, 2, 3}), r.parameter(0), r.parameter(1)};
    const LibraryFunction* f = LibraryFunction::find("normal_lpdf");
    if (sink) f->apply_to_target(r.context, args);
    else add_to_target(r.recorder, f->apply(r.context, args));
    EXPECT_NEAR(r.recorder.target_value(), apply("normal_lpdf", {vec({1, 2, 3}), 0.5, 1.5}).as_real(), 1e-13);
    const std::vector<double> g = r.replay();
    EXPECT_NEAR(g[0], (0.5 + 1.5 + 2.5) / 2.25, 1e-13);
  }
}

TEST(Recording, DataOnlyCallsLeaveNothingOnTheTape) {
  Recording r{{1}};
  r.call("normal_lpdf", {vec({1, 2}), 0.0, 1.0});
  r.call("multiply", {vec({1, 2}), 3.0});
  EXPECT_EQ(r.recorder.op_count(), 0u);
}

TEST(Recording, ComparisonsAreGuarded) {
  Recording r{{1, 2}};
  EXPECT_EQ(r.call("logical_lt", {r.parameter(0), r.parameter(1)}).as_int(), 1);
  EXPECT_EQ(r.call("logical_gte", {r.parameter(0), 5}).as_int(), 0);
  EXPECT_EQ(r.call("is_nan", {r.parameter(0)}).as_int(), 0);
  r.recorder.target(Ref());
  ad::Workspace workspace(std::make_shared<const ad::Tape>(std::move(r.recorder).finish()));
  double lp = 0;
  EXPECT_EQ(workspace.value(std::vector<double>{1, 3}, &lp).kind, ad::ReplayStatus::Kind::Ok);
  EXPECT_EQ(workspace.value(std::vector<double>{4, 3}, &lp).kind, ad::ReplayStatus::Kind::GuardFailed);
}

TEST(Recording, SortingIsGuarded) {
  Recording r{{3, 1, 2}};
  const Value sorted = r.call("sort_asc", {r.parameters(3)});
  add_to_target(r.recorder, r.call("dot_product", {sorted, vec({1, 10, 100})}));
  ad::Workspace workspace(std::make_shared<const ad::Tape>(std::move(r.recorder).finish()));
  double lp = 0;
  std::vector<double> g(3);
  ASSERT_EQ(workspace.gradient(std::vector<double>{3, 1, 2}, &lp, g).kind, ad::ReplayStatus::Kind::Ok);
  EXPECT_EQ(g, (std::vector<double>{100, 1, 10}));
  EXPECT_EQ(workspace.value(std::vector<double>{1, 2, 3}, &lp).kind, ad::ReplayStatus::Kind::GuardFailed);
}

TEST(Recording, ComplexProductsCarryBothParts) {
  Recording r{{1, 2}};
  Shape complex;
  complex.complex = true;
  const Value z = Value::refs(complex, {Ref::slot(0), Ref::slot(1)});
  const Value product = r.call("multiply", {z, Value::complex(3, 4)});  // (3a - 4b) + (4a + 3b) i
  EXPECT_EQ(r.gradient(r.call("get_imag", {product})), (std::vector<double>{4, 3}));
}

TEST(Recording, JacobianFunctionsAddToTarget) {
  Recording r{{0.3}};
  const Value x = r.call("lower_bound_jacobian", {r.parameter(0), 1.0});
  EXPECT_NEAR(r.recorder.value(x.as_ref()), 1 + std::exp(0.3), 1e-15);
  EXPECT_NEAR(r.recorder.target_value(), 0.3, 1e-15);
  double target = 0;
  CallContext plain{.target = &target};
  const Value args[] = {0.3, 1.0};
  LibraryFunction::find("lower_bound_jacobian")->apply(plain, args);
  EXPECT_NEAR(target, 0.3, 1e-15);
  plain.jacobian = false;
  LibraryFunction::find("lower_bound_jacobian")->apply(plain, args);
  EXPECT_NEAR(target, 0.3, 1e-15);
}

// ---- draws

TEST(Random, DrawsBroadcastAndRepeat) {
  const auto draw = [](std::vector<Value> args) {
    Rng rng(7);
    return apply("normal_rng", std::move(args), {.rng = &rng});
  };
  EXPECT_EQ(draw({0.0, 1.0}).as_real(), draw({0.0, 1.0}).as_real());
  EXPECT_EQ(draw({vec({0, 10, 20}), 1.0}).shape(), Shape::array(3, {}));
  EXPECT_THROW(draw({vec({0, 1}), vec({1, 1, 1})}), ad::SizeError);
  EXPECT_THROW(apply("normal_rng", {0.0, 1.0}), ad::FatalError);
}

TEST(Random, CountsAreInts) {
  Rng rng(7);
  EXPECT_EQ(apply("poisson_rng", {vec({1, 2, 3})}, {.rng = &rng}).kind(), Value::Kind::Ints);
  EXPECT_TRUE(apply("categorical_rng", {vec({0, 1, 0})}, {.rng = &rng}).is_int());
}

}  // namespace
}  // namespace fermiac::interp
