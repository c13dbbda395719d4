#include "cli/lsp/server.h"

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <utility>

#include "cli/lsp/channel.h"
#include "cli/lsp/features.h"
#include "cli/lsp/uri.h"
#include "support/base/json.h"
#include "support/base/json_build.h"
#include "support/base/utf8.h"
#include "support/platform/stack.h"

namespace fermiac::lsp {
namespace {

/// Requests about one document.
struct FeatureRow {
  std::string_view method;
  Feature run;
};
constexpr FeatureRow kFeatures[] = {
    {"textDocument/hover", hover},
    {"textDocument/completion", completion},
    {"textDocument/signatureHelp", signature_help},
    {"textDocument/definition", definition},
    {"textDocument/references", references},
    {"textDocument/documentHighlight", highlights},
    {"textDocument/prepareRename", prepare_rename},
    {"textDocument/rename", rename},
    {"textDocument/documentSymbol", document_symbols},
    {"textDocument/formatting", formatting},
    {"textDocument/semanticTokens/full", semantic_tokens},
    {"textDocument/codeLens", code_lenses},
    {"textDocument/codeAction", code_actions},
};

std::string capabilities() {
  return R"({"positionEncoding":"utf-16","textDocumentSync":{"openClose":true,"change":2,"save":true},"hoverProvider":true,)"
         R"("completionProvider":{"triggerCharacters":["~"]},"signatureHelpProvider":{"triggerCharacters":["(",",","|"]},)"
         R"("definitionProvider":true,"referencesProvider":true,"documentHighlightProvider":true,)"
         R"("renameProvider":{"prepareProvider":true},"documentSymbolProvider":true,"documentFormattingProvider":true,)"
         R"("codeLensProvider":{"resolveProvider":false},"codeActionProvider":{"codeActionKinds":["quickfix"]},)"
         R"("semanticTokensProvider":{"full":true,"legend":)" +
         semantic_legend() + "}}";
}

std::string error_json(ErrorCode code, const std::string& message) {
  return json_object({{"code", std::to_string(static_cast<int>(code))}, {"message", json_quote(message)}});
}

bool is_id(const JsonValue& id) { return id.kind == JsonValue::Kind::Number || id.kind == JsonValue::Kind::String; }

class Server {
 public:
  Server(Channel& channel, int tallest) : channel_(channel) { options_.tallest = tallest; }

  int run() {
    for (std::string text; !done_;) {
      const Channel::Got got = channel_.read(&text);
      if (got == Channel::Got::End) break;
      if (got == Channel::Got::Bad) reply_error("null", ErrorCode::InvalidRequest, text);
      else message(text);
      if (!channel_.pending()) publish();  // who types fast gets the diagnostics of what is there in the end
    }
    return shut_down_ ? 0 : 1;
  }

 private:
  using Notice = void (Server::*)(const JsonValue& params);
  struct NoticeRow {
    std::string_view method;
    Notice run;
  };
  static const NoticeRow kNotices[];

  // ---- messages

  void message(const std::string& text) {
    JsonValue json;
    if (!is_utf8(text)) return reply_error("null", ErrorCode::ParseError, "the message is no UTF-8 text");
    if (const Status problem = parse_json(text, &json); !problem) return reply_error("null", ErrorCode::ParseError, problem.message);
    const JsonValue* const id = json.find("id");
    const JsonValue* const method = json.find("method");
    const bool reply = !method && id && (json.find("result") || json.find("error"));  // to nothing that was asked
    if (reply) return;
    if (json.kind != JsonValue::Kind::Object || !method || method->kind != JsonValue::Kind::String || (id && !is_id(*id)))
      return reply_error(id && is_id(*id) ? json_text(*id) : "null", ErrorCode::InvalidRequest, "a message needs a method, and a request a number or string as id");
    static const JsonValue kNone;
    const JsonValue* const given = json.find("params");
    const JsonValue& params = given ? *given : kNone;
    if (id) request(json_text(*id), method->string, params);
    else notice(method->string, params);
  }

  void request(const std::string& id, const std::string& method, const JsonValue& params) {
    try {
      reply(id, answer(method, params));
    } catch (const RpcError& e) {
      reply_error(id, e.code, e.what());
    } catch (const std::bad_alloc&) {
      reply_error(id, ErrorCode::InternalError, "there is not enough memory for this");
    } catch (const std::exception& e) {
      reply_error(id, ErrorCode::InternalError, e.what());
    }
  }

  std::string answer(const std::string& method, const JsonValue& params) {
    if (shut_down_) throw RpcError(ErrorCode::InvalidRequest, "the server was shut down");
    if (method == "initialize") return initialize(params);
    if (!initialized_) throw RpcError(ErrorCode::NotInitialized, "the first request is initialize");
    if (method == "shutdown") return shut_down_ = true, "null";
    const auto row = std::ranges::find(kFeatures, method, &FeatureRow::method);
    if (row == std::end(kFeatures)) throw RpcError(ErrorCode::MethodNotFound, "there is no method '" + method + "'");
    return row->run(document(params), params);
  }

  void notice(const std::string& method, const JsonValue& params) {
    if (method == "exit") return void(done_ = true);
    if (!initialized_ || shut_down_) return;
    const auto row = std::find_if(kNotices, kNotices + kNoticeCount, [&](const NoticeRow& r) { return r.method == method; });
    if (row == kNotices + kNoticeCount) return;  // notifications have no answer
    try {
      (this->*row->run)(params);
    } catch (const std::exception& e) {
      log(method + ": " + e.what());
    }
  }

  void reply(const std::string& id, const std::string& result) {
    send(json_object({{"jsonrpc", "\"2.0\""}, {"id", id}, {"result", result}}));
  }
  void reply_error(const std::string& id, ErrorCode code, const std::string& message) {
    send(json_object({{"jsonrpc", "\"2.0\""}, {"id", id}, {"error", error_json(code, message)}}));
  }
  void notify(const std::string& method, const std::string& params) {
    send(json_object({{"jsonrpc", "\"2.0\""}, {"method", json_quote(method)}, {"params", params}}));
  }
  void log(const std::string& text) {
    constexpr std::string_view kAsWarning = "2";
    notify("window/logMessage", json_object({{"type", std::string(kAsWarning)}, {"message", json_quote(text)}}));
  }
  void send(const std::string& message) {
    if (!channel_.write(is_utf8(message) ? message : valid_utf8(message))) done_ = true;  // nobody listens any more
  }

  // ---- life

  std::string initialize(const JsonValue& params) {
    if (initialized_) throw RpcError(ErrorCode::InvalidRequest, "initialize was called before");
    initialized_ = true;
    settings(params.find("initializationOptions"));
    if (const std::string root = path_of_uri(json_string_or(params.find("rootUri"), "")); !root.empty()) options_.include_paths.push_back(root);
    return json_object({{"capabilities", capabilities()},
                        {"serverInfo", json_object({{"name", "\"fermiac\""}, {"version", json_quote(FERMIAC_VERSION)}})}});
  }

  /// `{"includePaths": ["dir"], "pedantic": true}`
  void settings(const JsonValue* given) {
    if (!given) return;
    if (const JsonValue* paths = given->find("includePaths"))
      for (const JsonValue& path : paths->items)
        if (path.kind == JsonValue::Kind::String) options_.include_paths.push_back(path.string);
    options_.warn_pedantic = json_is_true(given->find("pedantic"));
  }

  // ---- documents

  static std::string uri_in(const JsonValue& params) {
    const JsonValue* uri = json_path(params, {"textDocument", "uri"});
    if (!uri || uri->kind != JsonValue::Kind::String) throw RpcError(ErrorCode::InvalidParams, "textDocument.uri is missing");
    return uri->string;
  }

  Document& document(const JsonValue& params) {
    const std::string uri = uri_in(params);
    const auto found = documents_.find(uri);
    if (found == documents_.end()) throw RpcError(ErrorCode::InvalidParams, "'" + uri + "' is not open");
    return *found->second;
  }

  static std::string version_in(const JsonValue& params) {
    const JsonValue* version = json_path(params, {"textDocument", "version"});
    return version && version->kind == JsonValue::Kind::Number ? json_text(*version) : "";
  }

  void did_open(const JsonValue& params) {
    const std::string uri = uri_in(params);
    const JsonValue* text = json_path(params, {"textDocument", "text"});
    if (!text || text->kind != JsonValue::Kind::String) throw RpcError(ErrorCode::InvalidParams, "textDocument.text is missing");
    documents_[uri] = std::make_unique<Document>(uri, text->string, options_);
    documents_[uri]->version = version_in(params);
    changed_.insert(uri);
  }

  void did_change(const JsonValue& params) {
    Document& changed = document(params);
    const JsonValue* changes = params.find("contentChanges");
    if (!changes) throw RpcError(ErrorCode::InvalidParams, "contentChanges is missing");
    for (const JsonValue& change : changes->items) apply(changed, change);
    changed.version = version_in(params);
    changed_.insert(changed.uri());
  }

  static void apply(Document& document, const JsonValue& change) {
    const JsonValue* text = change.find("text");
    if (!text || text->kind != JsonValue::Kind::String) throw RpcError(ErrorCode::InvalidParams, "a change needs a text");
    const JsonValue* range = change.find("range");
    if (!range) return document.replace(text->string);
    if (!document.replace(position_in(range->find("start")), position_in(range->find("end")), text->string))
      throw RpcError(ErrorCode::InvalidParams, "the range of a change ends before it begins");
  }

  void did_close(const JsonValue& params) {
    const std::string uri = uri_in(params);
    if (documents_.erase(uri) == 0) return;
    changed_.erase(uri);
    notify("textDocument/publishDiagnostics", json_object({{"uri", json_quote(uri)}, {"diagnostics", "[]"}}));
  }

  /// Other texts may include what was saved.
  void did_save(const JsonValue& params) {
    const std::string saved = uri_in(params);
    for (const auto& [uri, open] : documents_) {
      if (uri != saved) open->replace(open->text());
      changed_.insert(uri);
    }
  }

  void publish() {
    for (const std::string& uri : std::exchange(changed_, {})) {
      const auto open = documents_.find(uri);
      if (open == documents_.end()) continue;
      try {
        notify("textDocument/publishDiagnostics", diagnostics(*open->second));
      } catch (const std::exception& e) {
        log(uri + ": " + e.what());
      }
    }
  }

  static const std::size_t kNoticeCount;
  Channel& channel_;
  CompileOptions options_{.keep_broken = true, .all_errors = true, .warn_uninitialized = true};
  std::map<std::string, std::unique_ptr<Document>> documents_;
  std::set<std::string> changed_;  // their diagnostics are still to be told
  bool initialized_ = false, shut_down_ = false, done_ = false;
};

const Server::NoticeRow Server::kNotices[] = {
    {"textDocument/didOpen", &Server::did_open},
    {"textDocument/didChange", &Server::did_change},
    {"textDocument/didClose", &Server::did_close},
    {"textDocument/didSave", &Server::did_save},
};
const std::size_t Server::kNoticeCount = std::size(kNotices);

}  // namespace

int serve(int in, std::FILE* out) {
  Channel channel(in, out);
  int status = 1;
  on_large_stack([&](int tallest) { status = Server(channel, tallest).run(); });
  return status;
}

}  // namespace fermiac::lsp
