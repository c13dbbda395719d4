// RUN: %s
// WHY: an empty program is valid and suspicious (this one has comments only)
//|exit 0
//|stderr
//| Warning in 'empty.stan', line 1, column 0 to line 3, column 0:
//|     Empty file 'empty.stan' detected; this is a valid stan model but likely
//|     unintended!
//|
