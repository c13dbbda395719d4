// Starts `fermiac lsp` for Stan programs. All the rest is the server's.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const settings = vscode.workspace.getConfiguration("fermiac");
  const server = { command: settings.get("path"), args: ["lsp"] };
  client = new LanguageClient("fermiac", "Stan (fermiac)", server, {
    documentSelector: [{ language: "stan" }],
    initializationOptions: { includePaths: settings.get("includePaths"), pedantic: settings.get("pedantic") },
  });
  return client.start();
};

exports.deactivate = () => client && client.stop();
