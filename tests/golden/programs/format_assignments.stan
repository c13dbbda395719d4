// RUN: --auto-format %s
// WHY: assignment operators
model { real a; vector[2] b; a=1; a+=2; a-=3; a*=4; a/=5; b.*=[1,2]'; b./=[1,2]'; }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: assignment operators
//| model {
//|   real a;
//|   vector[2] b;
//|   a = 1;
//|   a += 2;
//|   a -= 3;
//|   a *= 4;
//|   a /= 5;
//|   b .*= [1, 2]';
//|   b ./= [1, 2]';
//| }
//|
