#include "frontend/types.h"

#include <gtest/gtest.h>

namespace fermiac {
namespace {

TEST(Types, PrintAsTheLanguageWritesThem) {
  EXPECT_EQ(Type(BaseType::Int).str(), "int");
  EXPECT_EQ(Type(BaseType::ComplexRowVector).str(), "complex_row_vector");
  EXPECT_EQ(Type(BaseType::Vector, 2).str(), "array[,] vector");
  EXPECT_EQ(Type::tuple({BaseType::Int, Type(BaseType::Real, 1)}).str(), "tuple(int, array[] real)");
  EXPECT_EQ(Type::tuple({BaseType::Int}).with_array_dims(1).str(), "array[] tuple(int)");
  const FunctionType f{{{BaseType::Vector, false}, {BaseType::Real, true}}, BaseType::Real};
  EXPECT_EQ(Type::function(f).str(), "(vector, data real) => real");
}

TEST(Types, CompareByStructure) {
  EXPECT_EQ(Type::tuple({BaseType::Int, BaseType::Real}), Type::tuple({BaseType::Int, BaseType::Real}));
  EXPECT_NE(Type::tuple({BaseType::Int, BaseType::Real}), Type::tuple({BaseType::Real, BaseType::Int}));
  EXPECT_NE(Type(BaseType::Real), Type(BaseType::Real, 1));
  EXPECT_EQ(Type(BaseType::Real, 1).element(), Type(BaseType::Real));
}

TEST(Types, OnlyIntsAllTheWayDownAreDiscrete) {
  EXPECT_TRUE(Type(BaseType::Int, 3).is_discrete());
  EXPECT_TRUE(Type::tuple({BaseType::Int, Type(BaseType::Int, 1)}).is_discrete());
  EXPECT_FALSE(Type::tuple({BaseType::Int, BaseType::Real}).is_discrete());
  EXPECT_FALSE(Type(BaseType::Vector).is_discrete());
}

TEST(AdLevels, ATupleIsAutodiffIfASlotIs) {
  AdLevel data;
  AdLevel autodiff{true, {}};
  EXPECT_FALSE((AdLevel{false, {data, data}}).any());
  EXPECT_TRUE((AdLevel{false, {data, autodiff}}).any());
}

}  // namespace
}  // namespace fermiac
