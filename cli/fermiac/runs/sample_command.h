// `fermiac sample`, and `fermiac resume` and `fermiac replay`, which take the options of the former from what its run left.
#pragma once

#include <string>
#include <vector>

namespace fermiac::cli {

class Commands;
struct Invocation;

/// `given`: all arguments of the program, for the record of the run.
void add_sample(Commands& commands, Invocation& call, const std::vector<std::string>& given);
void add_resume(Commands& commands, Invocation& call);
void add_replay(Commands& commands, Invocation& call);

}  // namespace fermiac::cli
