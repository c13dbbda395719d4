// RUN: --auto-format --canonicalize=strip-comments %s
// WHY: comments go if asked
// one
model { /* two */ print(1); // three
}
//|exit 0
//|stdout
//| model {
//|   print(1);
//| }
//|
