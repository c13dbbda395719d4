// RUN: --color never %s
// WHY: no colours
model { print(1 / 2); }
//|exit 0
//|stderr
//| Warning in 'flag_color_never.stan', line 3, column 14 to column 15:
//|     Found int division: 1 / 2. The result is an int, values are rounded
//|     towards zero. If rounding is intended please use the integer division
//|     operator %/%, otherwise write one side as a real number, such as 1 / 2.0.
//|
