// Densities that are calls on the tape and a few steps of a chain: generalised linear models of a constant matrix, ordered outcomes.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "autodiff/tape/opencl/chains.h"

namespace fermiac::ad::device {

/// Their names.
std::vector<std::string_view> densities_with_steps();
bool has_steps(const TapeView& tape, const TapeCall& call);
/// Of a call that has steps: it reads the operand element by element, so that may be a result of the chain.
bool reads_elements(const TapeCall& call, std::uint32_t operand);
/// Appends them. `vector`: where the numbers from a place of the arena on come from.
void add_steps(const TapeView& tape, const TapeCall& call, const std::function<Source(std::uint32_t)>& vector, Chain* to);

/// A constant matrix of the tape.
bool is_constant_matrix(const TapeView& tape, const TapeCallOperand& operand);
/// Such a matrix times a vector; columns of a matrix follow one another.
Source add_product(const TapeCallOperand& matrix, const TapeCallOperand& vector, std::uint32_t column, Chain* to);

}  // namespace fermiac::ad::device
