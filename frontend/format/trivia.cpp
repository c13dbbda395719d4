#include "frontend/format/trivia.h"

#include <algorithm>
#include <utility>

namespace fermiac::format {

TriviaQueue::TriviaQueue(const SourceMap& sources, const lex::TokenStream& stream, Options options)
    : sources_(sources) {
  const auto shown = [&](Span span) {
    return options.inline_includes || !sources.file(span.begin.file).included_from;
  };
  if (options.comments)
    for (const lex::Comment& comment : stream.comments)
      if (shown(comment.span))
        items_.push_back({comment.line ? Trivium::Kind::LineComment : Trivium::Kind::BlockComment, comment.span,
                          comment.text});
  if (!options.inline_includes)
    for (const lex::Include& include : stream.includes)
      if (shown(include.span)) items_.push_back({Trivium::Kind::Include, include.span, include.name});
  std::stable_sort(items_.begin(), items_.end(),
                   [&](const Trivium& a, const Trivium& b) { return sources.before(a.span.begin, b.span.begin); });
}

std::vector<Trivium> TriviaQueue::take_all(Pos end) {
  std::vector<Trivium> result;
  while (next_ < items_.size() && sources_.before(items_[next_].span.begin, end)) result.push_back(items_[next_++]);
  return result;
}

std::vector<Trivium> TriviaQueue::take_comments(Pos end) {
  std::vector<Trivium> result = take_all(end);
  for (const Trivium& item : result) broken_ = broken_ || item.kind == Trivium::Kind::Include;
  return result;
}

std::vector<Trivium> TriviaQueue::take_rest() {
  std::vector<Trivium> result(items_.begin() + static_cast<std::ptrdiff_t>(next_), items_.end());
  next_ = items_.size();
  return result;
}

void TriviaQueue::postpone(Pos end) {
  for (Trivium& item : take_comments(end)) {
    item.postponed = true;
    postponed_.push_back(item);
  }
}

}  // namespace fermiac::format
