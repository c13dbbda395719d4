#!/usr/bin/env bash
# Packs the extension, loads it with a stand-in for the editor, and has the editor's own protocol library talk to the server.
# Usage: bindings/editors/vscode/check.sh FERMIAC. Needs node and npm (which gets the modules); run by hand, it is no test.
set -euo pipefail
fermiac="$(realpath "$1")"
here="$(cd "$(dirname "$0")" && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cp "$here"/*.js* "$here/../../../LICENSE" "$work"
cd "$work"
npm install --no-audit --no-fund --silent
npx --yes @vscode/vsce package --allow-missing-repository | tail -1
cat > "$work/check.js" <<'JS'
const { spawn } = require("child_process");
const Module = require("module");
const load = Module._load;
const settings = { path: process.env.FERMIAC, includePaths: ["include"], pedantic: false };
let started;
Module._load = function (name, ...rest) {
  if (name === "vscode") return { workspace: { getConfiguration: () => ({ get: (key) => settings[key] }) } };
  if (name === "vscode-languageclient/node")
    return { LanguageClient: class { constructor(id, title, server, client) { started = { server, client }; } start() { return Promise.resolve(); } stop() {} } };
  return load.call(this, name, ...rest);
};
const text = "data {\n  int<lower=0> N;\n  vector[N] y;\n}\nparameters {\n  real mu;\n}\nmodel {\n  y~normal( mu,1 );\n  target += alhpa;\n}\n";
const document = { uri: "file:///nowhere/m.stan" };

(async () => {
  await require("./extension.js").activate();
  const { StreamMessageReader, StreamMessageWriter, createMessageConnection } = require("vscode-jsonrpc/node");
  const protocol = require("vscode-languageserver-protocol");
  const server = spawn(started.server.command, started.server.args);
  const talk = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  const diagnostics = new Promise((told) => talk.onNotification(protocol.PublishDiagnosticsNotification.type, told));
  talk.listen();
  const answer = await talk.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid, rootUri: null, initializationOptions: started.client.initializationOptions,
    capabilities: { textDocument: { publishDiagnostics: { relatedInformation: true }, codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } } } },
  });
  console.log("serves: " + Object.keys(answer.capabilities).join(", "));
  await talk.sendNotification(protocol.InitializedNotification.type, {});
  await talk.sendNotification(protocol.DidOpenTextDocumentNotification.type, { textDocument: { ...document, languageId: "stan", version: 1, text } });
  for (const d of (await diagnostics).diagnostics) console.log(`line ${d.range.start.line + 1}: ${d.message}`);
  const position = { line: 8, character: 5 };
  console.log((await talk.sendRequest(protocol.HoverRequest.type, { textDocument: document, position })).contents.value.split("\n")[0]);
  const edits = await talk.sendRequest(protocol.DocumentFormattingRequest.type, { textDocument: document, options: { tabSize: 2, insertSpaces: true } });
  console.log("format with an error in the text: " + (edits || []).length + " edits");
  const tokens = await talk.sendRequest(protocol.SemanticTokensRequest.type, { textDocument: document });
  console.log("semantic tokens: " + tokens.data.length / 5);
  await talk.sendRequest(protocol.ShutdownRequest.type);
  await talk.sendNotification(protocol.ExitNotification.type);
  server.on("exit", (status) => { console.log("the server ended with status " + status); process.exit(status); });
})();
JS
FERMIAC="$fermiac" node check.js
