// The form of the MIR that a compiling back end wants: data and parameters are read by explicit statements, outputs are
// written by explicit statements. An engine that binds variables itself (the interpreter) executes lower()'s result
// instead.
#pragma once

#include "mir/ir/ir.h"

namespace fermiac::mir {

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

}  // namespace fermiac::mir
