// Calls of functions that a user's header in C++ defines: operands from the layout of values to the types of C++, the result
// back, and derivatives by the steps that stan_math.h writes down. Stands behind native.h and stan_math.h; emitted code has a
// class of each function, with its types over the kind of real:
//
//   struct x0__ {
//     template <class S__> using Result__ = S__;
//     template <class S__> using Operands__ = std::tuple<S__, std::vector<int>>;
//     static constexpr bool kDraws = false;
//     template <bool P__, class... A__> static auto call__(A__&&... a__) -> decltype(f(a__...)) { return f(a__...); }
//   };
#pragma once

#include <concepts>
#include <streambuf>
#include <tuple>

namespace fermiac::external {

using native::Ending;
using native::ExternalCall;
using native::ExternalFunction;
using native::ExternalNumbers;

/// What a result is made of.
struct Flat {
  explicit Flat(uint32_t rank) : dims(rank, kOpen) {}
  static constexpr uint32_t kOpen = 0xffffffff;
  void size(uint32_t depth, std::size_t n) {
    if (dims[depth] != kOpen && dims[depth] != n) throw std::invalid_argument("the elements of the array that it returns differ in size");
    dims[depth] = static_cast<uint32_t>(n);
  }
  std::vector<int32_t> ints;
  std::vector<double> reals;
  std::vector<uint32_t> steps;  // of reals that carry derivatives
  std::vector<uint32_t> dims;
};

/// How the numbers of a type lie: `take` reads one from where the numbers stand, `give` appends.
template <class T>
struct Form;
template <>
struct Form<int> {
  static constexpr uint32_t kRank = 0;
  static int take(ExternalNumbers& from, uint32_t) { return *from.ints++; }
  static void give(int x, Flat& to, uint32_t) { to.ints.push_back(x); }
};
template <>
struct Form<double> {
  static constexpr uint32_t kRank = 0;
  static double take(ExternalNumbers& from, uint32_t) { return *from.reals++; }
  static void give(double x, Flat& to, uint32_t) { to.reals.push_back(x); }
};
template <>
struct Form<stan::math::var> {
  static constexpr uint32_t kRank = 0;
  static stan::math::var take(ExternalNumbers& from, uint32_t) { return stan::math::var::operand(*from.reals++); }
  static void give(const stan::math::var& x, Flat& to, uint32_t) {
    to.reals.push_back(x.val());
    to.steps.push_back(x.step());
  }
};
template <class T>
struct Form<std::vector<T>> {
  static constexpr uint32_t kRank = 1 + Form<T>::kRank;
  static std::vector<T> take(ExternalNumbers& from, uint32_t depth) {
    std::vector<T> out;
    out.reserve(from.dims[depth]);
    for (uint32_t i = 0; i < from.dims[depth]; ++i) out.push_back(Form<T>::take(from, depth + 1));
    return out;
  }
  static void give(const std::vector<T>& x, Flat& to, uint32_t depth) {
    to.size(depth, x.size());
    for (const T& element : x) Form<T>::give(element, to, depth + 1);
  }
};
#if defined(FERMIAC_MATRICES) && __has_include(<Eigen/Dense>)
/// Column by column.
template <class S, int Rows, int Cols>
struct Form<Eigen::Matrix<S, Rows, Cols>> {
  using M = Eigen::Matrix<S, Rows, Cols>;
  static constexpr bool kVector = Rows == 1 || Cols == 1;
  static constexpr uint32_t kRank = kVector ? 1 : 2;
  static M take(ExternalNumbers& from, uint32_t depth) {
    M out(Rows == 1 ? 1 : from.dims[depth], Cols == 1 ? 1 : from.dims[kVector ? depth : depth + 1]);
    for (Eigen::Index i = 0; i < out.size(); ++i) out.data()[i] = Form<S>::take(from, depth + kRank);
    return out;
  }
  static void give(const M& x, Flat& to, uint32_t depth) {
    to.size(depth, static_cast<std::size_t>(kVector ? x.size() : x.rows()));
    if constexpr (!kVector) to.size(depth + 1, static_cast<std::size_t>(x.cols()));
    for (Eigen::Index i = 0; i < x.size(); ++i) Form<S>::give(x.data()[i], to, depth + kRank);
  }
};
#endif

// ---------------------------------------------------------------- which kinds of real a function takes

template <class F, class S, class Operands>
inline constexpr bool kTakesOperands = false;
template <class F, class S, class... A>
  requires(!F::kDraws)
inline constexpr bool kTakesOperands<F, S, std::tuple<A...>> = requires(const A&... a, std::ostream* text) {
  { F::template call__<false>(a..., text) } -> std::convertible_to<typename F::template Result__<S>>;
};
template <class F, class S, class... A>
  requires(F::kDraws)
inline constexpr bool kTakesOperands<F, S, std::tuple<A...>> = requires(const A&... a, Generator& rng, std::ostream* text) {
  { F::template call__<false>(a..., rng, text) } -> std::convertible_to<typename F::template Result__<S>>;
};
template <class F, class S>
inline constexpr bool kTakes = kTakesOperands<F, S, typename F::template Operands__<S>>;

// ---------------------------------------------------------------- a call

/// What a function prints goes to the host when its call ends.
class Printed final : public std::stringbuf {
 public:
  explicit Printed(const ExternalCall& call) : call_(call) {}
  ~Printed() override {
    const std::string text = str();
    if (!text.empty()) call_.print(call_.host, text.data(), text.size());
  }

 private:
  const ExternalCall& call_;
};

inline uint32_t step_count() { return steps_under_way ? static_cast<uint32_t>(steps().size()) : 0; }

/// `first`: of its steps.
template <class T>
T operand(ExternalNumbers from, uint32_t& first) {
  first = step_count();
  return Form<T>::take(from, 0);
}

/// `x`: the operands, in order.
template <class F, class... X>
auto called(const ExternalCall& call, std::ostream* text, const X&... x) {
  if constexpr (F::kDraws) {
    Generator rng(call.host, call.bits, call.draw);
    return F::template call__<false>(x..., rng, text);
  } else {
    return call.propto ? F::template call__<true>(x..., text) : F::template call__<false>(x..., text);
  }
}

template <class F, class S, std::size_t... I>
Flat evaluate(const ExternalCall& call, std::ostream* text, uint32_t* firsts, std::index_sequence<I...>) {
  using Operands = typename F::template Operands__<S>;
  using Result = typename F::template Result__<S>;
  const Operands x{operand<std::tuple_element_t<I, Operands>>(call.operands[I], firsts[I])...};
  firsts[sizeof...(I)] = step_count();
  Flat out(Form<Result>::kRank);
  const Result result = called<F>(call, text, std::get<I>(x)...);
  Form<Result>::give(result, out, 0);
  std::replace(out.dims.begin(), out.dims.end(), Flat::kOpen, 0u);
  return out;
}

template <class F>
inline constexpr std::size_t kOperands = std::tuple_size_v<typename F::template Operands__<double>>;

/// What is thrown becomes a message: what is wrong with the operands refuses the point.
template <class Use>
Ending guarded(const ExternalCall& call, const Use& use) {
  try {
    use();
    return Ending::Done;
  } catch (const std::logic_error& e) {
    call.message(call.host, e.what());
    return Ending::Refused;
  } catch (const std::exception& e) {
    call.message(call.host, e.what());
  } catch (...) {
    call.message(call.host, "something was thrown that is no std::exception");
  }
  return Ending::Failed;
}

template <class F>
Ending value(const ExternalCall& call) {
  return guarded(call, [&] {
    Printed printed(call);
    std::ostream text(&printed);
    uint32_t firsts[kOperands<F> + 1];
    const Flat out = evaluate<F, double>(call, &text, firsts, std::make_index_sequence<kOperands<F>>());
    call.result(call.host, {out.ints.data(), out.reals.data(), out.dims.data()});
  });
}

/// Adjoints of all steps, from those of the result.
inline std::vector<double> swept(const Flat& result, const double* adjoints) {
  std::vector<double> out(steps().size());
  for (std::size_t i = 0; i < result.steps.size(); ++i)
    if (result.steps[i] != kNoStep) out[result.steps[i]] += adjoints[i];
  for (std::size_t k = out.size(); k-- > 0;) {
    const Step& step = steps()[k];
    if (out[k] == 0) continue;
    if (step.a != kNoStep) out[step.a] += out[k] * step.da;
    if (step.b != kNoStep) out[step.b] += out[k] * step.db;
  }
  return out;
}

/// Steps of one evaluation, while this lives.
class Evaluation {
 public:
  Evaluation() { steps_under_way = &own_; }
  Evaluation(const Evaluation&) = delete;
  Evaluation& operator=(const Evaluation&) = delete;
  ~Evaluation() { steps_under_way = nullptr; }

 private:
  std::vector<Step> own_;
};

/// Nothing is printed once more.
template <class F>
Ending pull_back(const ExternalCall& call) {
  return guarded(call, [&] {
    const Evaluation evaluation;
    uint32_t firsts[kOperands<F> + 1];
    const Flat result = evaluate<F, stan::math::var>(call, nullptr, firsts, std::make_index_sequence<kOperands<F>>());
    const std::vector<double> all = swept(result, call.adjoints);
    for (std::size_t i = 0; i < kOperands<F>; ++i)
      for (uint32_t k = firsts[i]; call.gradients[i] && k < firsts[i + 1]; ++k) call.gradients[i][k - firsts[i]] += all[k];
  });
}

template <class F>
constexpr Ending (*pull_back_of())(const ExternalCall&) {
  if constexpr (!F::kDraws && kTakes<F, stan::math::var>) return pull_back<F>;
  else return nullptr;
}

}  // namespace fermiac::external
