// RUN: --auto-format %s
// WHY: comments stay where they mean something
// top
data { // after the brace
  int<lower=0> n; // count
  /* own
     lines */
  vector[n] x;
} // behind
model {
  // first
  target += normal_lpdf(x | 0, // location
                            1 /* scale */);
  if (n > 1) { // many
    print("many");
  } /* few */ else {
    print("few"); }
}
// end
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: comments stay where they mean something
//| // top
//| data {
//|   // after the brace
//|   int<lower=0> n; // count
//|   /* own
//|      lines */
//|   vector[n] x;
//| }
//| // behind
//| model {
//|   // first
//|   target += normal_lpdf(x | 0, // location
//|                         1 /* scale */);
//|   if (n > 1) {
//|     // many
//|     print("many");
//|   } /* few */ else {
//|     print("few");
//|   }
//| }
//| // end
