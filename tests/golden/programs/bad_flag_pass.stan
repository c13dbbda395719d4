// RUN: --pass=unroll %s
// WHY: an unknown pass is a usage error that names the known ones
model {
}
//|exit 124
//|stderr
//| Usage: stanc [--help] [OPTION]… [MODEL_FILE]
//| stanc: option '--pass': no pass is called 'unroll', expected one of inline
//|        constant-propagation copy-propagation expression-propagation dead-code
//|        partial-evaluation list-collapsing block-fixing
//|        uninitialised-declarations memory-patterns loop-vectorisation
//|        wide-vectorisation one-step-unrolling static-unrolling
//|        lazy-code-motion autodiff-levels
