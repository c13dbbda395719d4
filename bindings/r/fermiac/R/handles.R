# Objects of the library. R has a key to each; the pointer stays in the session, so that a key that was saved with R's workspace
# and comes back in another session opens nothing.

new_handle <- function(kind, pointer) {
  handle <- new.env(parent = emptyenv())
  session$count <- (if (is.null(session$count)) 0 else session$count) + 1
  handle$kind <- kind
  handle$key <- paste(session$id, session$count)
  assign(handle$key, pointer, envir = session$live)
  reg.finalizer(handle, free_handle)
  handle
}

free_handle <- function(handle) {
  pointer <- session$live[[handle$key]]
  if (is.null(pointer)) return(invisible())
  rm(list = handle$key, envir = session$live)
  .C(native(paste0(handle$kind, "_free")), pointer)
  invisible()
}

pointer_of <- function(handle) {
  pointer <- if (!is.null(session$live)) session$live[[handle$key]]
  if (is.null(pointer)) {
    refuse("this %s was made in another session of R, or is a copy of one that is gone: make it again", handle$kind)
  }
  pointer
}
