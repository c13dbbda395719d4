# Three models and one with threads from formula to predictions, by brms with the back end cmdstanr.
suppressMessages({library(brms); library(cmdstanr)})
options(brms.backend="cmdstanr", mc.cores=2)
set.seed(1)
run <- function(label, ...) {
  t0 <- proc.time()[3]
  f <- brm(..., refresh=0, chains=4, seed=123, silent=2)
  s <- summary(f); print(s$fixed)
  l <- loo(f); print(l$estimates["elpd_loo",])
  p <- pp_check(f, ndraws=10); stopifnot(inherits(p, "ggplot"))
  pr <- predict(f); stopifnot(all(is.finite(pr[,1])))
  stopifnot(all(s$fixed$Rhat < 1.02))
  cat("BRMS OK", label, proc.time()[3]-t0, "s\n")
}
n <- 100; d <- data.frame(x=rnorm(n), g=factor(rep(1:10, 10)))
d$y <- 1 + 2*d$x + rnorm(10)[d$g] + rnorm(n)
d$c <- rpois(n, exp(0.3 + 0.5*d$x)); d$b <- rbinom(n, 1, plogis(d$x))
run("gaussian", y ~ x, data=d)
run("multilevel", y ~ x + (1|g), data=d, control=list(adapt_delta=0.95))
run("poisson", c ~ x, data=d, family=poisson())
run("threads", b ~ x, data=d, family=bernoulli(), threads=threading(2))
