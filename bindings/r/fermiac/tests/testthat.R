library(testthat)
library(fermiac)

test_check("fermiac")
