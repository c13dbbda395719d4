// The blocks of programs: what they are called, and where a program has them.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "frontend/ast/ast.h"

namespace fermiac::ast {

struct BlockRow {
  BlockKind kind;
  std::string_view name;
  std::string_view identifier;  // the name in trees and C++
  std::string_view mir_name;    // in MIR as text
  std::optional<ProgramBlock> Program::* block;
};

/// In the order in which a program has them, which is that of BlockKind.
inline constexpr std::array<BlockRow, 7> kBlocks{{
    {BlockKind::Functions, "functions", "functions", "Functions", &Program::functions_block},
    {BlockKind::Data, "data", "data", "Data", &Program::data},
    {BlockKind::TransformedData, "transformed data", "transformed_data", "TransformedData", &Program::transformed_data},
    {BlockKind::Parameters, "parameters", "parameters", "Parameters", &Program::parameters},
    {BlockKind::TransformedParameters, "transformed parameters", "transformed_parameters", "TransformedParameters", &Program::transformed_parameters},
    {BlockKind::Model, "model", "model", "Model", &Program::model},
    {BlockKind::GeneratedQuantities, "generated quantities", "generated_quantities", "GeneratedQuantities", &Program::generated_quantities},
}};

/// Those that have statements: all but `functions`.
inline constexpr std::span<const BlockRow> kStatementBlocks = std::span(kBlocks).subspan(1);

constexpr const BlockRow& row_of(BlockKind kind) { return kBlocks[static_cast<std::size_t>(kind)]; }
constexpr std::string_view block_name(BlockKind kind) { return row_of(kind).name; }
constexpr std::string_view block_identifier(BlockKind kind) { return row_of(kind).identifier; }

}  // namespace fermiac::ast
