// Linear algebra on a device (OpenCL C 1.2). Matrices lie column after column, rows and columns padded to whole blocks of 64 with what
// the matrix that was asked for goes on with: zeros, and ones on the diagonal of what is factored. So nothing below looks for an edge.
// A block is the work of one group of 256 items; blocks go by (i, j) in units of 64. Numbers of kernels are in units of blocks where
// their names are i, j, k and `blocks`, of rows where it is `order`. Everything is added up in an order of its own: the same every time.
#define DEPTH 16               // of the slices of two blocks that are multiplied at a time
#define STRIDE 65              // of a column of a slice: one more than its rows, so that columns begin in different banks
#define BLOCK(m, order, i, j) ((m) + (ulong)(j) * SIDE * (order) + (ulong)(i) * SIDE)

/// The k-th block (i, j), i >= j, of a lower triangle, column of blocks after column: those of columns before j are j blocks - j (j - 1) / 2.
void lower_block(uint k, uint blocks, uint* i, uint* j) {
  uint column = 0, left = k;
  while (left >= blocks - column) left -= blocks - column, ++column;
  *i = column + left;
  *j = column;
}

// ---- products of blocks. Item (x, y) of 16 x 16 has the elements x + 16 r, y + 16 c of the result.

/// A slice of a block to local memory, slice[k * STRIDE + i] = block(i, k0 + k), or the block's transpose.
void take_slice(__global const double* block, uint order, uint k0, __local double* slice) {
  for (uint q = ME / SIDE; q < DEPTH; q += 4) slice[q * STRIDE + ME % SIDE] = block[(ulong)(k0 + q) * order + ME % SIDE];
}
void take_transposed(__global const double* block, uint order, uint k0, __local double* slice) {
  for (uint i = ME / DEPTH; i < SIDE; i += 16) slice[ME % DEPTH * STRIDE + i] = block[(ulong)i * order + k0 + ME % DEPTH];
}
void multiply_slices(double sum[4][4], __local const double* a, __local const double* b) {
  const uint x = ME % 16, y = ME / 16;
  for (uint k = 0; k < DEPTH; ++k) {
    double u[4], v[4];
#pragma unroll
    for (uint r = 0; r < 4; ++r) u[r] = a[k * STRIDE + x + 16 * r], v[r] = b[k * STRIDE + y + 16 * r];
#pragma unroll
    for (uint r = 0; r < 4; ++r)
#pragma unroll
      for (uint c = 0; c < 4; ++c) sum[r][c] = fma(u[r], v[c], sum[r][c]);
  }
}
// sum += a b, a b', a' b for blocks a and b.
#define DEFINE_ADD(name, TAKE_A, TAKE_B)                                                                                     \
  void name(double sum[4][4], __global const double* a, __global const double* b, uint order_a, uint order_b, __local double* room) { \
    for (uint k = 0; k < SIDE; k += DEPTH) {                                                                                  \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                           \
      TAKE_A(a, order_a, k, room);                                                                                            \
      TAKE_B(b, order_b, k, room + DEPTH * STRIDE);                                                                           \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                           \
      multiply_slices(sum, room, room + DEPTH * STRIDE);                                                                      \
    }                                                                                                                         \
  }
DEFINE_ADD(add_nn, take_slice, take_transposed)
DEFINE_ADD(add_nt, take_slice, take_slice)
DEFINE_ADD(add_tn, take_transposed, take_transposed)
#define ROOM __local double room[2 * DEPTH * STRIDE]
#define SUMS double sum[4][4] = {{0.0}}
#define EACH(block, order, statement)                                        \
  for (uint r = 0; r < 4; ++r)                                               \
    for (uint c = 0; c < 4; ++c) {                                           \
      const uint row = ME % 16 + 16 * r, column = ME / 16 + 16 * c;          \
      __global double* const at = (block) + (ulong)column * (order) + row;   \
      statement;                                                             \
    }

// ---- products of whole matrices: a group for each block (i, j) of the result, which has `rows` and `columns`; k goes over what is summed
#define DEFINE_PRODUCT(name, ADD, a_order, ai, aj, b_order, bi, bj)                                                                 \
  __kernel ITEMS_256 void name(FIXED a, FIXED b, MATRIX to, uint rows, uint columns, uint inner, uint adds) {                      \
    ROOM;                                                                                                                          \
    SUMS;                                                                                                                          \
    const uint i = GROUP_AT % (rows / SIDE), j = GROUP_AT / (rows / SIDE);                                                         \
    for (uint k = 0; k < inner / SIDE; ++k)                                                                                        \
      ADD(sum, BLOCK(a, a_order, ai, aj), BLOCK(b, b_order, bi, bj), a_order, b_order, room);                                      \
    EACH(BLOCK(to, rows, i, j), rows, *at = adds ? *at + sum[r][c] : sum[r][c]);                                                   \
  }
DEFINE_PRODUCT(product, add_nn, rows, i, k, inner, k, j)
DEFINE_PRODUCT(product_with_transposed, add_nt, rows, i, k, columns, j, k)
DEFINE_PRODUCT(transposed_product, add_tn, inner, k, i, inner, k, j)

// ---- Cholesky factor, block column after block column (right-looking); inverses of the blocks on the diagonal on the way

#define SLIVER 16              // columns of a block that are factored before what is right of them follows
#define SLIVERS (SIDE / SLIVER)

/// Columns c0 … c0 + 15 of the block, down from the diagonal; one that is no factor gets NaN.
void factor_sliver(__local double* W, __local double* reciprocal, uint c0) {
  const uint row = ME % SIDE;
  for (uint c = c0; c < c0 + SLIVER; ++c) {
    const double p = W[c * STRIDE + c];
    const double scale = p > 0.0 ? rsqrt(p) : NAN;
    if (ME == c) reciprocal[c] = scale;
    if (ME > c && ME < SIDE) W[c * STRIDE + ME] *= scale;
    barrier(CLK_LOCAL_MEM_FENCE);
    const double mine = W[c * STRIDE + row];
    for (uint j = c + 1 + ME / SIDE; j < c0 + SLIVER; j += 4)
      if (row >= j) W[j * STRIDE + row] -= mine * W[c * STRIDE + j];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
/// The factor of a block in place (in W[column * STRIDE + row]), and the reciprocals of its diagonal.
void factor_block(__local double* W, __local double* reciprocal) {
  const uint row = ME % SIDE;
  for (uint c0 = 0; c0 < SIDE; c0 += SLIVER) {
    factor_sliver(W, reciprocal, c0);
    double mine[SLIVER];
#pragma unroll
    for (uint c = 0; c < SLIVER; ++c) mine[c] = W[(c0 + c) * STRIDE + row];
    for (uint j = c0 + SLIVER + ME / SIDE; j < SIDE; j += 4) {
      double sum = 0.0;
#pragma unroll
      for (uint c = 0; c < SLIVER; ++c) sum = fma(mine[c], W[(c0 + c) * STRIDE + j], sum);
      if (row >= j) W[j * STRIDE + row] -= sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (ME < SIDE) W[ME * STRIDE + ME] *= reciprocal[ME];
  barrier(CLK_LOCAL_MEM_FENCE);
}

// The inverse of a lower triangle L comes into the triangle above it, transposed: X(i, k), i > k, lies at W[i * STRIDE + k].
double inverse_at(__local const double* W, __local const double* reciprocal, uint i, uint k) {
  return i > k ? W[i * STRIDE + k] : i == k ? reciprocal[i] : 0.0;
}
/// Of the squares of 16 on the diagonal; an item for each column.
void invert_squares(__local double* W, __local const double* reciprocal) {
  if (ME < SIDE) {
    const uint first = ME / SLIVER * SLIVER, column = ME % SLIVER;
    double x[SLIVER];
#pragma unroll
    for (uint i = 0; i < SLIVER; ++i) {
      double sum = 0.0;
#pragma unroll
      for (uint k = 0; k < i; ++k) sum = fma(W[(first + k) * STRIDE + first + i], x[k], sum);
      x[i] = i < column ? 0.0 : i == column ? reciprocal[first + i] : -sum * reciprocal[first + i];
    }
#pragma unroll
    for (uint i = 1; i < SLIVER; ++i)
      if (i > column) W[(first + i) * STRIDE + first + column] = x[i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}
/// Of squares twice as large, made of A, C on the diagonal and B below A: -C⁻¹ (B A⁻¹), by way of `between`.
void join_squares(__local double* W, __local const double* reciprocal, __local double* between, uint side) {
  const uint all = SIDE / 2 * side;
  for (uint e = ME; e < all; e += 256) {
    const uint a = e / (side * side) * 2 * side, c = a + side, row = e % side, column = e / side % side;
    double sum = 0.0;
    for (uint k = column; k < side; ++k) sum = fma(W[(a + k) * STRIDE + c + row], inverse_at(W, reciprocal, a + k, a + column), sum);
    between[e] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint e = ME; e < all; e += 256) {
    const uint a = e / (side * side) * 2 * side, c = a + side, row = e % side, column = e / side % side;
    double sum = 0.0;
    for (uint k = 0; k <= row; ++k) sum = fma(inverse_at(W, reciprocal, c + row, c + k), between[e - row + k], sum);
    W[(c + row) * STRIDE + a + column] = -sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}
void invert_block(__local double* W, __local const double* reciprocal, __local double* between) {
  invert_squares(W, reciprocal);
  for (uint side = SLIVER; side < SIDE; side *= 2) join_squares(W, reciprocal, between, side);
}
/// Of rows from `rows` on only the diagonal, which is 1.
void take_lower(FIXED block, uint order, uint rows, __local double* W) {
  const uint r = ME % SIDE;
  for (uint c = ME / SIDE; c < SIDE; c += 4) W[c * STRIDE + r] = r < c ? 0.0 : r < rows ? block[(ulong)c * order + r] : r == c ? 1.0 : 0.0;
  barrier(CLK_LOCAL_MEM_FENCE);
}
void put_inverse(__local const double* W, __local const double* reciprocal, MATRIX to) {
  for (uint c = ME / SIDE; c < SIDE; c += 4) to[c * SIDE + ME % SIDE] = inverse_at(W, reciprocal, ME % SIDE, c);
}

__kernel ITEMS_256 void factor_diagonal(MATRIX a, MATRIX inverses, uint order, uint k) {
  __local double W[SIDE * STRIDE], reciprocal[SIDE], between[SIDE * SIDE / 4];
  MATRIX block = BLOCK(a, order, k, k);
  take_lower(block, order, SIDE, W);
  factor_block(W, reciprocal);
  for (uint c = ME / SIDE; c < SIDE; c += 4) block[(ulong)c * order + ME % SIDE] = ME % SIDE >= c ? W[c * STRIDE + ME % SIDE] : 0.0;
  barrier(CLK_LOCAL_MEM_FENCE);  // what is above the diagonal changes now
  invert_block(W, reciprocal, between);
  put_inverse(W, reciprocal, inverses + k * SIDE * SIDE);
}
/// The inverses of all blocks on the diagonal of a factor.
__kernel ITEMS_256 void invert_diagonals(FIXED l, MATRIX inverses, uint order, uint n) {
  __local double W[SIDE * STRIDE], reciprocal[SIDE], between[SIDE * SIDE / 4];
  take_lower(BLOCK(l, order, GROUP_AT, GROUP_AT), order, n - GROUP_AT * SIDE, W);
  if (ME < SIDE) reciprocal[ME] = 1.0 / W[ME * STRIDE + ME];
  barrier(CLK_LOCAL_MEM_FENCE);
  invert_block(W, reciprocal, between);
  put_inverse(W, reciprocal, inverses + GROUP_AT * SIDE * SIDE);
}
/// Blocks below the k-th: a(i, k) = a(i, k) inverse(k)'.
__kernel ITEMS_256 void factor_panel(MATRIX a, FIXED inverses, uint order, uint k) {
  ROOM;
  SUMS;
  MATRIX block = BLOCK(a, order, k + 1 + GROUP_AT, k);
  add_nt(sum, block, inverses + k * SIDE * SIDE, order, SIDE, room);
  barrier(CLK_GLOBAL_MEM_FENCE);
  EACH(block, order, *at = sum[r][c]);
}
/// What is right of it, down from the diagonal: a(i, j) -= a(i, k) a(j, k)'.
__kernel ITEMS_256 void factor_rest(MATRIX a, uint order, uint k) {
  ROOM;
  SUMS;
  uint i, j;
  lower_block(GROUP_AT, order / SIDE - k - 1, &i, &j);
  add_nt(sum, BLOCK(a, order, k + 1 + i, k), BLOCK(a, order, k + 1 + j, k), order, order, room);
  EACH(BLOCK(a, order, k + 1 + i, k + 1 + j), order, *at -= sum[r][c]);
}

// ---- the inverse of a factor, from twice as large blocks to twice as large ones: [A 0; B C]⁻¹ = [A⁻¹ 0; -C⁻¹ B A⁻¹, C⁻¹]

__kernel ITEMS_256 void put_inverses(FIXED inverses, MATRIX x, uint order) {
  const uint blocks = order / SIDE, i = GROUP_AT % blocks, j = GROUP_AT / blocks;
  EACH(BLOCK(x, order, i, j), order, *at = i == j ? inverses[i * SIDE * SIDE + column * SIDE + row] : 0.0);
}
/// Where group g of a step with `reach` blocks in a half is at work: block (i, j) of B, whose square begins at `begin`. False: there is none.
bool in_square(uint reach, uint blocks, uint* i, uint* j, uint* begin) {
  const uint each = reach * reach, square = GROUP_AT / each, at = GROUP_AT % each;
  *begin = 2 * reach * square;
  *i = *begin + reach + at % reach;
  *j = *begin + at / reach;
  return *i < blocks;
}
/// t = B A⁻¹.
__kernel ITEMS_256 void invert_right(FIXED l, FIXED x, MATRIX t, uint order, uint reach) {
  ROOM;
  SUMS;
  uint i, j, begin;
  if (!in_square(reach, order / SIDE, &i, &j, &begin)) return;
  for (uint k = j; k < begin + reach; ++k) add_nn(sum, BLOCK(l, order, i, k), BLOCK(x, order, k, j), order, order, room);
  EACH(BLOCK(t, order, i, j), order, *at = sum[r][c]);
}
/// x = -C⁻¹ t.
__kernel ITEMS_256 void invert_left(MATRIX x, FIXED t, uint order, uint reach) {
  ROOM;
  SUMS;
  uint i, j, begin;
  if (!in_square(reach, order / SIDE, &i, &j, &begin)) return;
  for (uint k = begin + reach; k <= i; ++k) add_nn(sum, BLOCK(x, order, i, k), BLOCK(t, order, k, j), order, order, room);
  EACH(BLOCK(x, order, i, j), order, *at = -sum[r][c]);
}

// ---- products of lower triangles, down from the diagonal

/// to = a' b.
__kernel ITEMS_256 void lower_transposed(FIXED a, FIXED b, MATRIX to, uint order) {
  ROOM;
  SUMS;
  uint i, j;
  lower_block(GROUP_AT, order / SIDE, &i, &j);
  for (uint k = i; k < order / SIDE; ++k) add_tn(sum, BLOCK(a, order, k, i), BLOCK(b, order, k, j), order, order, room);
  EACH(BLOCK(to, order, i, j), order, *at = sum[r][c]);
}
/// to = a' b with half of the diagonal and nothing above it.
__kernel ITEMS_256 void lower_transposed_half(FIXED a, FIXED b, MATRIX to, uint order) {
  ROOM;
  SUMS;
  uint i, j;
  lower_block(GROUP_AT, order / SIDE, &i, &j);
  for (uint k = i; k < order / SIDE; ++k) add_tn(sum, BLOCK(a, order, k, i), BLOCK(b, order, k, j), order, order, room);
  EACH(BLOCK(to, order, i, j), order, *at = i > j || row > column ? sum[r][c] : row == column ? 0.5 * sum[r][c] : 0.0);
}
/// to = a b.
__kernel ITEMS_256 void lower_product(FIXED a, FIXED b, MATRIX to, uint order) {
  ROOM;
  SUMS;
  uint i, j;
  lower_block(GROUP_AT, order / SIDE, &i, &j);
  for (uint k = j; k <= i; ++k) add_nn(sum, BLOCK(a, order, i, k), BLOCK(b, order, k, j), order, order, room);
  EACH(BLOCK(to, order, i, j), order, *at = sum[r][c]);
}
/// to += a' b + b' a down from the diagonal, half of it there.
__kernel ITEMS_256 void add_lower_symmetric(FIXED a, FIXED b, MATRIX to, uint order) {
  ROOM;
  SUMS;
  uint i, j;
  lower_block(GROUP_AT, order / SIDE, &i, &j);
  for (uint k = i; k < order / SIDE; ++k) {
    add_tn(sum, BLOCK(a, order, k, i), BLOCK(b, order, k, j), order, order, room);
    add_tn(sum, BLOCK(b, order, k, i), BLOCK(a, order, k, j), order, order, room);
  }
  EACH(BLOCK(to, order, i, j), order, *at += i > j || row > column ? sum[r][c] : row == column ? 0.5 * sum[r][c] : 0.0);
}

// ---- solving with a factor, block after block; `count` columns of `order` rows. The group of the block itself writes the result.

/// result = the 64 numbers inverse * x, or inverse' * x.
void times_inverse(FIXED inverse, __global const double* x, bool transposed, __local double* parts, __local double* result) {
  const uint r = ME % SIDE, q = ME / SIDE;
  double s = 0.0;
  for (uint k = q; k < SIDE; k += 4) s += (transposed ? inverse[r * SIDE + k] : inverse[k * SIDE + r]) * x[k];
  parts[ME] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (q == 0) result[r] = (parts[r] + parts[r + 64]) + (parts[r + 128] + parts[r + 192]);
  barrier(CLK_LOCAL_MEM_FENCE);
}
/// Less the block times z, or its transpose times z.
void subtract_times(__global const double* block, uint order, bool transposed, __local const double* z, __local double* parts, __global double* from) {
  const uint r = ME % SIDE, q = ME / SIDE;
  double s = 0.0;
  for (uint k = q; k < SIDE; k += 4) s += (transposed ? block[(ulong)r * order + k] : block[(ulong)k * order + r]) * z[k];
  parts[ME] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (q == 0) from[r] -= (parts[r] + parts[r + 64]) + (parts[r + 128] + parts[r + 192]);
}
/// Rows k of L z = d; d loses what they bring below. Groups: (blocks - k) for each column.
__kernel ITEMS_256 void solve_down(FIXED l, FIXED inverses, MATRIX d, MATRIX z, uint order, uint k) {
  __local double parts[256], now[SIDE];
  const uint each = order / SIDE - k, i = k + GROUP_AT % each;
  const ulong column = (ulong)(GROUP_AT / each) * order;
  times_inverse(inverses + k * SIDE * SIDE, d + column + k * SIDE, false, parts, now);
  if (i > k) subtract_times(BLOCK(l, order, i, k), order, false, now, parts, d + column + i * SIDE);
  else if (ME < SIDE) z[column + k * SIDE + ME] = now[ME];
}
/// Rows k of L' u = z, from the last one up. Groups: (k + 1) for each column.
__kernel ITEMS_256 void solve_up(FIXED l, FIXED inverses, MATRIX z, MATRIX u, uint order, uint k) {
  __local double parts[256], now[SIDE];
  const uint i = GROUP_AT % (k + 1);
  const ulong column = (ulong)(GROUP_AT / (k + 1)) * order;
  times_inverse(inverses + k * SIDE * SIDE, z + column + k * SIDE, true, parts, now);
  if (i < k) subtract_times(BLOCK(l, order, k, i), order, true, now, parts, z + column + i * SIDE);
  else if (ME < SIDE) u[column + k * SIDE + ME] = now[ME];
}

// ---- a matrix of `rows` x `columns` (padded both) times a vector

__kernel ITEMS_256 void times_vector(FIXED a, FIXED x, MATRIX to, uint rows, uint columns) {
  __local double parts[256];
  const uint r = ME % SIDE, q = ME / SIDE;
  double s = 0.0;
  for (uint k = q; k < columns; k += 4) s += a[(ulong)k * rows + GROUP_AT * SIDE + r] * x[k];
  parts[ME] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (q == 0) to[GROUP_AT * SIDE + r] = (parts[r] + parts[r + 64]) + (parts[r + 128] + parts[r + 192]);
}
/// A group for each column.
__kernel ITEMS_256 void transposed_times_vector(FIXED a, FIXED x, MATRIX to, uint rows) {
  __local double parts[256];
  double s = 0.0;
  for (uint k = ME; k < rows; k += 256) s += a[(ulong)GROUP_AT * rows + k] * x[k];
  s = sum_of_group(s, parts);
  if (ME == 0) to[GROUP_AT] = s;
}
/// to += a b' for matrices of `count` columns, everywhere or from the diagonal down. Groups: all blocks of `to`.
__kernel ITEMS_256 void add_outer(FIXED a, FIXED b, MATRIX to, uint rows, uint columns, uint count, uint lower) {
  const uint i = GROUP_AT % (rows / SIDE), j = GROUP_AT / (rows / SIDE);
  if (lower && i < j) return;
  double sum[4][4] = {{0.0}};
  for (uint k = 0; k < count; ++k)
    for (uint r = 0; r < 4; ++r)
      for (uint c = 0; c < 4; ++c)
        sum[r][c] += a[(ulong)k * rows + i * SIDE + ME % 16 + 16 * r] * b[(ulong)k * columns + j * SIDE + ME / 16 + 16 * c];
  EACH(BLOCK(to, rows, i, j), rows, *at += lower && i == j && row < column ? 0.0 : sum[r][c]);
}

// ---- element by element; a group for each block, items stride over it

__kernel ITEMS_256 void clear(MATRIX to, uint rows) {
  EACH_OF_BLOCK(rows) AT(to, rows) = 0.0;
}
__kernel ITEMS_256 void add_matrix(FIXED x, MATRIX to, uint rows) {
  EACH_OF_BLOCK(rows) AT(to, rows) += AT(x, rows);
}
/// to += factors[0] times a symmetric matrix whose lower triangle x has.
__kernel ITEMS_256 void add_symmetric(FIXED x, FIXED factors, MATRIX to, uint order) {
  EACH_OF_BLOCK(order) AT(to, order) += factors[0] * (row >= column ? AT(x, order) : x[(ulong)row * order + column]);
}
/// The lower triangle, zeros above it; NaN where the matrix is not symmetric within 1e-8. Of what is padded the diagonal is 1.
__kernel ITEMS_256 void lower_of_symmetric(FIXED x, MATRIX to, uint order, uint n) {
  EACH_OF_BLOCK(order) {
    const double mine = AT(x, order), other = x[(ulong)row * order + column];
    const double kept = fabs(mine - other) <= 1e-8 ? mine : NAN;
    AT(to, order) = row < column ? 0.0 : row >= n ? (row == column ? 1.0 : 0.0) : kept;
  }
}
__kernel ITEMS_256 void keep_lower(MATRIX x, uint order) {
  EACH_OF_BLOCK(order) if (row < column) AT(x, order) = 0.0;
}
/// x with d[0], or d[row], more on the diagonal.
__kernel ITEMS_256 void with_diagonal(FIXED x, FIXED d, MATRIX to, uint order, uint n, uint each) {
  EACH_OF_BLOCK(order) AT(to, order) = AT(x, order) + (row == column && row < n ? d[each ? row : 0] : 0.0);
}
__kernel void add_to_diagonal(FIXED d, MATRIX to, uint order, uint n) {
  const uint i = get_global_id(0);
  if (i < n) to[(ulong)i * order + i] += d[i];
}
__kernel void diagonal_of(FIXED x, MATRIX to, uint order, uint n) {
  const uint i = get_global_id(0);
  if (i < n) to[i] = x[(ulong)i * order + i];
}
/// From numbers without padding, and back; what is padded is 0.
__kernel ITEMS_256 void pad(FIXED x, MATRIX to, uint rows, uint n, uint m) {
  EACH_OF_BLOCK(rows) AT(to, rows) = row < n && column < m ? x[(ulong)column * n + row] : 0.0;
}
__kernel ITEMS_256 void unpad(FIXED x, MATRIX to, uint rows, uint n, uint m) {
  EACH_OF_BLOCK(rows) if (row < n && column < m) to[(ulong)column * n + row] = AT(x, rows);
}
/// x += what is padded; a lower triangle of it.
__kernel ITEMS_256 void add_padded(FIXED x, MATRIX to, uint rows, uint n, uint m) {
  EACH_OF_BLOCK(rows) if (row < n && column < m) AT(to, rows) += x[(ulong)column * n + row];
}

// ---- covariances of Gaussian processes: sigma² f(s), s = the sum over the coordinates d of ((x_d - y_d) / l_d)². `scalars` holds sigma²
// and 1 / l_d²; points lie coordinate after coordinate, n of each.

#define EXP_QUAD 0
#define MATERN32 1
#define MATERN52 2
#define EXPONENTIAL 3

double scaled_distance(FIXED x, FIXED scalars, uint n, uint dimensions, uint i, uint j) {
  double s = 0.0;
  for (uint d = 0; d < dimensions; ++d) {
    const double difference = x[d * n + i] - x[d * n + j];
    s += difference * difference * scalars[1 + d];
  }
  return s;
}
double covariance_of(uint form, double s) {
  const double r = sqrt(s);
  if (form == EXP_QUAD) return exp(-0.5 * s);
  if (form == MATERN32) return (1.0 + 1.7320508075688772935 * r) * exp(-1.7320508075688772935 * r);
  if (form == MATERN52) return (1.0 + 2.2360679774997896964 * r + 5.0 / 3.0 * s) * exp(-2.2360679774997896964 * r);
  return exp(-r);
}
/// f'(s), 0 at s = 0 where it has none (the difference that it is multiplied by is 0 there).
double covariance_slope(uint form, double s) {
  const double r = sqrt(s);
  if (form == EXP_QUAD) return -0.5 * exp(-0.5 * s);
  if (form == MATERN32) return -1.5 * exp(-1.7320508075688772935 * r);
  if (form == MATERN52) return -5.0 / 6.0 * (1.0 + 2.2360679774997896964 * r) * exp(-2.2360679774997896964 * r);
  return r > 0.0 ? -0.5 * exp(-r) / r : 0.0;
}
#define INSIDE(number) (row < n && column < n ? (number) : row == column ? 1.0 : 0.0)
__kernel ITEMS_256 void covariances(FIXED x, FIXED scalars, MATRIX to, uint order, uint n, uint dimensions, uint form) {
  EACH_OF_BLOCK(order) AT(to, order) = INSIDE(scalars[0] * covariance_of(form, scaled_distance(x, scalars, n, dimensions, row, column)));
}
/// For each block: the sum of adjoints times f(s), then for each length scale that of adjoints times f'(s) times the squared difference of
/// its coordinate; of one scale for all coordinates, of all of them.
__kernel ITEMS_256 void covariance_sums(FIXED x, FIXED scalars, FIXED adjoints, MATRIX to, uint order, uint n,
                                                                              uint dimensions, uint form, uint scales) {
  __local double parts[256];
  double total = 0.0, slopes[8] = {0.0};
  EACH_OF_BLOCK(order) {
    if (row >= n || column >= n) continue;
    const double a = AT(adjoints, order);
    if (a == 0.0) continue;
    const double s = scaled_distance(x, scalars, n, dimensions, row, column), slope = a * covariance_slope(form, s);
    total += a * covariance_of(form, s);
    for (uint d = 0; d < dimensions; ++d) {
      const double difference = x[d * n + row] - x[d * n + column];
      slopes[scales == 1 ? 0 : d] += slope * difference * difference;
    }
  }
  const uint at = GROUP_AT * (1 + scales);
  total = sum_of_group(total, parts);
  if (ME == 0) to[at] = total;
  for (uint k = 0; k < scales; ++k) {
    const double sum = sum_of_group(slopes[k], parts);
    if (ME == 0) to[at + 1 + k] = sum;
  }
}

// ---- of periodic functions, sigma² exp(-2 sin²(π r / p) / l²) with the distance r: `scalars` holds sigma², 1 / l², π / p

double angle_of(FIXED x, FIXED scalars, uint n, uint dimensions, uint i, uint j) {
  double s = 0.0;
  for (uint d = 0; d < dimensions; ++d) s += (x[d * n + i] - x[d * n + j]) * (x[d * n + i] - x[d * n + j]);
  return sqrt(s) * scalars[2];
}
double periodic_of(double angle, FIXED scalars) { return exp(-2.0 * sin(angle) * sin(angle) * scalars[1]); }
__kernel ITEMS_256 void periodic_covariances(FIXED x, FIXED scalars, MATRIX to, uint order, uint n, uint dimensions, uint form) {
  EACH_OF_BLOCK(order) AT(to, order) = INSIDE(scalars[0] * periodic_of(angle_of(x, scalars, n, dimensions, row, column), scalars));
}
/// For each block the sums of adjoints times f, f sin² of the angle, f times the angle times sin of twice the angle.
__kernel ITEMS_256 void periodic_sums(FIXED x, FIXED scalars, FIXED adjoints, MATRIX to, uint order, uint n, uint dimensions, uint form, uint scales) {
  __local double parts[256];
  double sums[3] = {0.0, 0.0, 0.0};
  EACH_OF_BLOCK(order) {
    if (row >= n || column >= n) continue;
    const double angle = angle_of(x, scalars, n, dimensions, row, column), f = AT(adjoints, order) * periodic_of(angle, scalars);
    sums[0] += f;
    sums[1] += f * sin(angle) * sin(angle);
    sums[2] += f * angle * sin(2.0 * angle);
  }
  for (uint k = 0; k < 3; ++k) {
    const double sum = sum_of_group(sums[k], parts);
    if (ME == 0) to[GROUP_AT * 3 + k] = sum;
  }
}

// ---- of the dot product, sigma² + x·y: `scalars` holds sigma²

__kernel ITEMS_256 void dot_products(FIXED x, FIXED scalars, MATRIX to, uint order, uint n, uint dimensions, uint form) {
  EACH_OF_BLOCK(order) {
    double s = scalars[0];
    for (uint d = 0; d < dimensions && row < n && column < n; ++d) s += x[d * n + row] * x[d * n + column];
    AT(to, order) = INSIDE(s);
  }
}
/// For each block the sum of the adjoints.
__kernel ITEMS_256 void dot_sums(FIXED x, FIXED scalars, FIXED adjoints, MATRIX to, uint order, uint n, uint dimensions, uint form, uint scales) {
  __local double parts[256];
  double mine = 0.0;
  EACH_OF_BLOCK(order) mine += row < n && column < n ? AT(adjoints, order) : 0.0;
  mine = sum_of_group(mine, parts);
  if (ME == 0) to[GROUP_AT] = mine;
}
