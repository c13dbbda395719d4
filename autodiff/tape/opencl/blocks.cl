// What kernels over matrices in blocks share (OpenCL C 1.2): a group of 256 items for each block of 64 x 64, its elements one after the other.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define SIDE 64
#define ME ((uint)get_local_id(0))
#define GROUP_AT ((uint)get_group_id(0))
#define MATRIX __global double* restrict
#define FIXED __global const double* restrict
#define ITEMS_256 __attribute__((reqd_work_group_size(256, 1, 1)))

#define EACH_OF_BLOCK(rows)                                                                                  \
  const uint i = GROUP_AT % ((rows) / SIDE) * SIDE, j = GROUP_AT / ((rows) / SIDE) * SIDE, row = i + ME % SIDE; \
  for (uint column = j + ME / SIDE; column < j + SIDE; column += 4)
#define AT(m, order) ((m)[(ulong)column * (order) + row])

/// Of all 256 items, by halves; all of them get it.
double sum_of_group(double mine, __local double* parts) {
  parts[ME] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint reach = 128; reach > 0; reach /= 2) {
    if (ME < reach) parts[ME] += parts[ME + reach];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const double sum = parts[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  return sum;
}
