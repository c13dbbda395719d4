// RUN: --debug-generate-data --debug-data-file=includes/size.inc %s
// WHY: a data file that is no JSON
data { int N; }
//|exit 1
//|stderr
//| Error: Failed to parse 'includes/size.inc' for debug generation:
//|   JSON, line 1, column 1: '{' was expected at the start of an object, but '/' stands here
