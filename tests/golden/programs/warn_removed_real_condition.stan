// RUN: %s
// WHY: conditions that are real numbers are reported, and still mean what they meant
data { real x; }
model {
  if (x) print(x);
  if (!(x + 1)) print(x);
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_real_condition.stan', line 5, column 6 to column 7:
//|     Conditions that are real numbers were removed from the language. Write x
//|     != 0.0 instead.
//| Warning in 'warn_removed_real_condition.stan', line 6, column 7 to column 14:
//|     Conditions that are real numbers were removed from the language. Write (x
//|     + 1) != 0.0 instead.
//|
