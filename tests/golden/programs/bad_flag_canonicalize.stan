// RUN: --canonicalize=braces,foo %s
// WHY: a rewrite that is none
model {}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: option '--canonicalize': invalid element in list ('foo'): invalid
//|        value 'foo', expected one of 'deprecations', 'parentheses', 'braces',
//|        'includes' or 'strip-comments'
