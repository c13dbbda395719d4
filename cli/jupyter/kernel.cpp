#include "cli/jupyter/kernel.h"

#include <algorithm>
#include <span>
#include <thread>
#include <vector>

#include "repl/session/input_lines.h"
#include "support/base/encodings.h"
#include "support/base/json.h"
#include "support/base/json_build.h"
#include "support/base/language_version.h"
#include "support/base/text.h"
#include "support/base/utf8.h"

namespace fermiac::jupyter {
namespace {

using Outcome = repl::Session::Outcome;

const std::string kOk = R"({"status":"ok"})";

std::string json_quoted(std::string_view text) { return json_quote(valid_utf8(text)); }

/// For what shows no SVG of others as it is: programs that make pages of notebooks take its shapes out, Jupyter does where a notebook is not
/// trusted.
std::string as_image(std::string_view svg) {
  std::string out = "<img src=\"data:image/svg+xml;base64,";
  append_base64(std::as_bytes(std::span(svg)), out);
  return out + "\">";
}

/// Bytes of so many characters: the protocol counts code points.
std::size_t bytes_of_characters(std::string_view text, double characters) {
  std::size_t at = 0;
  for (; at < text.size() && characters >= 1; --characters) at += std::max<std::size_t>(utf8_length(text, at), 1);
  return at;
}

/// The name around an offset.
std::string name_at(std::string_view text, std::size_t at) {
  std::size_t begin = at, end = at;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  while (end < text.size() && is_word(text[end])) ++end;
  return std::string(text.substr(begin, end - begin));
}

std::string code_of(const Message& message) { return json_string_or(message.content.find("code"), ""); }
std::size_t cursor_of(const Message& message, std::string_view code) {
  return bytes_of_characters(code, json_number_or(message.content.find("cursor_pos"), 0));
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

/// The line of an error that says what it is: the last one of a report, the first one of anything else, without the word that clients
/// put before it.
std::string essence(const std::vector<std::string>& lines) {
  constexpr std::string_view kWord = "Error: ";
  if (lines.empty()) return "";
  const std::string& line = lines.front().ends_with(':') ? lines.back() : lines.front();
  return line.starts_with(kWord) ? line.substr(kWord.size()) : line;
}

std::string error_members(const std::string& text) {
  const std::vector<std::string> lines = lines_of(text);
  std::vector<std::string> traceback;
  for (const std::string& line : lines) traceback.push_back(json_quoted(line));
  return json_object({{"ename", "\"Error\""}, {"evalue", json_quoted(essence(lines))}, {"traceback", json_array(traceback)}});
}

}  // namespace

const Kernel::Row Kernel::kRequests[] = {
    {"kernel_info_request", &Kernel::kernel_info}, {"execute_request", &Kernel::execute},
    {"complete_request", &Kernel::complete},       {"inspect_request", &Kernel::inspect},
    {"is_complete_request", &Kernel::is_complete}, {"history_request", &Kernel::history},
    {"comm_info_request", &Kernel::comm_info},     {"interrupt_request", &Kernel::interrupt},
    {"shutdown_request", &Kernel::shutdown},
};

Kernel::Kernel(Connection connection)
    : connection_(std::move(connection)),
      shell_(context_, Socket::Kind::Router, connection_.shell),
      control_(context_, Socket::Kind::Router, connection_.control),
      iopub_(context_, Socket::Kind::Publisher, connection_.iopub),
      input_(context_, Socket::Kind::Router, connection_.input),
      heartbeat_(context_, Socket::Kind::Reply, connection_.heartbeat),
      writer_(connection_.key),
      session_(session_options()) {}

repl::SessionOptions Kernel::session_options() {
  repl::SessionOptions out;
  out.columns = 100;
  out.out = [this](std::string_view text) { stream("stdout", text); };
  out.err = [this](std::string_view text) { complaints_ += text; };
  out.display = [this](const repl::Display& what) { show(what); };
  out.progress = [this](std::string_view text) { stream("stderr", text); };
  out.stop = &stop_;
  return out;
}

void Kernel::run() {
  std::thread heart([this] { echo(); });
  std::thread control([this] { serve(control_, true); });
  serve(shell_, false);
  control.join();
  heart.join();
}

void Kernel::echo() {
  while (const auto frames = heartbeat_.receive()) heartbeat_.send(*frames);
}

/// Messages with a wrong signature are ignored, and so are signed messages that came before.
void Kernel::serve(Socket& socket, bool control) {
  while (!over_) {
    const auto frames = socket.receive();
    if (!frames) return;
    const auto message = read_message(*frames, connection_.key);
    if (!message || !signatures_.is_new(*frames)) continue;
    if (!control) parent_ = message->header;
    answer(socket, *message);
  }
}

void Kernel::answer(Socket& socket, const Message& message) {
  const auto row = std::ranges::find(kRequests, message.type, &Row::request);
  if (row == std::end(kRequests)) return;  // comm messages and the like
  publish_for(message.header, "status", R"({"execution_state":"busy"})");
  std::string content;
  try {
    content = (this->*row->run)(message);
  } catch (const std::exception& e) {
    content = R"({"status":"error","ename":"Error","evalue":)" + json_quoted(e.what()) + R"(,"traceback":[]})";
  }
  const std::string type = message.type.substr(0, message.type.size() - std::string_view("request").size()) + "reply";
  {
    const std::lock_guard lock(sending_);
    socket.send(writer_.frames(message.identities, type, message.header, content));
  }
  publish_for(message.header, "status", R"({"execution_state":"idle"})");
  if (over_) context_.shut_down();
}

void Kernel::publish(const std::string& type, const std::string& content) { publish_for(parent_, type, content); }

void Kernel::publish_for(const std::string& parent, const std::string& type, const std::string& content) {
  const std::lock_guard lock(sending_);
  iopub_.send(writer_.frames({type}, type, parent, content));
}

// ---------------------------------------------------------------- what the session shows

void Kernel::stream(std::string_view name, std::string_view text) {
  if (output_ == Output::Kept) kept_ += text;
  if (output_ != Output::Shown || text.empty()) return;
  publish("stream", json_object({{"name", json_quoted(name)}, {"text", json_quoted(text)}}));
}

void Kernel::show(const repl::Display& what) {
  if (output_ != Output::Shown) return;
  const std::string picture = what.data();
  const std::string html = what.mime == "image/svg+xml" ? json_quoted(as_image(picture)) : "";
  const std::string data = json_object({{what.mime, json_quoted(picture)}, {"text/html", html}, {"text/plain", json_quoted(what.text)}});
  publish("display_data", json_object({{"data", data}, {"metadata", "{}"}, {"transient", "{}"}}));
}

// ---------------------------------------------------------------- requests

std::string Kernel::kernel_info(const Message&) {
  const std::string language = json_object({{"name", "\"stan\""}, {"version", json_quote(kStanVersion)}, {"mimetype", "\"text/x-stan\""},
                                            {"file_extension", "\".stan\""}, {"codemirror_mode", "\"clike\""}});
  return json_object({{"status", "\"ok\""},
                      {"protocol_version", "\"5.3\""},
                      {"implementation", "\"fermiac\""},
                      {"implementation_version", json_quote(FERMIAC_VERSION)},
                      {"language_info", language},
                      {"banner", "\"fermiac: type Stan, or :help\""},
                      {"help_links", "[]"}});
}

std::string Kernel::execute(const Message& message) {
  const std::string code = code_of(message);
  const bool silent = json_is_true(message.content.find("silent"));
  if (!silent) publish("execute_input", json_object({{"code", json_quoted(code)}, {"execution_count", std::to_string(++count_)}}));
  output_ = silent ? Output::Silent : Output::Shown;
  stop_ = false;
  std::string error;
  const auto run = [&](const std::string& input) {
    complaints_.clear();
    const Outcome outcome = session_.run(input);
    if (outcome == Outcome::Failed) error = complaints_.empty() ? "it failed\n" : complaints_;
    else stream("stderr", complaints_);
    if (outcome == Outcome::Quit) over_ = true;
    return outcome == Outcome::Ok && !stop_;
  };
  repl::each_input(code, run);
  const std::string number = std::to_string(count_);
  if (error.empty())
    return json_object({{"status", "\"ok\""}, {"execution_count", number}, {"payload", "[]"}, {"user_expressions", "{}"}});
  const std::string members = error_members(error);
  if (!silent) publish("error", members);
  return R"({"status":"error","execution_count":)" + number + "," + members.substr(1);
}

std::string Kernel::complete(const Message& message) {
  const std::string code = code_of(message);
  const std::size_t cursor = cursor_of(message, code);
  const std::size_t line = code.rfind('\n', cursor == 0 ? std::string::npos : cursor - 1);
  const std::size_t begin = line == std::string::npos || cursor == 0 ? 0 : line + 1;
  const repl::Session::Completion found = session_.complete(std::string_view(code).substr(begin, cursor - begin));
  std::vector<std::string> words;
  for (const std::string& word : found.words) words.push_back(json_quoted(word));
  return json_object({{"status", "\"ok\""},
                      {"matches", json_array(words)},
                      {"cursor_start", std::to_string(columns_of(code.substr(0, begin + found.start)))},
                      {"cursor_end", std::to_string(columns_of(code.substr(0, cursor)))},
                      {"metadata", "{}"}});
}

/// What :doc says of the name at the cursor.
std::string Kernel::inspect(const Message& message) {
  const std::string code = code_of(message);
  std::string name = name_at(code, cursor_of(message, code));
  if (name.empty()) name = repl::open_call(std::string_view(code).substr(0, cursor_of(message, code)));
  kept_.clear();
  output_ = Output::Kept;
  stop_ = false;
  const bool found = !name.empty() && session_.run(":doc " + name) == Outcome::Ok;
  complaints_.clear();
  return json_object({{"status", "\"ok\""},
                      {"found", found ? "true" : "false"},
                      {"data", found ? json_object({{"text/plain", json_quoted(kept_)}}) : "{}"},
                      {"metadata", "{}"}});
}

std::string Kernel::is_complete(const Message& message) {
  const bool more = repl::Session::incomplete(code_of(message));
  return more ? R"({"status":"incomplete","indent":"  "})" : R"({"status":"complete"})";
}

std::string Kernel::history(const Message&) { return R"({"status":"ok","history":[]})"; }  // clients keep the cells

std::string Kernel::comm_info(const Message&) { return R"({"status":"ok","comms":{}})"; }

std::string Kernel::interrupt(const Message&) {
  stop_ = true;
  return kOk;
}

std::string Kernel::shutdown(const Message& message) {
  stop_ = over_ = true;
  return json_object({{"status", "\"ok\""}, {"restart", json_is_true(message.content.find("restart")) ? "true" : "false"}});
}

}  // namespace fermiac::jupyter
