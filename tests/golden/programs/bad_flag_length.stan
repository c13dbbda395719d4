// RUN: --max-line-length=wide %s
// WHY: a length that is no number
model {}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: option '--max-line-length': invalid value 'wide', expected an integer
