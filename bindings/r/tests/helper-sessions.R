# Sessions of R in pages, blocks that begin with ```r: lines after "> " and "+ " are typed, the others are what R says, in which
# "..." stands for anything and blanks count as one.

root <- Sys.getenv("FERMIAC_ROOT", unset = normalizePath(file.path("..", "..", "..")))

sessions_of <- function(page) {
  lines <- readLines(file.path(root, page), encoding = "UTF-8")
  begins <- which(lines == "```r")
  lapply(begins, function(b) {
    end <- b + which(lines[-seq_len(b)] == "```")[1]
    list(line = b, lines = lines[seq_len(end - b - 1) + b])
  })
}

# list(code, expected) for each thing typed.
steps_of <- function(lines) {
  steps <- list()
  for (line in lines) {
    n <- length(steps)
    if (startsWith(line, "> ")) steps <- c(steps, list(list(code = substring(line, 3), expected = character())))
    else if (startsWith(line, "+ ") || line == "+") steps[[n]]$code <- c(steps[[n]]$code, substring(line, 3))
    else if (n > 0) steps[[n]]$expected <- c(steps[[n]]$expected, line)
  }
  steps
}

# What R says to it.
said_to <- function(code, names) {
  warned <- character()
  failed <- character()
  printed <- capture.output(tryCatch(withCallingHandlers({
    for (expression in parse(text = code, encoding = "UTF-8")) {
      shown <- withVisible(eval(expression, names))
      if (shown$visible) print(shown$value)
    }
  }, warning = function(w) {
    warned <<- c(warned, "Warning message:", conditionMessage(w))
    invokeRestart("muffleWarning")
  }), error = function(e) failed <<- paste0("Error: ", conditionMessage(e))))
  c(printed, failed, warned)
}

single_blanks <- function(lines) trimws(gsub("[[:space:]]+", " ", paste(lines, collapse = " ")))

matches <- function(said, expected) {
  parts <- strsplit(single_blanks(expected), "...", fixed = TRUE)[[1]]
  parts <- vapply(parts, function(p) gsub("([][{}()+*^$|\\\\?.])", "\\\\\\1", p), "")
  open <- grepl("[.]{3}$", single_blanks(expected))
  grepl(paste0("^", paste(parts, collapse = ".*"), if (open) ".*", "$"), single_blanks(said))
}

# Runs all of a page; how many things were typed.
run_page <- function(page) {
  before <- setwd(root)
  on.exit(setwd(before))
  names <- new.env(parent = globalenv())
  count <- 0
  for (session in sessions_of(page)) {
    for (step in steps_of(session$lines)) {
      said <- said_to(step$code, names)
      count <- count + 1
      expect(matches(said, step$expected),
             paste(c(sprintf("%s, session at line %d", page, session$line), paste(">", step$code), "expected:", step$expected,
                     "said:", said), collapse = "\n"))
    }
  }
  count
}
