// `fermiac sample`, and `fermiac resume` and `fermiac replay`, which take the options of the former from what its run left.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace fermiac::cli {

struct Invocation;

/// `given`: all arguments of the program, for the record of the run.
void add_sample(CLI::App& app, Invocation& call, const std::vector<std::string>& given);
void add_resume(CLI::App& app, Invocation& call);
void add_replay(CLI::App& app, Invocation& call);

}  // namespace fermiac::cli
