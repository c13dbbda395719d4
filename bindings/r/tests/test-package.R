# The package as others install it: of the archive with the library in it, of a built tree, of an installation.

shell <- function(command, ...) {
  arguments <- c("-u", "FERMIAC_LIBRARY", "-u", "LD_LIBRARY_PATH", ..., command)
  out <- suppressWarnings(system2("env", arguments, stdout = TRUE, stderr = TRUE))
  list(text = paste(out, collapse = "\n"), status = if (is.null(attr(out, "status"))) 0 else attr(out, "status"))
}

temporary_folder <- function() {
  folder <- normalizePath(tempfile("fermiac"), mustWork = FALSE)
  dir.create(folder)
  folder
}

install <- function(source, library) {
  dir.create(library)
  # No compiler: the shell finds none where only these are.
  tools <- file.path(dirname(library), "tools")
  dir.create(tools)
  for (name in c("sh", "bash", "sed", "rm", "mkdir", "rmdir", "tar", "gzip", "uname", "expr", "basename", "dirname", "cat",
                 "grep", "env", "mv", "cp", "ln", "ls", "chmod")) {
    file.symlink(Sys.which(name), file.path(tools, name))
  }
  r <- file.path(R.home("bin"), "R")
  shell(paste(r, "CMD INSTALL --no-docs", paste0("--library=", library), source), paste0("PATH=", tools))
}

library_found_by <- function(library) {
  code <- paste(sprintf("library(fermiac, lib.loc = '%s')", library), "cat(normalizePath(fermiac_library()))",
                "bound <- fermiac_model(code = 'parameters { real x; } model { x ~ normal(0, 1); }')$bind()",
                "stopifnot(bound$gradient(2) == -2)", sep = "; ")
  shell(paste(file.path(R.home("bin"), "Rscript"), "--vanilla -e", shQuote(code)))
}

test_that("the archive has the library and needs no compiler", {
  folder <- temporary_folder()
  on.exit(unlink(folder, recursive = TRUE))
  made <- system2(file.path(root, "bindings", "r", "build_package"), folder, stdout = TRUE, stderr = TRUE)
  expect_equal(basename(made), sprintf("fermiac_%s.tar.gz", utils::packageVersion("fermiac")))
  installed <- install(made, file.path(folder, "library"))
  expect_equal(installed$status, 0, info = installed$text)
  found <- library_found_by(file.path(folder, "library"))
  expect_equal(found$status, 0, info = found$text)
  expect_match(found$text, file.path(folder, "library", "fermiac", "lib", "libfermiac.so"), fixed = TRUE)
})

test_that("the archive passes R's own checks", {
  folder <- temporary_folder()
  on.exit(unlink(folder, recursive = TRUE))
  made <- system2(file.path(root, "bindings", "r", "build_package"), folder, stdout = TRUE, stderr = TRUE)
  r <- file.path(R.home("bin"), "R")
  checked <- shell(paste(r, "CMD check --no-manual --no-tests -o", folder, made), "_R_CHECK_FORCE_SUGGESTS_=false")
  expect_equal(checked$status, 0, info = checked$text)
  # One for the size of the library.
  expect_match(checked$text, "Status: (OK|1 NOTE)", info = checked$text)
  if (grepl("1 NOTE", checked$text)) expect_match(checked$text, "installed package size ... NOTE", fixed = TRUE)
})

test_that("a package that was installed from a tree or an installation finds the library there", {
  installed_at <- "share/fermiac/r/fermiac"
  for (way in list(c("bindings/r/fermiac", "build/lib"), c(installed_at, "lib"), c(installed_at, "lib/x86_64-linux-gnu"))) {
    folder <- temporary_folder()
    dir.create(file.path(folder, way[1]), recursive = TRUE)
    dir.create(file.path(folder, way[2]), recursive = TRUE)
    for (name in list.files(Sys.getenv("FERMIAC_R_SOURCE", unset = file.path(root, "bindings", "r", "fermiac")), full.names = TRUE)) {
      file.copy(name, file.path(folder, way[1]), recursive = TRUE)
    }
    there <- file.path(folder, way[2], fermiac:::library_name)
    file.copy(fermiac_library(), there)
    installed <- install(file.path(folder, way[1]), file.path(folder, "library"))
    expect_equal(installed$status, 0, info = installed$text)
    found <- library_found_by(file.path(folder, "library"))
    expect_equal(found$status, 0, info = found$text)
    expect_match(found$text, normalizePath(there), fixed = TRUE)
    unlink(folder, recursive = TRUE)
  }
})
