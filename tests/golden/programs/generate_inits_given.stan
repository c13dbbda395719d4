// RUN: --debug-generate-inits --debug-data-file=includes/slots.json %s
// WHY: sizes come from the data file, where the slots of a tuple may stand in any order
data { int N; tuple(int, array[2] real) t; }
parameters { vector[N - t.1] a; array[t.1] real<lower=t.2[1], upper=3.5> b; }
//|exit 0
//|stdout
//| {
//|   "a": [3.622876340157034],
//|   "b": [3.1911196482558366, 3.1798086038236777]
//| }
