// RUN: includes
// WHY: a folder instead of a program
model {}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: MODEL_FILE argument: 'includes' is a directory
