#include "repl/session/program_text.h"

#include <optional>

#include "frontend/ast/blocks.h"

namespace fermiac::repl {
namespace {

/// A word of code and where it begins.
struct Word {
  std::string_view text;
  std::size_t begin = 0;
};

/// The block whose name these words are.
std::optional<BlockText> named_block(const std::vector<Word>& words) {
  std::string name;
  for (const Word& word : words) name += (name.empty() ? "" : " ") + std::string(word.text);
  const auto row = std::ranges::find(ast::kBlocks, name, &ast::BlockRow::name);
  if (row == ast::kBlocks.end()) return std::nullopt;
  return BlockText{.kind = row->kind, .begin = words.front().begin};
}

/// Reads blocks one after the other; the first code that belongs to none ends it.
class BlockReader {
 public:
  explicit BlockReader(std::string_view text) : text_(text) {}
  std::vector<BlockText> read() {
    each_code_character(text_, [this](char c, std::size_t at) { see(c, at); });
    return std::move(blocks_);
  }

 private:
  void see(char c, std::size_t at) {
    if (over_ || at < skip_) return;
    if (depth_ > 0) return inside(c, at);
    if (c == '#' && words_.empty()) skip_ = std::min(text_.find('\n', at), text_.size());  // #include
    else if (is_word(c)) word(at);
    else if (c == '{') open(at);
    else if (!std::isspace(static_cast<unsigned char>(c))) over_ = true;
  }
  void inside(char c, std::size_t at) {
    if (c == '{') ++depth_;
    if (c != '}' || --depth_ > 0) return;
    current_.end = at + 1;
    blocks_.push_back(current_);
    words_.clear();
  }
  void word(std::size_t at) {
    const bool goes_on = !words_.empty() && words_.back().begin + words_.back().text.size() == at;
    if (!goes_on) words_.push_back({text_.substr(at, 0), at});
    Word& last = words_.back();
    last.text = text_.substr(last.begin, at + 1 - last.begin);
    over_ = words_.size() > 2;
  }
  void open(std::size_t) {
    const auto block = named_block(words_);
    over_ = !block;
    if (block) current_ = *block, depth_ = 1;
  }

  std::string_view text_;
  std::vector<BlockText> blocks_;
  std::vector<Word> words_;
  BlockText current_;
  int depth_ = 0;
  std::size_t skip_ = 0;
  bool over_ = false;
};

/// Where a block of this kind has its place: behind those that come before it.
std::size_t place_of(const std::vector<BlockText>& blocks, ast::BlockKind kind) {
  for (const BlockText& block : blocks)
    if (block.kind > kind) return block.begin;
  return std::string::npos;
}

std::string with_block(std::string program, ast::BlockKind kind, std::string_view text) {
  const std::vector<BlockText> blocks = leading_blocks(program);
  const auto known = std::ranges::find(blocks, kind, &BlockText::kind);
  if (known != blocks.end()) return program.replace(known->begin, known->end - known->begin, text);
  const std::size_t at = place_of(blocks, kind);
  if (at != std::string::npos) return program.insert(at, std::string(text) + "\n");
  if (!program.empty() && !program.ends_with('\n')) program += '\n';
  return program + std::string(text) + "\n";
}

}  // namespace

std::vector<BlockText> leading_blocks(std::string_view text) {
  return BlockReader(text).read();
}

bool is_whole_program(const std::vector<BlockText>& blocks) {
  const auto has = [&](ast::BlockKind kind) { return std::ranges::find(blocks, kind, &BlockText::kind) != blocks.end(); };
  return has(ast::BlockKind::Model) && (has(ast::BlockKind::Data) || has(ast::BlockKind::Parameters));
}

std::string with_blocks(std::string program, std::string_view text) {
  for (const BlockText& block : leading_blocks(text))
    program = with_block(std::move(program), block.kind, text.substr(block.begin, block.end - block.begin));
  return program;
}

}  // namespace fermiac::repl
