// RUN: -f q %s
// WHY: a memory pattern that is none
model {}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: option '-f': invalid value 'q', expected either 'soa' or 'no-soa'
