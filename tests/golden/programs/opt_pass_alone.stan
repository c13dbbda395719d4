// RUN: --pass=constant-propagation,dead-code --debug-optimized-mir-pretty %s
// WHY: passes run alone, in the order given
parameters {
  real p;
}
model {
  int n = 2;
  target += n * p;
}
//|exit 0
//|stdout
//|
//| log_prob {
//|   real p = (FnReadParam(constrain Identity)(dims())(mem_pattern AoS))__();
//|   {
//|     int n;
//|     target += (promote(2, real, data) * p);
//|   } }
//|
//| rev_log_prob {
//|   real p = (FnReadParam(constrain Identity)(dims())(mem_pattern AoS))__();
//|   {
//|     int n;
//|     target += (promote(2, real, data) * p);
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
