#!/usr/bin/env bash
# Opens a wrong program in Neovim without a screen, with the server attached, and shows what the editor got from it.
# Usage: bindings/editors/nvim/check.sh FERMIAC. Needs Neovim 0.7 or later (Debian: neovim); run by hand, it is no test.
set -euo pipefail
fermiac="$(realpath "$1")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cat > "$work/m.stan" <<'STAN'
data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
}
model {
  y~normal( mu,1 );
  target += alhpa;
}
STAN
cat > "$work/check.lua" <<'LUA'
local id = vim.lsp.start_client({ name = "fermiac", cmd = { vim.env.FERMIAC, "lsp" }, root_dir = vim.env.WORK })
vim.cmd("edit " .. vim.env.WORK .. "/m.stan")
vim.lsp.buf_attach_client(0, id)
local function wait(what, ready)
  if not vim.wait(10000, ready, 50) then print("no " .. what) vim.cmd("cquit 1") end
end
wait("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
for _, d in ipairs(vim.diagnostic.get(0)) do print(("line %d: %s"):format(d.lnum + 1, d.message)) end
local function ask(method, extra)
  local params = vim.tbl_extend("force", { textDocument = vim.lsp.util.make_text_document_params() }, extra or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, 10000)
  local answer = answers and answers[id]
  if not answer or answer.err then print(method .. " failed") vim.cmd("cquit 1") end
  return answer.result
end
print(ask("textDocument/hover", { position = { line = 8, character = 13 } }).contents.value)
print("completion: " .. #ask("textDocument/completion", { position = { line = 8, character = 13 } }).items .. " items")
vim.api.nvim_buf_set_lines(0, 9, 10, false, {})
wait("clean text", function() return #vim.diagnostic.get(0) == 0 end)
vim.lsp.util.apply_text_edits(ask("textDocument/formatting", { options = { tabSize = 2, insertSpaces = true } }), 0, "utf-16")
print("formatted: " .. vim.api.nvim_buf_get_lines(0, 8, 9, false)[1])
vim.cmd("qall!")
LUA

FERMIAC="$fermiac" WORK="$work" nvim --headless --clean -u NONE -c "luafile $work/check.lua" 2>&1
echo
