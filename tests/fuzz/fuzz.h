// One entry per part that reads text from outside, shared by the libFuzzer programs and by the short run of ctest. Each
// takes any bytes and must come back; FERMIAC_CHECK and the sanitizers tell what went wrong.
#pragma once

#include <string>

namespace fermiac::fuzz {

/// Splits the text into tokens: they must lie in order and be what the source has in their places.
void lexer(const std::string& text);
/// Parses it as a program and as a file of functions, strictly or not, with and without going on after errors.
void parser(const std::string& text);
/// Parses and checks it; every report must render.
void checker(const std::string& text);
/// Names of what could be read of it, as an editor asks for them: every use is a word of the text, of a symbol that there is.
void names(const std::string& text);
/// Formats what checks, in all canonical forms: the result must mean the same and must not change when formatted again.
void formatter(const std::string& text);
/// Reads it as the complete form of the MIR: what is read must print as it reads, and must not upset the verifier.
void mir_reader(const std::string& text);

}  // namespace fermiac::fuzz
