// RUN: --no_such_thing %s
// WHY: an unknown option is named as it was written
model {}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: unknown option '--no_such_thing'
