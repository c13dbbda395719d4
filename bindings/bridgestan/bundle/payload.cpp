#include "bindings/bridgestan/bundle/payload.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

#include "support/base/checksum.h"
#include "support/base/errors.h"
#include "support/base/text_file.h"
#include "support/platform/descriptor.h"

namespace fermiac::capi {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "numbers of the trailer lie as they are in memory");

constexpr std::array<char, 16> kMagic = {'f', 'e', 'r', 'm', 'i', 'a', 'c', ' ',
                                         'p', 'a', 'y', 'l', 'o', 'a', 'd', '\n'};
constexpr std::uint64_t kVersion = 5;

struct Trailer {
  std::uint64_t version = kVersion;
  std::uint64_t size = 0;      // of the payload
  std::uint64_t checksum = 0;  // of the payload
  std::array<char, 16> magic = kMagic;
};
static_assert(sizeof(Trailer) == 40);

std::uint64_t checksum(std::string_view bytes) {
  return Checksum().add(bytes).value();
}

// ---------------------------------------------------------------- fields

/// Visits all fields in the order of the file; lists say first how long they are.
template <class Visitor, class P>
void visit_fields(Visitor& visit, P& p) {
  for (auto* field : {&p.name, &p.path, &p.text, &p.compiler, &p.flags, &p.native, &p.device_module, &p.mpi_module}) visit.text(*field);
  visit.flag(p.threads);
  visit.flag(p.no_range_checks);
  visit.list(p.include_paths);
  visit.files(p.includes);
}

struct Writer {
  std::string out;
  void number(std::uint64_t n) { out.append(reinterpret_cast<const char*>(&n), sizeof n); }
  void text(const std::string& t) {
    number(t.size());
    out += t;
  }
  void flag(bool on) { number(on ? 1 : 0); }
  void list(const std::vector<std::string>& all) {
    number(all.size());
    for (const std::string& t : all) text(t);
  }
  void files(const CarriedFiles& all) {
    number(all.size());
    for (const auto& [path, content] : all) {
      text(path);
      text(content);
    }
  }
};

struct Reader {
  std::string_view rest;
  std::string_view take(std::uint64_t n) {
    if (n > rest.size()) throw InputError("its fields are longer than the payload");
    const std::string_view out = rest.substr(0, n);
    rest.remove_prefix(n);
    return out;
  }
  std::uint64_t number() {
    std::uint64_t n = 0;
    std::memcpy(&n, take(sizeof n).data(), sizeof n);
    return n;
  }
  std::string string() { return std::string(take(number())); }
  void text(std::string& t) { t = string(); }
  void flag(bool& on) { on = number() != 0; }
  void list(std::vector<std::string>& all) {
    for (std::uint64_t n = number(); n > 0; --n) all.push_back(string());
  }
  void files(CarriedFiles& all) {
    for (std::uint64_t n = number(); n > 0; --n) {
      std::string path = string();
      all[std::move(path)] = string();
    }
  }
};

// ---------------------------------------------------------------- files

/// Bytes [begin, begin + n) of the file. Reserves `room` more bytes.
std::string read_part(int descriptor, std::uint64_t begin, std::uint64_t n, std::size_t room = 0) {
  std::string out;
  out.reserve(n + room);
  out.resize(n);
  const Transfer read = read_at(descriptor, begin, out);
  if (read.error != 0) throw InputError(std::strerror(read.error));
  if (read.done < n) throw InputError("it ended while it was read");
  return out;
}

struct OpenFile {
  Descriptor descriptor;
  FileFacts facts;
  explicit OpenFile(const std::string& path) : descriptor(path) {
    if (!descriptor || !read_facts(descriptor.get(), &facts)) throw InputError(std::strerror(errno));
    if (facts.kind != FileType::Regular) throw InputError("it is not a regular file");
  }
  std::uint64_t size() const { return facts.size; }
  std::string part(std::uint64_t begin, std::uint64_t n, std::size_t room = 0) const {
    return read_part(descriptor.get(), begin, n, room);
  }
};

/// None where the file's end is not that of a payload.
std::optional<Trailer> trailer_of(const OpenFile& file) {
  if (file.size() < sizeof(Trailer)) return {};
  Trailer t;
  std::memcpy(&t, file.part(file.size() - sizeof t, sizeof t).data(), sizeof t);
  if (t.magic != kMagic) return {};
  return t;
}

Payload payload_in(const OpenFile& file) {
  const std::optional<Trailer> t = trailer_of(file);
  if (!t) throw InputError("it carries no model, or its end is missing");
  if (t->version != kVersion)
    throw InputError(fmt::format("its format is {}, but this code reads format {}", t->version, kVersion));
  if (t->size > file.size() - sizeof *t) throw InputError("a part of it is missing");
  const std::string bytes = file.part(file.size() - sizeof *t - t->size, t->size);
  if (checksum(bytes) != t->checksum) throw InputError("its model is damaged: the checksum is wrong");
  Payload out;
  Reader reader{bytes};
  visit_fields(reader, out);
  return out;
}

/// Without a payload that lies behind it; with room for another.
std::string code_of(const OpenFile& file, std::size_t room) {
  const std::optional<Trailer> t = trailer_of(file);
  const std::uint64_t appended_size = t ? sizeof *t + t->size : 0;
  if (appended_size > file.size()) throw InputError("a part of it is missing");
  return file.part(0, file.size() - appended_size, room);
}

/// Makes the file executable if the code was. Returns the reason of a failure, or an empty string.
std::string make_as_executable(const std::string& file, fs::perms permissions) {
  if ((permissions & fs::perms::owner_exec) == fs::perms::none) return {};
  std::error_code failed;
  fs::permissions(file, permissions, failed);
  return failed ? std::strerror(failed.value()) : "";
}

}  // namespace

std::string payload_bytes(const Payload& payload) {
  Writer writer;
  visit_fields(writer, payload);
  const Trailer t{.size = writer.out.size(), .checksum = checksum(writer.out)};
  return writer.out.append(reinterpret_cast<const char*>(&t), sizeof t);
}

Payload read_payload(const std::string& file) {
  try {
    return payload_in(OpenFile(file));
  } catch (const InputError& e) {
    throw InputError(fmt::format("cannot read the model in '{}': {}", file, e.what()));
  }
}

Status append_payload(const std::string& code_file, const Payload& payload, const std::string& out_file) {
  try {
    const OpenFile code(code_file);
    const std::string appended = payload_bytes(payload);
    if (const Status bad = write_whole_file(out_file, code_of(code, appended.size()) += appended); !bad)
      return Status::failed(fmt::format("cannot write '{}': {}", out_file, bad.message));
    const std::string why = make_as_executable(out_file, code.facts.permissions);
    return why.empty() ? Status{} : Status::failed(fmt::format("cannot make '{}' executable: {}", out_file, why));
  } catch (const InputError& e) {
    return Status::failed(fmt::format("cannot copy '{}': {}", code_file, e.what()));
  }
}

}  // namespace fermiac::capi
