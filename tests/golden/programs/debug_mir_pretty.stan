// RUN: --debug-mir-pretty %s
// WHY: the MIR
parameters { real y; }
model { y ~ normal(0, 1); }
//|exit 0
//|stdout
//|
//| log_prob {
//|   real y;
//|   {
//|     target += normal_lupdf(y, promote(0, real, data), promote(1, real, data));
//|   } }
//|
//| generate_quantities {
//|   data real y;
//|   if(PNot__(emit_transformed_parameters__ || emit_generated_quantities__)) return;
//|   if(PNot__(emit_generated_quantities__)) return; }
//| output_vars {
//|   parameters real y; //real
//| }
