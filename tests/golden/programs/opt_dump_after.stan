// RUN: --O1 --dump-mir-after=partial-evaluation %s
// WHY: the MIR after one pass of a level
parameters {
  real p;
}
model {
  target += log(1 + exp(p));
}
//|exit 0
//|stdout
//| // after partial-evaluation
//|
//| log_prob {
//|   real p = (FnReadParam(constrain Identity)(dims())(mem_pattern AoS))__();
//|   {
//|     target += log1p_exp(p);
//|   } }
//|
//| rev_log_prob {
//|   real p = (FnReadParam(constrain Identity)(dims())(mem_pattern AoS))__();
//|   {
//|     target += log1p_exp(p);
//|   } }
//|
//| generate_quantities {
//|   data real
//|     p = (FnReadParam(constrain Identity)(dims())(mem_pattern AoS))__(
//|     );
//|   (FnWriteParam(unconstrain_opt())(var p))__();
//|   if(PNot__(emit_transformed_parameters__ || emit_generated_quantities__)) {
//|     return;
//|   }
//|   if(PNot__(emit_generated_quantities__)) {
//|     return;
//|   } }
//|
//| transform_inits {
//|   real p;
//|   p = FnReadData__("p")[1];
//|   (FnWriteParam(unconstrain_opt(Identity))(var p))__(); }
//| output_vars {
//|   parameters real p; //real
//| }
