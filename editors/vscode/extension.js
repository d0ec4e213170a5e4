// Starts `heapwright lsp` for specifications.

const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const settings = workspace.getConfiguration("heapwright");
  const server = { command: settings.get("path"), args: ["lsp", ...settings.get("arguments")] };
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (folder) server.options = { cwd: folder };
  client = new LanguageClient("heapwright", "Heapwright", server, {
    documentSelector: [{ language: "heapwright" }],
  });
  return client.start();
};

exports.deactivate = () => client?.stop();
