// RUN: --help=html %s
// WHY: a format of the help text that is none
model {}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: option '--help': invalid value 'html', expected one of 'auto',
//|        'pager', 'groff' or 'plain'
