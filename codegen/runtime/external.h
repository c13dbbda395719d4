// Calls of functions that a user's header in C++ defines: operands from the layout of values to the types of C++, the result
// back, and derivatives by the steps that stan_math.h writes down. Stands behind native.h and stan_math.h; emitted code has a
// class of each function, with its types over the kind of real:
//
//   struct x0__ {
//     template <class S__> using Result__ = S__;
//     template <class S__> using Operands__ = std::tuple<S__, std::vector<int>>;
//     template <class S__> using Others__ = std::tuple<>;  // arguments behind those: a generator, or target
//     template <bool P__, class... A__> static auto call__(A__&&... a__) -> decltype(f(a__...)) { return f(a__...); }
//   };
#pragma once

#include <complex>
#include <concepts>
#include <streambuf>
#include <tuple>

namespace fermiac::external {

using native::Ending;
using native::ExternalCall;
using native::ExternalFunction;
using native::ExternalNumbers;

/// What a result, or a slot of it, is made of.
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
/// (re, im).
template <class S>
struct Form<std::complex<S>> {
  static constexpr uint32_t kRank = 0;
  static std::complex<S> take(ExternalNumbers& from, uint32_t depth) {
    const S re = Form<S>::take(from, depth);
    return {re, Form<S>::take(from, depth)};
  }
  static void give(const std::complex<S>& x, Flat& to, uint32_t depth) {
    Form<S>::give(x.real(), to, depth);
    Form<S>::give(x.imag(), to, depth);
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

template <class T, class Result>
concept Gives = std::is_void_v<Result> || std::convertible_to<T, Result>;

template <class F, class S, class Operands, class Others>
inline constexpr bool kTakesOperands = false;
template <class F, class S, class... A, class... O>
inline constexpr bool kTakesOperands<F, S, std::tuple<A...>, std::tuple<O...>> = requires(const A&... a, O&... others, std::ostream* text) {
  { F::template call__<false>(a..., others..., text) } -> Gives<typename F::template Result__<S>>;
};
template <class F, class S>
inline constexpr bool kTakes = kTakesOperands<F, S, typename F::template Operands__<S>, typename F::template Others__<S>>;

template <class S>
using Target = std::tuple<S, stan::math::accumulator<S>>;
template <class F>
inline constexpr bool kDraws = std::is_same_v<typename F::template Others__<double>, std::tuple<Generator>>;
template <class F>
inline constexpr bool kAdds = std::is_same_v<typename F::template Others__<double>, Target<double>>;

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

/// The containers and numbers of a type, in order: itself, or those of a tuple's slots. `firsts`: of the steps of each.
template <class T>
struct Leaves {
  static constexpr std::size_t kCount = 1;
  static T take(const ExternalNumbers*& from, uint32_t*& firsts) {
    *firsts++ = step_count();
    ExternalNumbers numbers = *from++;
    return Form<T>::take(numbers, 0);
  }
  static void give(const T& x, std::vector<Flat>& to) {
    Flat& flat = to.emplace_back(Form<T>::kRank);
    Form<T>::give(x, flat, 0);
    std::replace(flat.dims.begin(), flat.dims.end(), Flat::kOpen, 0u);
  }
};
template <class... T>
struct Leaves<std::tuple<T...>> {
  static constexpr std::size_t kCount = (0 + ... + Leaves<T>::kCount);
  static std::tuple<T...> take([[maybe_unused]] const ExternalNumbers*& from, [[maybe_unused]] uint32_t*& firsts) {
    return std::tuple<T...>{Leaves<T>::take(from, firsts)...};
  }
  static void give(const std::tuple<T...>& x, std::vector<Flat>& to) {
    std::apply([&](const T&... slots) { (Leaves<T>::give(slots, to), ...); }, x);
  }
};

template <class F>
inline constexpr std::size_t kOperands = Leaves<typename F::template Operands__<double>>::kCount + (kAdds<F> ? 1 : 0);

/// What stands behind the operands; of target, what it is before the call.
template <class F, class S>
typename F::template Others__<S> others(const ExternalCall& call, [[maybe_unused]] const ExternalNumbers*& from, [[maybe_unused]] uint32_t*& firsts) {
  if constexpr (kDraws<F>) return {Generator(call.host, call.bits, call.draw)};
  else if constexpr (kAdds<F>) return {S(0), stan::math::accumulator<S>(Leaves<S>::take(from, firsts), [&call] { call.reads_target(call.host); })};
  else return std::tuple<>();
}

/// `x`: the operands, in order, and the others.
template <class F, class... X>
auto called(const ExternalCall& call, std::ostream* text, X&... x) {
  return call.flag ? F::template call__<true>(x..., text) : F::template call__<false>(x..., text);
}

template <class F, class S, class Operands, class Others>
std::vector<Flat> results(const ExternalCall& call, std::ostream* text, const Operands& operands, Others& others) {
  using Result = typename F::template Result__<S>;
  std::vector<Flat> out;
  std::apply([&](const auto&... x) {
    std::apply([&](auto&... more) {
      if constexpr (std::is_void_v<Result>) called<F>(call, text, x..., more...);
      else Leaves<Result>::give(called<F>(call, text, x..., more...), out);
    }, others);
  }, operands);
  return out;
}

/// The leaves of the result, and behind them what goes to target. `firsts`: of the steps of the operands, and behind them.
template <class F, class S>
std::vector<Flat> evaluate(const ExternalCall& call, std::ostream* text, uint32_t* firsts) {
  const ExternalNumbers* from = call.operands;
  const auto operands = Leaves<typename F::template Operands__<S>>::take(from, firsts);
  auto more = others<F, S>(call, from, firsts);
  *firsts = step_count();
  std::vector<Flat> out = results<F, S>(call, text, operands, more);
  if constexpr (kAdds<F>) Leaves<S>::give(std::get<0>(more) + std::get<1>(more).added(), out);
  return out;
}

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
    for (const Flat& leaf : evaluate<F, double>(call, &text, firsts)) call.result(call.host, {leaf.ints.data(), leaf.reals.data(), leaf.dims.data()});
  });
}

/// Adjoints of all steps, from those of the result.
inline std::vector<double> swept(const std::vector<Flat>& leaves, const double* adjoints) {
  std::vector<double> out(steps().size());
  for (const Flat& leaf : leaves)
    for (const uint32_t step : leaf.steps) {
      const double adjoint = *adjoints++;
      if (step != kNoStep) out[step] += adjoint;
    }
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
    const std::vector<double> all = swept(evaluate<F, stan::math::var>(call, nullptr, firsts), call.adjoints);
    for (std::size_t i = 0; i < kOperands<F>; ++i)
      for (uint32_t k = firsts[i]; call.gradients[i] && k < firsts[i + 1]; ++k) call.gradients[i][k - firsts[i]] += all[k];
  });
}

template <class F>
constexpr Ending (*pull_back_of())(const ExternalCall&) {
  if constexpr (!kDraws<F> && kTakes<F, stan::math::var>) return pull_back<F>;
  else return nullptr;
}

}  // namespace fermiac::external
