// RUN: --color=red %s
// WHY: a colour that is none
model {}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: option '--color': invalid value 'red', expected one of 'auto',
//|        'always' or 'never'
