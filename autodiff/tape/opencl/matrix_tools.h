// What the matrix functions of a device are put together from: operands that lie there or are brought, results that are read or stay,
// factors, solving.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "autodiff/tape/opencl/matrix_functions.h"

namespace fermiac::ad::device {

inline std::size_t blocks_below(std::uint32_t blocks) { return std::size_t{blocks} * (blocks + 1) / 2; }
inline std::size_t groups_of(std::uint32_t items) { return (items + 255) / 256; }

/// Of a place in the tape.
inline const TapeCallOperand& operand_of(const TapeView& t, const TapeCall& c, std::uint32_t j) { return t.call_operands[c.first + j]; }
/// A square matrix with elements, whose padded size can be counted.
bool is_square_matrix(const Shape& s);

/// The matrix that another call has made, or the host's, brought at each evaluation if it changes.
class MatrixOperand {
 public:
  MatrixOperand(MatrixDesk& desk, const KernelArg& x, MatrixCall* source);
  const DeviceMatrix& matrix() const { return source_ ? *source_->result() : own_; }
  DeviceBuffer* v() const { return matrix().v.get(); }
  DeviceBuffer* a() const { return matrix().a.get(); }
  /// Null: the host's.
  MatrixCall* source() const { return source_; }
  void bring(const KernelArg& x, bool with_gradient);
  /// To the host's adjoints, where it is the host's.
  void hand_back(const KernelArg& x);

 private:
  MatrixDesk& desk_;
  MatrixCall* source_;
  DeviceMatrix own_;
  Launch pad_, clear_, unpad_;
  bool brought_ = false;
  std::vector<double> numbers_;
};

/// What a call makes, on the device and where the host reads it there too.
class MatrixOutcome {
 public:
  MatrixOutcome(MatrixDesk& desk, const KernelCall& call, bool host_reads);
  DeviceMatrix& matrix() { return matrix_; }
  bool host_reads() const { return host_reads_; }
  DeviceBuffer* v() const { return matrix_.v.get(); }
  DeviceBuffer* a() const { return matrix_.a.get(); }
  /// After it was computed.
  void made(const KernelCall& call, bool with_gradient);
  /// Adds what the host adds to its adjoints.
  void take_adjoints(const KernelCall& call);

 private:
  MatrixDesk& desk_;
  DeviceMatrix matrix_;
  bool host_reads_;
  Launch clear_, unpad_, add_;
};

/// A Cholesky factor made of the lower triangle in `l`, with the inverses of the blocks on its diagonal.
class Factoring {
 public:
  /// From the symmetric matrix x.
  Factoring(MatrixDesk& desk, DeviceBuffer* x, DeviceBuffer* l, std::uint32_t n);
  void run() { desk_.run(launches_); }
  DeviceBuffer* inverses() const { return inverses_.get(); }

 private:
  MatrixDesk& desk_;
  std::unique_ptr<DeviceBuffer> inverses_;
  Launches launches_;
};

/// Launches that put the inverse of a factor into `to`, by way of `between`.
void add_inversion(MatrixDesk& desk, DeviceBuffer* l, DeviceBuffer* inverses, DeviceBuffer* to, DeviceBuffer* between, std::uint32_t order, Launches* out);

/// Columns of numbers for a factor of `n` rows.
class Solving {
 public:
  Solving(MatrixDesk& desk, DeviceBuffer* l, DeviceBuffer* inverses, std::uint32_t n, std::uint32_t count);
  /// z of L z = d; all of them [n x count].
  void down(std::span<const double> d, std::vector<double>* z);
  /// u of L' u = z.
  void up(std::span<const double> z, std::vector<double>* u);
  /// The diagonal of the factor [n].
  void diagonal(std::vector<double>* out);
  /// Padded columns, for other kernels: x [n x count] to the first or second of two buffers.
  DeviceBuffer* column_buffer(int k) const { return columns_[k].get(); }
  void put(std::span<const double> x, int k);

 private:
  void get(const DeviceBuffer& from, std::vector<double>* x);

  MatrixDesk& desk_;
  std::uint32_t n_, order_, count_;
  std::unique_ptr<DeviceBuffer> columns_[2], diagonal_;
  Launches down_, up_;  // from the first of the buffers to the second, and back
  Launch diagonal_of_;
  std::vector<double> padded_;
};

}  // namespace fermiac::ad::device
