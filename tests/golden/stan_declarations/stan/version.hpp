#define STAN_MAJOR 2
#define STAN_MINOR 39
