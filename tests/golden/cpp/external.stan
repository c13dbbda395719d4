// RUN: --allow-undefined %s
// WHY: functions that are only declared are left to the user's header, unqualified
// SHOW: log_prob
functions {
  real outside(real x);
}
parameters {
  real a;
}
model {
  target += outside(a);
}
//|log_prob
//|       [[maybe_unused]] auto a = in__.template read<local_scalar_t__>();
//|       {
//|         lp_accum__.add(outside(a, pstream__));
//|       }
