// RUN: --debug-mir --debug-mir %s
// WHY: a debug flag that is given twice
model {}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: option '--debug-mir' cannot be repeated
