// A model as a handle: a program with its data, work space for its callers' threads, and what it knows about itself.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "autodiff/kernels/pieces.h"
#include "bindings/c/fermiac.h"
#include "bindings/c/names.h"
#include "bindings/c/program.h"
#include "bindings/shared/print_relay.h"
#include "bindings/shared/workspace_pool.h"
#include "interp/model/interp_model.h"

namespace fermiac::capi {

/// fermiac_variable with its texts and dimensions.
struct Variable {
  std::string name, type;
  mir::BlockKind block;
  std::vector<std::size_t> dims;
  std::size_t first, count, unconstrained_first, unconstrained_count;
};

std::vector<Variable> variables_of(const interp::InterpModel& model);
std::string info_json(const interp::InterpModel& model, const std::string& name, std::span<const Variable> variables);

/// Of a callback, which may be null.
PrintSink sink_of(fermiac_print_callback print, void* user_data);

/// What a model was made of: what it takes to make it again under a conditioning.
struct ModelSource {
  std::string name;
  std::shared_ptr<const fermiac::interp::CompiledModel> program;
  std::shared_ptr<const fermiac::interp::DataSource> data;
  std::string data_file;  // what stands for the data
  std::uint64_t seed = 0;
  std::size_t memory = 0;
  std::shared_ptr<const fermiac::ad::PieceThreads> threads;  // null: as the whole library
  fermiac::PrintSink print;
  fermiac::interp::Conditioning conditioning;
  std::string device;
};

struct ModelOptions {
  std::string file = "data";
  std::uint64_t seed = 0;
  std::unique_ptr<ad::PieceThreads> threads;  // null: as the whole library
  std::size_t memory = 0;                     // bytes; 0: any number
  std::string device = "none";
};
/// Throws InputError.
ModelOptions model_options(const char* json);

}  // namespace fermiac::capi

struct fermiac_model {
  /// Throws.
  explicit fermiac_model(fermiac::capi::ModelSource source);

  const fermiac::interp::InterpModel& model() const { return *model_; }
  const fermiac::capi::ModelSource& source() const { return source_; }
  const fermiac::capi::NameArray& names(unsigned blocks) const;
  const fermiac::capi::NameArray& unconstrained_names() const;
  const fermiac::ad::PieceThreads& threads() const;
  void require_running() const;  // throws where it was stopped

  std::string name;
  std::string data_file;  // what stands for the data
  std::vector<fermiac::capi::Variable> variables;
  std::string info;
  std::atomic<bool> stop{false};

 private:
  fermiac::capi::PrintRelay print_;
  fermiac::capi::ModelSource source_;
  std::unique_ptr<fermiac::interp::InterpModel> model_;

 public:
  std::unique_ptr<fermiac::capi::WorkspacePool> workspaces;

 private:
  std::array<fermiac::capi::LazyNames, 4> names_;
  fermiac::capi::LazyNames unconstrained_names_;
};
