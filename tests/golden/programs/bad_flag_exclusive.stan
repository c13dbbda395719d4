// RUN: --debug-mir --debug-mir-pretty %s
// WHY: two forms of one output
model {}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: options '--debug-mir' and '--debug-mir-pretty' cannot be present at
//|        the same time
