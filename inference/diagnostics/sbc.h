// Calibration by simulation (Talts et al. 2018; Modrák et al. 2023): ranks of the truth among the draws of a sampler.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inference/math/vectors.h"
#include "inference/model/model.h"
#include "inference/model/options.h"
#include "support/base/status.h"

namespace fermiac::inference {

/// A model that can be simulated.
class Simulator {
 public:
  virtual ~Simulator() = default;
  /// Draws parameters and data with generator `i` of the seed. The model under these data, and the truth in it.
  virtual Status simulate(std::uint64_t seed, std::size_t i, std::unique_ptr<Model>* model, Vec* truth) = 0;
  /// The summed log likelihood of the last simulation at `theta`.
  virtual EvalStatus log_lik(const Model& model, ConstSpan theta, double* out) const = 0;
};

struct SbcOptions {
  std::size_t simulations = 200, draws = 99;
  std::size_t bins = 20;
  double band = 0.95;
  unsigned thin = 0;               // every so many draws count; 0: ten times as many draws as ranks, more where they are too dependent
  std::string file;                // what simulations leave, as they end (sbc_file.h); empty: nothing
  bool resume = false;             // goes on behind what the file has
  SampleOptions sampling;
  std::function<Status(const Model& model, SampleOptions* sampling)> prepare = {};  // for the model of a simulation; may be none
};

/// What a simulation says of a quantity.
struct SbcRow {
  std::string quantity;            // as headers of CSV files have it
  double truth = 0;
  std::size_t rank = 0;            // 0 … draws
  double ess = 0;                  // of all draws of its chain; NaN of the log likelihood
  std::size_t divergences = 0;     // of its chain
};

struct SbcQuantity {
  std::string name;
  std::vector<std::size_t> ranks;  // 0 … draws
  double p_chi2 = 1;
  bool inside = true;              // the ECDF stays within the simultaneous band
};

struct SbcResult {
  std::vector<SbcQuantity> quantities;
  std::size_t not_mixed = 0;       // simulations whose effective sample size stayed too small
  std::size_t simulations = 0;     // that ended

  void add(const std::vector<SbcRow>& simulation, std::size_t draws);
};

/// Whether a simulation whose quantities have these effective sample sizes counts, of which so many draws are ranked.
bool mixed(const Vec& ess, std::size_t draws);
/// Whether the ranks of each quantity look uniform.
void judge(SbcResult& result, const SbcOptions& options);

/// For ranks that should be uniform on 0 … largest: the probability that an ECDF comes somewhere to a point that is as unlikely
/// there as the most unlikely point of this one; exact (Säilynoja, Bürkner, Vehtari 2022 simulate it). It is inside the
/// simultaneous band of probability B just if that is above 1 - B.
double ecdf_probability(const std::vector<std::size_t>& ranks, std::size_t largest);
/// Of `n` ranks that should be uniform on 0 … largest, how many may be below each of 1 … largest where they stay within the simultaneous
/// band of probability B.
struct EcdfBand {
  std::vector<std::size_t> least, most;
};
EcdfBand ecdf_band(std::size_t n, std::size_t largest, double probability);
/// Upper tail of the chi-square distribution.
double chi_square_tail(double x, double degrees);

std::string sbc_json(const SbcResult& result);
std::string sbc_text(const SbcResult& result, const SbcOptions& options);

}  // namespace fermiac::inference
