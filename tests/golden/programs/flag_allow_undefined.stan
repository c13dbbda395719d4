// RUN: --allow-undefined %s
// WHY: external functions
functions { real f(real a); }
model { target += f(1); }
//|exit 0
