// RUN: --auto %s
// WHY: flags are not abbreviated
model {}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: unknown option '--auto'
