# Draws in the formats of the package posterior, where it is installed.

# The option fermiac.posterior = FALSE does without it.
has_posterior <- function() !identical(getOption("fermiac.posterior"), FALSE) && requireNamespace("posterior", quietly = TRUE)

as_posterior <- function(draws) posterior::as_draws_array(draws)

# posterior::as_draws(fit), through which its as_draws_df(), summarise_draws() and the others go.
as_draws.fermiac_fit <- function(x, ...) as_posterior(x$draws(plain = TRUE))
