#include "cli/lsp/document.h"

#include "cli/lsp/uri.h"

namespace fermiac::lsp {

Document::Document(std::string uri, std::string text, CompileOptions options)
    : uri_(std::move(uri)), path_(path_of_uri(uri_)), text_(std::move(text)), options_(std::move(options)) {
  if (path_.empty()) path_ = uri_;
  const std::size_t slash = path_.rfind('/');
  if (slash != std::string::npos) options_.include_paths.insert(options_.include_paths.begin(), path_.substr(0, slash));
}

void Document::replace(std::string text) {
  text_ = std::move(text);
  now_.reset();
}

bool Document::replace(Position begin, Position end, std::string_view text) {
  const Positions positions(text_);
  const std::size_t from = positions.offset(begin), to = positions.offset(end);
  if (from > to) return false;
  text_.replace(from, to - from, text);
  now_.reset();
  return true;
}

const Analysis& Document::now() {
  if (now_) return *now_;
  now_ = std::make_shared<const Analysis>(text_, path_, options_);
  if (now_->good) good_ = now_;
  return *now_;
}

std::vector<View> Document::views(Position position) {
  const Analysis& state = now();
  const Pos pos = state.pos(position);
  std::vector<View> out{{state, pos}};
  if (good_ && good_ != now_)
    out.push_back({*good_, {0, static_cast<std::uint32_t>(moved_offset(text_, good_->text(), pos.offset))}});
  return out;
}

const Values* Document::values() {
  if (!now().good || !now().program || now().program->functions_only) return nullptr;
  if (!values_ || !values_->current(text_)) values_ = std::make_unique<Values>(now_->compilation, path_);
  return values_.get();
}

}  // namespace fermiac::lsp
