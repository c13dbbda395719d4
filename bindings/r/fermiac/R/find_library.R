# Where libfermiac lies: as somebody says, in the package, in an installation or a build around it, or where the system looks.

abi <- 0L # FERMIAC_ABI of bindings/c/fermiac.h
library_name <- sprintf("libfermiac.so.%d", abi)

# Files, the likeliest first. What the option or the environment names is the only one.
library_candidates <- function() {
  named <- c(getOption("fermiac.library"), Sys.getenv("FERMIAC_LIBRARY"))
  named <- named[nzchar(named)]
  if (length(named) > 0) return(path.expand(named[1]))
  files <- file.path(library_folders(), library_name)
  files[file.exists(files)]
}

library_folders <- function() {
  package <- system.file(package = "fermiac")
  c(file.path(package, "lib"), recorded_folder(package), file.path(dirname(dirname(package)), "build", "lib"),
    strsplit(Sys.getenv("LD_LIBRARY_PATH"), ":", fixed = TRUE)[[1]],
    Sys.glob(c("/usr/local/lib", "/usr/local/lib/*-linux-gnu", "/usr/local/lib64", "/usr/lib/*-linux-gnu", "/usr/lib64",
               "/usr/lib")))
}

# Where `configure` saw the library when the package was installed.
recorded_folder <- function(package) {
  file <- file.path(package, "library_folder")
  if (file.exists(file)) readLines(file, n = 1, warn = FALSE) else character()
}

# What the package brings along for the library. The loader does not look beside it by itself, but takes what is loaded.
libraries_along <- function(path) {
  own <- system.file("lib", package = "fermiac")
  if (nzchar(own) && identical(normalizePath(dirname(path)), normalizePath(own))) Sys.glob(file.path(own, "libtbb*.so*"))
}
