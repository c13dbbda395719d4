// The language server: one client, messages one after the other.
#pragma once

#include <cstdio>

namespace fermiac::lsp {

/// Serves until the client says exit or goes away. Returns the exit status: 0 after shutdown, else 1.
int serve(int in, std::FILE* out);

}  // namespace fermiac::lsp
