// RUN: --all-errors %s
// WHY: no more than twenty
model {
  print(unknown_0);
  print(unknown_1);
  print(unknown_2);
  print(unknown_3);
  print(unknown_4);
  print(unknown_5);
  print(unknown_6);
  print(unknown_7);
  print(unknown_8);
  print(unknown_9);
  print(unknown_10);
  print(unknown_11);
  print(unknown_12);
  print(unknown_13);
  print(unknown_14);
  print(unknown_15);
  print(unknown_16);
  print(unknown_17);
  print(unknown_18);
  print(unknown_19);
  print(unknown_20);
  print(unknown_21);
  print(unknown_22);
  print(unknown_23);
  print(unknown_24);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_all_twenty.stan', line 4, column 8 to column 17:
//|    -------------------------------------------------
//|      2:  // WHY: no more than twenty
//|      3:  model {
//|      4:    print(unknown_0);
//|                  ^
//|      5:    print(unknown_1);
//|      6:    print(unknown_2);
//|    -------------------------------------------------
//|
//| Identifier 'unknown_0' not in scope.
//| Semantic error in 'bad_all_twenty.stan', line 5, column 8 to column 17:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    print(unknown_0);
//|      5:    print(unknown_1);
//|                  ^
//|      6:    print(unknown_2);
//|      7:    print(unknown_3);
//|    -------------------------------------------------
//|
//| Identifier 'unknown_1' not in scope.
//| Semantic error in 'bad_all_twenty.stan', line 6, column 8 to column 17:
//|    -------------------------------------------------
//|      4:    print(unknown_0);
//|      5:    print(unknown_1);
//|      6:    print(unknown_2);
//|                  ^
//|      7:    print(unknown_3);
//|      8:    print(unknown_4);
//|    -------------------------------------------------
//|
//| Identifier 'unknown_2' not in scope.
//| Semantic error in 'bad_all_twenty.stan', line 7, column 8 to column 17:
//|    -------------------------------------------------
//|      5:    print(unknown_1);
//|      6:    print(unknown_2);
//|      7:    print(unknown_3);
//|                  ^
//|      8:    print(unknown_4);
//|      9:    print(unknown_5);
//|    -------------------------------------------------
//|
//| Identifier 'unknown_3' not in scope.
//| Semantic error in 'bad_all_twenty.stan', line 8, column 8 to column 17:
//|    -------------------------------------------------
//|      6:    print(unknown_2);
//|      7:    print(unknown_3);
//|      8:    print(unknown_4);
//|                  ^
//|      9:    print(unknown_5);
//|     10:    print(unknown_6);
//|    -------------------------------------------------
//|
//| Identifier 'unknown_4' not in scope.
//| Semantic error in 'bad_all_twenty.stan', line 9, column 8 to column 17:
//|    -------------------------------------------------
//|      7:    print(unknown_3);
//|      8:    print(unknown_4);
//|      9:    print(unknown_5);
//|                  ^
//|     10:    print(unknown_6);
//|     11:    print(unknown_7);
//|    -------------------------------------------------
//|
//| Identifier 'unknown_5' not in scope.
//| Semantic error in 'bad_all_twenty.stan', line 10, column 8 to column 17:
//|    -------------------------------------------------
//|      8:    print(unknown_4);
//|      9:    print(unknown_5);
//|     10:    print(unknown_6);
//|                  ^
//|     11:    print(unknown_7);
//|     12:    print(unknown_8);
//|    -------------------------------------------------
//|
//| Identifier 'unknown_6' not in scope.
//| Semantic error in 'bad_all_twenty.stan', line 11, column 8 to column 17:
//|    -------------------------------------------------
//|      9:    print(unknown_5);
//|     10:    print(unknown_6);
//|     11:    print(unknown_7);
//|                  ^
//|     12:    print(unknown_8);
//|     13:    print(unknown_9);
//|    -------------------------------------------------
//|
//| Identifier 'unknown_7' not in scope.
//| Semantic error in 'bad_all_twenty.stan', line 12, column 8 to column 17:
//|    -------------------------------------------------
//|     10:    print(unknown_6);
//|     11:    print(unknown_7);
//|     12:    print(unknown_8);
//|                  ^
//|     13:    print(unknown_9);
//|     14:    print(unknown_10);
//|    -------------------------------------------------
//|
//| Identifier 'unknown_8' not in scope.
//| Semantic error in 'bad_all_twenty.stan', line 13, column 8 to column 17:
//|    -------------------------------------------------
//|     11:    print(unknown_7);
//|     12:    print(unknown_8);
//|     13:    print(unknown_9);
//|                  ^
//|     14:    print(unknown_10);
//|     15:    print(unknown_11);
//|    -------------------------------------------------
//|
//| Identifier 'unknown_9' not in scope.
//| Semantic error in 'bad_all_twenty.stan', line 14, column 8 to column 18:
//|    -------------------------------------------------
//|     12:    print(unknown_8);
//|     13:    print(unknown_9);
//|     14:    print(unknown_10);
//|                  ^
//|     15:    print(unknown_11);
//|     16:    print(unknown_12);
//|    -------------------------------------------------
//|
//| Identifier 'unknown_10' not in scope.
//| Semantic error in 'bad_all_twenty.stan', line 15, column 8 to column 18:
//|    -------------------------------------------------
//|     13:    print(unknown_9);
//|     14:    print(unknown_10);
//|     15:    print(unknown_11);
//|                  ^
//|     16:    print(unknown_12);
//|     17:    print(unknown_13);
//|    -------------------------------------------------
//|
//| Identifier 'unknown_11' not in scope.
//| Semantic error in 'bad_all_twenty.stan', line 16, column 8 to column 18:
//|    -------------------------------------------------
//|     14:    print(unknown_10);
//|     15:    print(unknown_11);
//|     16:    print(unknown_12);
//|                  ^
//|     17:    print(unknown_13);
//|     18:    print(unknown_14);
//|    -------------------------------------------------
//|
//| Identifier 'unknown_12' not in scope.
//| Semantic error in 'bad_all_twenty.stan', line 17, column 8 to column 18:
//|    -------------------------------------------------
//|     15:    print(unknown_11);
//|     16:    print(unknown_12);
//|     17:    print(unknown_13);
//|                  ^
//|     18:    print(unknown_14);
//|     19:    print(unknown_15);
//|    -------------------------------------------------
//|
//| Identifier 'unknown_13' not in scope.
//| Semantic error in 'bad_all_twenty.stan', line 18, column 8 to column 18:
//|    -------------------------------------------------
//|     16:    print(unknown_12);
//|     17:    print(unknown_13);
//|     18:    print(unknown_14);
//|                  ^
//|     19:    print(unknown_15);
//|     20:    print(unknown_16);
//|    -------------------------------------------------
//|
//| Identifier 'unknown_14' not in scope.
//| Semantic error in 'bad_all_twenty.stan', line 19, column 8 to column 18:
//|    -------------------------------------------------
//|     17:    print(unknown_13);
//|     18:    print(unknown_14);
//|     19:    print(unknown_15);
//|                  ^
//|     20:    print(unknown_16);
//|     21:    print(unknown_17);
//|    -------------------------------------------------
//|
//| Identifier 'unknown_15' not in scope.
//| Semantic error in 'bad_all_twenty.stan', line 20, column 8 to column 18:
//|    -------------------------------------------------
//|     18:    print(unknown_14);
//|     19:    print(unknown_15);
//|     20:    print(unknown_16);
//|                  ^
//|     21:    print(unknown_17);
//|     22:    print(unknown_18);
//|    -------------------------------------------------
//|
//| Identifier 'unknown_16' not in scope.
//| Semantic error in 'bad_all_twenty.stan', line 21, column 8 to column 18:
//|    -------------------------------------------------
//|     19:    print(unknown_15);
//|     20:    print(unknown_16);
//|     21:    print(unknown_17);
//|                  ^
//|     22:    print(unknown_18);
//|     23:    print(unknown_19);
//|    -------------------------------------------------
//|
//| Identifier 'unknown_17' not in scope.
//| Semantic error in 'bad_all_twenty.stan', line 22, column 8 to column 18:
//|    -------------------------------------------------
//|     20:    print(unknown_16);
//|     21:    print(unknown_17);
//|     22:    print(unknown_18);
//|                  ^
//|     23:    print(unknown_19);
//|     24:    print(unknown_20);
//|    -------------------------------------------------
//|
//| Identifier 'unknown_18' not in scope.
//| Semantic error in 'bad_all_twenty.stan', line 23, column 8 to column 18:
//|    -------------------------------------------------
//|     21:    print(unknown_17);
//|     22:    print(unknown_18);
//|     23:    print(unknown_19);
//|                  ^
//|     24:    print(unknown_20);
//|     25:    print(unknown_21);
//|    -------------------------------------------------
//|
//| Identifier 'unknown_19' not in scope.
