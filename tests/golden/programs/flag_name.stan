// RUN: --name=bar %s
// WHY: the name of the model may be given
model { real foo; }
//|exit 0
