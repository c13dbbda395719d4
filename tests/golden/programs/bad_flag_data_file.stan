// RUN: --debug-generate-inits --debug-data-file=nothing.json %s
// WHY: a data file that is not there
model {}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: option '--debug-data-file': no 'nothing.json' file
