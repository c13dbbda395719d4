#include "support/base/text_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "support/platform/descriptor.h"

namespace fermiac {
namespace {

TextFile missing(std::string problem) {
  return {TextFile::State::Missing, {}, std::move(problem)};
}
TextFile refused(std::string problem) {
  return {TextFile::State::Refused, {}, std::move(problem)};
}

void drop_byte_order_mark(std::string& text) {
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
}

TextFile not_opened(const std::string& path) { return missing("cannot open '" + path + "': " + std::strerror(errno)); }
TextFile not_read(const std::string& name, int error) {
  return missing("cannot read " + name + ": " + std::strerror(error));
}

}  // namespace

std::string read_beginning(const std::string& path, std::size_t most) {
  const Descriptor file(path);
  std::string out;
  if (!file) return out;
  read_pieces(file.get(), [&](std::string_view piece) {
    out += piece.substr(0, most - out.size());
    return out.size() < most;
  });
  return out;
}

TextFile read_text(int descriptor, const std::string& name, std::size_t most) {
  TextFile out{TextFile::State::Read, {}, {}};
  const int error = read_pieces(descriptor, [&](std::string_view piece) {
    out.text += piece;
    return out.text.size() <= most;
  });
  if (error != 0) return not_read(name, error);
  if (out.text.size() > most) return refused(name + " is longer than " + std::to_string(most >> 20) + " MiB");
  drop_byte_order_mark(out.text);
  return out;
}

TextFile read_text_file(const std::string& path, bool streams, std::size_t most) {
  const Descriptor file(path, streams ? OpenMode::Read : OpenMode::ReadAtOnce);
  if (!file) return not_opened(path);
  FileFacts facts;
  read_facts(file.get(), &facts);
  if (facts.kind == FileType::Folder) return missing("'" + path + "' is a folder, a file was expected");
  if (facts.kind != FileType::Regular && !(streams && facts.kind == FileType::Stream)) return refused("'" + path + "' is not a regular file");
  return read_text(file.get(), "'" + path + "'", most);
}

TextFile read_plain_text(const std::string& path) {
  const Descriptor file(path);
  if (!file) return not_opened(path);
  TextFile out{TextFile::State::Read, {}, {}};
  bool plain = true;
  const int error = read_pieces(file.get(), [&](std::string_view piece) {
    plain = piece.find('\0') == std::string_view::npos;
    if (plain) out.text += piece;
    return plain;
  });
  if (error != 0) return not_read("'" + path + "'", error);
  if (!plain) return refused("'" + path + "' is no text: it has a zero byte");
  drop_byte_order_mark(out.text);
  return out;
}

}  // namespace fermiac
