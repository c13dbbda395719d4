# One run of a method. It goes on a thread of the library, so that R can show progress and be interrupted.

poll_seconds <- 0.05

# Runs it to its end: list(result, columns, rows, warmup, messages, why_stopped). A run that was stopped is an outcome if it has
# rows, else an error. `rows` has a matrix [rows, columns] for each table.
execute <- function(model, method, options, progress = NULL) {
  line <- progress_line(progress)
  text <- run_text(method, options)
  suspendInterrupts({
    made <- ask("background_run_create", pointer_of(model), text_argument(text), run = no_pointer)
    handle <- new_handle("background_run", made$run)
    on.exit(free_handle(handle)) # stops it where this ends early
    why <- wait_for(handle, line)
    outcome <- outcome_of(handle, why)
  })
  outcome
}

run_text <- function(method, options) {
  texts <- lapply(names(options), function(name) {
    if (inherits(options[[name]], "fermiac_json")) options[[name]] else option_json(options[[name]], name)
  })
  json_object(stats::setNames(c(json_text(method), texts), c("method", names(options))))
}

# Until the end; the error it ended with, or NULL. An interrupt stops it.
wait_for <- function(handle, line) {
  run <- pointer_of(handle)
  failed <- NULL
  interrupted <- FALSE
  repeat {
    state <- tryCatch(ask("background_run_wait", run, poll_seconds, over = 0L, text = TRUE),
                      fermiac_error = function(e) list(over = 1L, error = e))
    if (state$over != 0L) break
    line$show(state$text)
    if (interrupt_came()) {
      interrupted <- TRUE
      call_library("background_run_stop", run)
    }
  }
  line$end()
  if (interrupted && inherits(state$error, "fermiac_stopped_error")) state$error$message <- "interrupted"
  state$error
}

# Whether the user wants the end. Sleeping is where R looks for that, and for what its windows want.
interrupt_came <- function() {
  tryCatch({
    allowInterrupts(Sys.sleep(0.001))
    FALSE
  }, interrupt = function(i) TRUE)
}

outcome_of <- function(handle, why) {
  run <- pointer_of(handle)
  messages <- ask_text("background_run_messages", run)
  if (!is.null(why) && !inherits(why, "fermiac_stopped_error")) stop(with_messages(why, messages))
  tables <- seq_len(call_library("background_run_table_count", run, count = 0)$count) - 1
  rows <- lapply(tables, function(t) table_rows(run, t, warmup = 0L))
  if (!is.null(why) && !any(vapply(rows, nrow, 0L) > 0)) stop(why)
  list(
    result = parse_json(ask_text("background_run_result_json", run)),
    columns = if (length(tables) > 0) ask_lines("background_run_columns", run, 0) else character(),
    rows = rows, warmup = lapply(tables, function(t) table_rows(run, t, warmup = 1L)),
    messages = messages, why_stopped = if (is.null(why)) "" else conditionMessage(why)
  )
}

with_messages <- function(error, messages) {
  if (!inherits(error, "fermiac_method_error")) return(error)
  error$messages <- messages
  if (!nzchar(error$message)) error$message <- "the method failed"
  if (nzchar(messages)) error$message <- sub("\n+$", "", paste0(error$message, "\n", messages))
  error
}

table_rows <- function(run, table, warmup) {
  size <- call_library("background_run_size", run, table, warmup, rows = 0, columns = 0)
  numbers <- numeric(size$rows * size$columns)
  if (length(numbers) > 0) numbers <- call_library("background_run_rows", run, table, warmup, out = numbers)$out
  matrix(numbers, nrow = size$rows, ncol = size$columns)
}
