// RUN: -q %s
// WHY: an unknown letter
model {}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: unknown option '-q'
