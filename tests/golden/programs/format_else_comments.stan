// RUN: --auto-format %s
// WHY: formatting the result again gives the same text
model {
  if (1) target += 1; else // one
    target += 2;
  if (1) target += 1; else /* two */ target += 2;
  if (1) target += 1; else // three

    // four
    target += 2;
  if (1) target += 1; else // five
    for (i in 1:2) target += i;
  if (1) target += 1; else // six
    if (0) target += 2; else /* seven */
      target += 3;
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: formatting the result again gives the same text
//| model {
//|   if (1) 
//|     target += 1;
//|   else // one
//|     target += 2;
//|   if (1) 
//|     target += 1;
//|   else /* two */
//|     target += 2;
//|   if (1) 
//|     target += 1;
//|   else // three
//|    // four
//|     target += 2;
//|   if (1) 
//|     target += 1;
//|   else // five
//|     for (i in 1 : 2) 
//|       target += i;
//|   if (1) 
//|     target += 1;
//|   else // six
//|   if (0) 
//|     target += 2;
//|   else /* seven */
//|     target += 3;
//| }
//|
