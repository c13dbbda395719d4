// RUN: --auto-fromat %s
// WHY: a misspelt flag
model {}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: unknown option '--auto-fromat'. Did you mean '--auto-format'?
