// Lowering: checked syntax tree to MIR. docs/phases/mir.md says what becomes of each construct.
#pragma once

#include <string_view>

#include "frontend/ast/ast.h"
#include "mir/ir/ir.h"

namespace fermiac::mir {

/// `program` must have passed the checker without errors: lowering reads the fields the checker filled and reports
/// nothing itself. `model_name` and `path` are stored in the result.
///
/// What an engine finds in the result:
///   input_vars           data variables, in order, with their sizes
///   prepare_data         Decl of every data and transformed-data variable (data values are bound by the engine right
///                        after the Decl of an input variable), size and constraint checks, transformed data, and last
///                        the sizes of parameters, transformed parameters and generated quantities
///   log_prob             Decl of every parameter (bound by the engine from output_vars' transform), transformed
///                        parameters, one Block for the model
///   generate_quantities  the same Decls on plain data, transformed parameters, generated quantities, with the two
///   early
///                        returns on `emit_transformed_parameters__` and `emit_generated_quantities__`
///   output_vars          every parameter, transformed parameter and generated quantity in declaration order, with its
///                        constrained and unconstrained sizes and its transform; sizes mention only data,
///                        transformed data and the size variables that prepare_data ends with
Program lower(const ast::Program& program, std::string_view model_name, std::string_view path);

// The form of the MIR that a compiling back end wants: data and parameters are read by explicit statements, outputs are
// written by explicit statements. An engine that binds variables itself (the interpreter) executes lower()'s result
// instead.

/// Inserts, into the result of lower():
///   prepare_data         after each input Decl the statements that fill it from FnReadData
///   log_prob             FnReadParam for each parameter
///   generate_quantities  FnReadParam for each parameter, FnWriteParam for everything that is written
///   transform_inits      for each parameter: Decl, read as data, FnWriteParam with its transform
///   unconstrain_array    for each parameter: Decl, FnReadDeserializer, FnWriteParam with its transform
///   reverse_mode_log_prob := log_prob
/// and makes every branch and loop body a Block, without nested SLists. Renaming of words reserved in the target
/// language is left to the back end.
Program transform_for_backend(Program program);

/// Branches and loop bodies become Blocks; SLists are spliced into the enclosing list.
std::vector<StmtPtr> with_block_bodies(const std::vector<StmtPtr>& statements);

/// The type of the free numbers of a variable that is no tuple.
SizedType free_type(const SizedType& type, TransformKind transform);

}  // namespace fermiac::mir
