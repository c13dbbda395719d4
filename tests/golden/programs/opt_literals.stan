// RUN: --O1 --debug-optimized-mir-pretty %s
// WHY: literals beyond doubles, and what folding makes of them
parameters { real x; }
model { target += log(1e-310 + exp(x)) + (1e400 - x); target += 1e-310 * 2 + 1e400 * 2 - 1e-400; }
//|exit 0
//|stdout
//|
//| log_prob {
//|   real x = (FnReadParam(constrain Identity)(dims())(mem_pattern AoS))__();
//|   {
//|     target += (log((1e-310 + exp(x))) + (1e400 - x));
//|     target += (fma(1e-310, promote(2, real, data),
//|                    (1e400 * promote(2, real, data))) - 1e-400);
//|   } }
//|
//| rev_log_prob {
//|   real x = (FnReadParam(constrain Identity)(dims())(mem_pattern SoA))__();
//|   {
//|     target += (log((1e-310 + exp(x))) + (1e400 - x));
//|     target += (fma(1e-310, promote(2, real, data),
//|                    (1e400 * promote(2, real, data))) - 1e-400);
//|   } }
//|
//| generate_quantities {
//|   data real
//|     x = (FnReadParam(constrain Identity)(dims())(mem_pattern AoS))__(
//|     );
//|   (FnWriteParam(unconstrain_opt())(var x))__();
//|   if(PNot__(emit_transformed_parameters__ || emit_generated_quantities__)) {
//|     return;
//|   }
//|   if(PNot__(emit_generated_quantities__)) {
//|     return;
//|   } }
//|
//| transform_inits {
//|   real x;
//|   x = FnReadData__("x")[1];
//|   (FnWriteParam(unconstrain_opt(Identity))(var x))__(); }
//| output_vars {
//|   parameters real x; //real
//| }
