// RUN: --warn-pedantic=xml %s
// WHY: json is the only other format
model {
}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: option '--warn-pedantic': invalid value 'xml', expected 'json' or
//|        nothing
