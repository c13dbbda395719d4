// RUN: %s --name
// WHY: a value is missing
model {}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: option '--name' needs an argument
