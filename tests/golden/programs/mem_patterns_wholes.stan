// RUN: --O1 --debug-mem-patterns %s
// WHY: loop variables over arrays, slots of tuples and elements of literals are kept by element, and so is what they come from
parameters {
  real a;
  array[2] vector[2] looped;
  vector[2] in_slot;
  vector[2] whole;
}
model {
  for (v in looped) target += dot_self(v);
  tuple(vector[2], real) t = (in_slot, a);
  vector[2] of_slot = t.1;
  array[2] vector[2] mapped = inv_logit({rep_vector(a, 2), rep_vector(a, 2)});
  target += sum(of_slot) + sum(mapped[1]) + sum(whole);
}
//|exit 0
//|stdout
//| array[vector[2], 2] looped: AoS
//| vector[2] in_slot: AoS
//| vector[2] whole: SoA
//| tuple(vector[2], real) t: AoS
//| vector[2] of_slot: AoS
//| array[vector[2], 2] mapped: AoS
//| Optimization hazard warning (Line 10): SoA warning: Right hand side contains only AoS expressions: v
//| Optimization hazard warning (Line 12): SoA warning: Right hand side contains only AoS expressions: of_slot
//| Optimization hazard warning (Line 12): SoA warning: The right hand side of the assignment only contains data and scalar operations that are not promotable to SoA: of_slot, t
//| Optimization hazard warning (Line 13): SoA warning: Right hand side contains only AoS expressions: mapped
//| Optimization hazard warning (Line 13): SoA warning: The right hand side of the assignment only contains data and scalar operations that are not promotable to SoA: mapped
//| Optimization hazard warning (Line 5): SoA warning: Right hand side contains only AoS expressions: looped
//| Optimization hazard warning (Line 6): SoA warning: Right hand side contains only AoS expressions: in_slot
//|stderr
//| 'looped' is AoS: it is assigned to 'v', which is AoS (in 'mem_patterns_wholes.stan', line 10, column 2 to column 42): for (v in looped) target += dot_self(v);
//| 'in_slot' is AoS: it becomes an element of an array, a row or a tuple (in 'mem_patterns_wholes.stan', line 11, column 29 to column 41): (in_slot, a)
//| 't' is AoS: tuples hold their containers by element (in 'mem_patterns_wholes.stan', line 11, column 2 to column 42): tuple(vector[2], real) t = (in_slot, a);
//| 'of_slot' is AoS: the right side is computed by element (in 'mem_patterns_wholes.stan', line 12, column 22 to column 25): t.1
//| 'mapped' is AoS: the right side is computed by element (in 'mem_patterns_wholes.stan', line 13, column 30 to column 77): inv_logit({rep_vector(a, 2), rep_vector(a, 2)})
