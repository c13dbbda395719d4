// Draws from a program's joint density, forwards: the prior, the prior predictive and the posterior predictive distribution.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "interp/model/conditioned_model.h"
#include "support/base/rng.h"

namespace fermiac::interp {

struct PredictOptions {
  bool prior = false;              // parameters are drawn too
  std::vector<std::string> what;   // names or elements to draw; empty: all that can be meant
  bool only_ask = false;           // why nothing can be drawn is kept, and no error
};

/// Why nothing can be drawn: a text, and the statement that it is about.
struct Reason {
  std::string text;
  Span span{};
};

struct DrawPlan;
struct DrawnElement;
struct DrawnVariable;

/// What is to be drawn, and in which model. Throws InputError where the program says nothing that could be drawn.
class Predictor {
 public:
  Predictor(const CompiledModel& plain, const DataSource& data, const Conditioning& conditioning, PredictOptions options,
            const std::atomic<bool>* stop = nullptr);
  /// Draws the same, on another thread: the model is shared, what a draw changes is not. Has drawn nothing yet.
  Predictor(const Predictor& other);
  ~Predictor();

  const ConditionedModel& model() const { return *model_; }
  /// Why the program cannot be drawn from; of a predictor that only asks.
  const std::vector<Reason>& reasons() const { return reasons_; }
  /// Columns of a row.
  std::vector<std::string> names() const;
  /// A draw from generator `rng`; parameters that are not drawn come from `theta`. Throws InputError where none of many keeps to the
  /// constraints, and ad::Interrupted.
  void draw(std::span<const double> theta, Rng& rng, std::span<double> row);
  /// The model under the data of the last draw: its parameters are free.
  std::unique_ptr<ConditionedModel> model_given_draw() const;
  /// Free values of the parameters of the last draw, in that model.
  EvalStatus drawn_point(const ConditionedModel& given, std::span<double> theta) const;
  /// Of the draws so far: how many of those that were begun kept to all constraints.
  double acceptance() const { return tried_ == 0 ? 1 : static_cast<double>(kept_) / static_cast<double>(tried_); }
  bool rejected_any() const { return tried_ > kept_; }
  /// Takes over what `other` has counted.
  void count(const Predictor& other) { tried_ += other.tried_, kept_ += other.kept_; }

 private:
  void prepare(const PredictOptions& options, const std::set<std::string>& lifted);
  void discover(const PredictOptions& options, const std::set<std::string>& lifted, std::vector<DrawnElement>& met);
  bool meet(std::vector<DrawnElement>& met) const;
  bool tries_draw(Rng& rng);
  bool is_varying(const std::set<std::string>& lifted) const;
  EvalStatus verify(std::span<const double> theta, Rng& rng) const;
  void refuse_new_elements(const std::vector<DrawnElement>& met) const;
  [[noreturn]] void refuse(const Reason& reason) const;
  void choose(const PredictOptions& options, const std::set<std::string>& lifted, const std::vector<DrawnElement>& met);
  void refuse(const PredictOptions& options, const std::vector<DrawnElement>& met);
  EvalStatus attempt(std::span<const double> theta, Rng& rng);
  void write_drawn(std::span<double> row) const;
  bool writes(const DrawnVariable& v) const;
  std::vector<std::uint32_t> written_columns(const DrawnVariable& v, const ExpectedType& type) const;
  std::string first_missing() const;

  std::shared_ptr<const ConditionedModel> model_;
  std::unique_ptr<DrawPlan> plan_;
  bool whole_rows_ = false;        // all outputs are written, not what is drawn alone
  std::size_t tried_ = 0, kept_ = 0;
  bool prior_ = false;
  std::vector<std::uint8_t> may_be_drawn_, with_site_;  // by number
  bool varies_ = false;            // which sites run, or what they name, depends on what is drawn
  std::vector<Reason> reasons_;
  std::string last_;               // why the last attempt that failed did
};

}  // namespace fermiac::interp
