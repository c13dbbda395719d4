// RUN: %s other.stan
// WHY: two programs
model {}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: too many arguments, don't know what to do with 'other.stan'
