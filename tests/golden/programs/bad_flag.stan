// RUN: --auto-formt %s
// WHY: an unknown flag comes with a suggestion
model {
}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: unknown option '--auto-formt'. Did you mean '--auto-format'?
