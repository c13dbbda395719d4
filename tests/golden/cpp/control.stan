// RUN: %s
// WHY: loops, branches and what ends them; the upper bound of a loop is evaluated in every round
// SHOW: constructor places
transformed data {
  int hi = 5;
  real s = 0;
  for (i in 1 : hi) {
    if (i == 2) continue;
    else if (i > 3) break;
    s += i;
  }
  while (s > 0) s -= 1.5;
  for (e in {1, 2, 3}) s += e;
  profile("a ??/ part \") {
    real t = s;
  }
}
//|constructor
//|       hi = std::numeric_limits<int>::min();
//|       current_statement__ = 1;
//|       hi = 5;
//|       s = std::numeric_limits<double>::quiet_NaN();
//|       current_statement__ = 2;
//|       s = 0.0;
//|       current_statement__ = 3;
//|       for (int i = 1; i <= hi; ++i) {
//|         current_statement__ = 4;
//|         if (stan::math::logical_eq(i, 2)) {
//|           continue;
//|         } else {
//|           current_statement__ = 5;
//|           if (stan::math::logical_gt(i, 3)) {
//|             break;
//|           }
//|         }
//|         current_statement__ = 6;
//|         s = (s + i);
//|       }
//|       current_statement__ = 7;
//|       while (stan::math::logical_gt(s, 0)) {
//|         current_statement__ = 8;
//|         s = (s - 1.5);
//|       }
//|       {
//|         std::vector<int> sym1__;
//|         current_statement__ = 9;
//|         stan::model::assign(sym1__, std::vector<int>{1, 2, 3}, "assigning variable sym1__");
//|         current_statement__ = 9;
//|         for (int sym3__ = 1; sym3__ <= static_cast<int>(stan::math::size(sym1__)); ++sym3__) {
//|           {
//|             [[maybe_unused]] int e;
//|             current_statement__ = 9;
//|             e = stan::model::rvalue(sym1__, "sym1__", stan::model::index_uni(sym3__));
//|             current_statement__ = 10;
//|             s = (s + e);
//|           }
//|         }
//|       }
//|       current_statement__ = 11;
//|       {
//|         stan::math::profile<local_scalar_t__> profile__("a ?\?/ part \\", const_cast<stan::math::profile_map&>(profiles__));
//|         [[maybe_unused]] double t = std::numeric_limits<double>::quiet_NaN();
//|         current_statement__ = 12;
//|         t = s;
//|       }
