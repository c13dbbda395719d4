// RUN: --standalone-functions %s
// WHY: functions only
functions { real f(real a) { return a; } }
//|exit 0
