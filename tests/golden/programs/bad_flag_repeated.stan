// RUN: --name=a --name=b %s
// WHY: a value that is given twice
model {}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: option '--name' cannot be repeated
