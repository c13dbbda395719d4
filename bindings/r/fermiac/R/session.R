# The library in this session of R, and calls of it. Everything goes through `.C` with pointers, see bindings/c/fermiac_r.h.

session <- new.env(parent = emptyenv())

no_pointer <- raw(8)

# Loaded when first needed, and then always the same.
loaded <- function() {
  if (is.null(session$dll)) load_library()
  session
}

load_library <- function() {
  tried <- character()
  for (path in library_candidates()) {
    dll <- tryCatch(open_library(path), error = function(e) conditionMessage(e))
    if (!is.character(dll)) return(start_session(dll, path))
    tried <- c(tried, dll)
  }
  fail("library", paste(c("libfermiac could not be loaded:", paste0("  ", if (length(tried)) tried else "there is none"),
                          "The option fermiac.library or the environment variable FERMIAC_LIBRARY may name the file."),
                        collapse = "\n"))
}

open_library <- function(path) {
  if (!file.exists(path)) stop("there is no file ", path)
  for (needed in libraries_along(path)) dyn.load(needed, local = FALSE)
  dll <- dyn.load(path)
  if (!is.loaded("fermiac_answer_create_R", PACKAGE = dll[["name"]]))
    stop(path, " has no entry points for R: it is of another version")
  dll
}

start_session <- function(dll, path) {
  session$dll <- dll
  session$path <- path
  session$symbols <- new.env(parent = emptyenv())
  session$id <- paste(Sys.getpid(), format(as.numeric(Sys.time()), digits = 20), sample_free_number())
  session$live <- new.env(parent = emptyenv())
  session$answer <- .C(native("answer_create"), answer = no_pointer)$answer
  if (identical(session$answer, no_pointer)) fail("memory", "the system gives no memory")
  session
}

# Differs between sessions, and leaves the random numbers of R alone.
sample_free_number <- function() basename(tempdir())

# A function by its name without fermiac_ and _R.
native <- function(name) {
  found <- session$symbols[[name]]
  if (is.null(found)) {
    found <- getNativeSymbolInfo(paste0("fermiac_", name, "_R"), session$dll)$address
    assign(name, found, envir = session$symbols)
  }
  found
}

# A call that neither fails nor has a text; its arguments afterwards.
call_library <- function(name, ...) {
  loaded()
  .C(native(name), ..., NAOK = TRUE)
}

# A call that can fail or gives a text; its arguments afterwards, with the text as `text` where it is wanted. Raises what the
# library says; what the program prints meanwhile is printed.
ask <- function(name, ..., text = FALSE) {
  s <- loaded()
  out <- .C(native(name), ..., answer = s$answer, status = 0L, sizes = c(0, 0), NAOK = TRUE)
  if (text || out$status != 0L) out$text <- answer_text("answer_text", out$sizes[1])
  if (out$sizes[2] > 0) cat(answer_text("answer_printed", out$sizes[2]))
  if (out$status != 0L) stop(error_of_library(out$text))
  out
}

ask_text <- function(name, ...) ask(name, ..., text = TRUE)$text

ask_lines <- function(name, ...) {
  text <- ask_text(name, ...)
  if (nzchar(text)) strsplit(text, "\n", fixed = TRUE)[[1]] else character()
}

answer_text <- function(name, size) {
  if (size == 0) return("")
  bytes <- .C(native(name), session$answer, size, out = raw(size))$out
  if (name == "answer_printed") bytes <- bytes[bytes != 0] # programs may print anything
  text <- rawToChar(bytes)
  Encoding(text) <- "UTF-8"
  if (validUTF8(text)) text else iconv(text, "UTF-8", "UTF-8", sub = "byte")
}

# A text for the library; "" for none.
text_argument <- function(text, what = "a text") {
  if (is.null(text)) text <- ""
  if (!is.character(text) || length(text) != 1 || is.na(text)) refuse("%s must be one text, not %s", what, shown(text))
  text <- enc2utf8(text)
  if (!validUTF8(text)) refuse("%s is no UTF-8", what)
  c(charToRaw(text), as.raw(0))
}

fermiac_version <- function() {
  c(fermiac = ask_text("version"), stan = ask_text("stan_version"))
}

fermiac_library <- function() loaded()$path
