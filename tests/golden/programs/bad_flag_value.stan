// RUN: --info=yes %s
// WHY: a flag takes no value
model {}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: option '--info' is a flag, it cannot take the argument 'yes'
