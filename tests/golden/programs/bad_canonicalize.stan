// RUN: --auto-format --canonicalize=parens %s
// WHY: the list of rewrites is quoted
model {
}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: option '--canonicalize': invalid element in list ('parens'): invalid
//|        value 'parens', expected one of 'deprecations', 'parentheses',
//|        'braces', 'includes' or 'strip-comments'
