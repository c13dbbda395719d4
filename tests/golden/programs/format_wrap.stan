// RUN: --auto-format --max-line-length=50 %s
// WHY: long expressions break before operators and after commas
transformed data {
  real alpha = 1, beta = 2;
  real gamma1 = alpha * beta + alpha / (beta + 1) - fma(alpha, beta, alpha + beta) ^ 2;
  array[2, 2] real x = {{alpha + beta, alpha - beta}, {alpha * beta, alpha / beta}};
}
//|exit 0
//|stdout
//| // RUN: --auto-format --max-line-length=50 %s
//| // WHY: long expressions break before operators and after commas
//| transformed data {
//|   real alpha = 1, beta = 2;
//|   real gamma1 = alpha * beta + alpha / (beta + 1)
//|                 - fma(alpha, beta, alpha + beta)
//|                   ^ 2;
//|   array[2, 2] real x = {{alpha + beta,
//|                          alpha - beta},
//|                         {alpha * beta,
//|                          alpha / beta}};
//| }
//|
