// One pass of a prediction over the sites of a program.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "interp/functions/builtin_tools.h"
#include "interp/model/conditioned_model.h"
#include "interp/queries/generators.h"
#include "interp/queries/predict_plan.h"
#include "interp/value/numbers.h"
#include "support/base/errors.h"
#include "support/base/interrupted.h"

namespace fermiac::interp {

/// Draws what waits at each site that it visits, as far as what that site reads is there.
class Drawer final : public SiteHandler {
 public:
  explicit Drawer(DrawPlan& plan) : plan_(plan) {}

  void visit(const SiteNode& node, Frame& f) override {
    if (node.parts.site->kind != mir::SiteKind::Density) return;
    SiteCall call(node, f);
    const auto waits = [&](NumberName n) { return plan_.waits(n); };
    if (std::ranges::none_of(call.all_names(), waits)) return;
    try {
      call.evaluate();
    } catch (const ad::EvalError&) {
      return;  // of values that are not there yet: the next pass comes here again
    }
    if (whole_variable(call, f) || all_at_once(call, f)) return;
    const Reads reads(*this, call);
    for (std::size_t i = 0; i < call.size(); ++i) {
      if (std::ranges::none_of(call.names(i), waits) || !reads.ready(i)) continue;
      if (i > 0 && reads.left(i)) {  // what was drawn before is an argument
        SiteCall fresh(node, f);
        fresh.evaluate();
        one(fresh, i, reads.drawn(i), f);
      } else {
        one(call, i, reads.drawn(i), f);
      }
    }
  }

 private:
  /// Whether what is read is there. Locals were computed before this pass drew what they read.
  bool is_there(NumberName n, bool direct) const {
    if (!plan_.wants(n)) return true;
    const std::uint32_t in = plan_.drawn_in[static_cast<std::size_t>(n)];
    return in != 0 && (direct || in != plan_.pass);
  }
  bool all_ready(SiteCall& call) const {
    bool out = true;
    call.each_read([&](NumberName n, bool direct) { out = out && is_there(n, direct); });
    return out;
  }

  /// What the elements of a call read, where it is looked at once for all of them.
  class Reads {
   public:
    Reads(const Drawer& drawer, SiteCall& call) : drawer_(drawer), call_(call), left_(call.all_names().begin(), call.all_names().end()) {
      std::ranges::sort(left_);
      call.each_shared_read([&](NumberName n, bool) {
        shares_left_ = shares_left_ || is_left(n);
        shares_drawn_ = shares_drawn_ || drawer.plan_.wants(n);
      });
      shared_ready_ = shared_ready();
    }
    /// Whether element i can be drawn.
    bool ready(std::size_t i) const {
      bool out = shares_left_ ? shared_ready() : shared_ready_;
      call_.each_own_read(i, [&](NumberName n, bool direct) { out = out && drawer_.is_there(n, direct); });
      return out;
    }
    /// Whether it reads what other elements name.
    bool left(std::size_t i) const {
      bool out = shares_left_;
      call_.each_own_read(i, [&](NumberName n, bool) { out = out || is_left(n); });
      return out;
    }
    /// Whether it reads what is drawn.
    bool drawn(std::size_t i) const {
      bool out = shares_drawn_;
      call_.each_own_read(i, [&](NumberName n, bool) { out = out || drawer_.plan_.wants(n); });
      return out;
    }

   private:
    bool is_left(NumberName n) const { return std::ranges::binary_search(left_, n); }
    bool shared_ready() const {
      bool out = true;
      call_.each_shared_read([&](NumberName n, bool direct) { out = out && drawer_.is_there(n, direct); });
      return out;
    }
    const Drawer& drawer_;
    SiteCall& call_;
    Numbers left_;  // sorted
    bool shares_left_ = false, shares_drawn_ = false, shared_ready_ = false;
  };

  Value draw(SiteCall& call, std::size_t i, Frame& f) const {
    const bool truncated = !call.lower().is_none() || !call.upper().is_none();
    return truncated ? draw_truncated(plan_.model.compiled(), call, i, f) : draw_element(plan_.model.compiled(), call, i, f);
  }

  void put(NumberName n, double x, Frame& f) { plan_.set(n, x, &f); }

  /// Numbers of an element that may be one container.
  void put(std::span<const NumberName> names, const Value& x, Frame& f) {
    const CallContext context = f.context(false);
    const std::uint32_t n = x.shape().scalars();
    if (n != names.size()) throw ad::FatalError("a draw has another size than what it is for");
    for (std::uint32_t k = 0; k < n; ++k)
      if (plan_.waits(names[k])) put(names[k], element_value(context, x, k), f);
  }

  /// Within bounds that are constants, where the arguments are: there is nothing that the cut would weigh.
  void one(SiteCall& call, std::size_t i, bool reads_drawn, Frame& f) {
    const std::span<const NumberName> names = call.names(i);
    const bool local = names.size() == 1 && !reads_drawn;
    auto& v = plan_.variable(*std::ranges::find_if(names, [&](NumberName n) { return plan_.waits(n); }));
    const auto offset = static_cast<std::size_t>(names[0] - v.named->first);
    for (std::size_t k = 1;; ++k) {
      const Value x = draw(call, i, f);
      const bool fits = !local || !v.has_limits || (number(x) >= v.low(offset) && number(x) <= v.high(offset));
      if (fits) return put(names, x, f);
      if (k == kMostAttempts) refuse_constraint(names[0], plan_.bound_text(v.named->name, number(x) >= v.low(offset)));
      f.m.poll();
    }
  }

  [[noreturn]] void refuse_constraint(NumberName n, const std::string& constraint) const {
    throw ad::FatalError(no_draw_kept(fmt::format("{}: {}", plan_.c.numbers().text({&n, 1}), constraint)));
  }

  bool alike(const SiteCall& call) const {
    const auto& args = call.whole_arguments();
    return std::all_of(args.begin() + 1, args.end(), [](const Value& v) { return v.shape().is_scalar(); });
  }

  /// Ordered vectors, and those that sum to zero, under a distribution of their numbers.
  bool whole_variable(SiteCall& call, Frame& f) {
    const std::span<const NumberName> all = call.all_names();
    auto& v = plan_.variable(*std::ranges::find_if(all, [&](NumberName n) { return plan_.waits(n); }));
    const bool special = is_ordered(v.transform) || sums_to_zero(v.transform);
    if (!special || call.size() != all.size() || all.size() < 2) return false;
    if (!all_ready(call)) return true;
    std::vector<double> x(all.size());
    const auto draws = [&] {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = number(draw(call, i, f));
    };
    draws();
    if (sums_to_zero(v.transform)) project(x, v.named->shape);
    else if (alike(call)) std::ranges::sort(x);
    else if (!Reads(*this, call).drawn(0))
      for (std::size_t k = 1; !std::ranges::is_sorted(x); ++k, draws())
        if (k == kMostAttempts) refuse_constraint(all[0], structure_name(v.transform));
    for (std::size_t i = 0; i < x.size(); ++i) put(all[i], x[i], f);
    return true;
  }

  static void project(std::vector<double>& x, const Shape& shape) {
    const std::size_t rows = shape.inner == ad::Inner::Matrix ? shape.rows : x.size(), cols = x.size() / rows;
    std::vector<double> row(rows), col(cols);
    double all = 0;
    for (std::size_t c = 0; c < cols; ++c)
      for (std::size_t r = 0; r < rows; ++r) row[r] += x[c * rows + r], col[c] += x[c * rows + r], all += x[c * rows + r];
    const auto n = static_cast<double>(x.size());
    const auto nr = static_cast<double>(rows), nc = static_cast<double>(cols);
    for (std::size_t c = 0; c < cols; ++c)
      for (std::size_t r = 0; r < rows; ++r)
        x[c * rows + r] -= cols == 1 ? all / n : row[r] / nc + col[c] / nr - all / n;
  }

  bool all_at_once(SiteCall& call, Frame& f) {
    const std::span<const NumberName> all = call.all_names();
    if (call.size() < 2 || all.size() != call.size() || !call.lower().is_none() || !call.upper().is_none()) return false;
    if (plan_.variable(all[0]).has_limits) return false;
    if (!std::ranges::all_of(all, [&](NumberName n) { return plan_.waits(n); }) || !all_ready(call)) return false;
    Value x;
    if (!draw_all_elements(plan_.model.compiled(), call, f, &x)) return false;
    if (is_block(all, x)) plan_.set_block(all[0], {x.real_data().data(), all.size()}, f);
    else put(all, x, f);
    return true;
  }
  /// Reals that follow each other in a variable of reals.
  bool is_block(std::span<const NumberName> names, const Value& x) {
    if (x.kind() != Value::Kind::Reals || plan_.variable(names[0]).held.value.kind() != Value::Kind::Reals) return false;
    for (std::size_t k = 0; k < names.size(); ++k)
      if (names[k] != names[0] + static_cast<NumberName>(k)) return false;
    return &plan_.variable(names[0]) == &plan_.variable(names.back());
  }

  DrawPlan& plan_;
};

}  // namespace fermiac::interp
