// RUN: --debug-generate-data --debug-data-file=includes %s
// WHY: a data file that is a folder
data { int N; }
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: File 'includes' not found or cannot be opened.
