// RUN: --frobnicate %s
// WHY: a flag that is near to none
model {}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: unknown option '--frobnicate'
