# Random numbers for generated quantities and functions that end in _rng.

fermiac_rng <- function(seed) {
  if (!is.numeric(seed) || length(seed) != 1 || is.na(seed) || seed < 0 || seed >= 2^53 || seed != floor(seed)) {
    refuse("the seed is %s, but must be a whole number from 0 to 2^53 - 1", shown(seed))
  }
  made <- ask("rng_create", seed = as.numeric(seed), rng = no_pointer)
  structure(list(seed = as.numeric(seed), handle = new_handle("rng", made$rng)), class = "fermiac_rng")
}

print.fermiac_rng <- function(x, ...) {
  cat("random numbers of seed ", format(x$seed, scientific = FALSE), "\n", sep = "")
  invisible(x)
}

# A generator; a seed makes a new one, NULL none.
as_rng <- function(rng) {
  if (is.null(rng) || inherits(rng, "fermiac_rng")) rng else fermiac_rng(rng)
}

# Whoever asks keeps the generator during the call.
rng_pointer <- function(rng) if (is.null(rng)) no_pointer else pointer_of(rng$handle)
