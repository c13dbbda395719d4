// The commands beside `sample`: each checks its options, runs, writes one CSV file in CmdStan's layout into the output
// folder, prints what matters to io.out and what happens to io.err, and returns the error, which was printed, if there is one.
#pragma once

#include "inference/model/model.h"
#include "inference/model/options.h"
#include "inference/output/run_io.h"

namespace fermiac::inference {

/// The mode of the density: penalised maximum likelihood, or with `jacobian` the posterior mode on the unconstrained
/// scale. DIR/NAME_optimize.csv.
Status run_optimize(const Model& model, const OptimizeOptions& options, const RunIo& io = {});
/// Variational approximation along quasi-Newton paths (Zhang et al. 2022). DIR/NAME_pathfinder.csv, with
/// save_single_paths also NAME_path_1.csv, ….
Status run_pathfinder(const Model& model, const PathfinderOptions& options, const RunIo& io = {});
/// Draws from the normal approximation at a mode. DIR/NAME_laplace.csv.
Status run_laplace(const Model& model, const LaplaceOptions& options, const RunIo& io = {});
/// Automatic differentiation variational inference (Kucukelbir et al. 2017). DIR/NAME_variational.csv.
Status run_variational(const Model& model, const VariationalOptions& options, const RunIo& io = {});
/// Generated quantities for the draws of an earlier run: DIR/NAME_generate_1.csv, … one per input file.
Status run_generate(const Model& model, const GenerateOptions& options, const RunIo& io = {});
/// Compares gradients with finite differences at the initial point. DIR/NAME_diagnose.csv. An error if one is off.
Status run_diagnose(const Model& model, const DiagnoseOptions& options, const RunIo& io = {});
/// Density and gradient at given points. DIR/NAME_log_prob.csv.
Status run_log_prob(const Model& model, const LogProbOptions& options, const RunIo& io = {});

}  // namespace fermiac::inference
