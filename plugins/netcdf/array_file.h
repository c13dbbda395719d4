// Named arrays in groups, as one file holds them (netCDF-4). What reads and writes such files is a module of its own (netcdf/),
// loaded where one is asked for: linked in, its libraries would have to be there for every start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "support/base/status.h"

namespace fermiac {

struct ArrayDim {
  std::string name;
  std::size_t size = 0;
};

struct ArrayAttribute {
  std::string name;
  std::variant<std::string, std::vector<double>, std::vector<std::int64_t>> value;
};

/// Numbers in rows: the last dimension runs fastest.
struct ArrayVariable {
  std::string name;
  std::vector<std::size_t> dims;  // of its group, by number; none: one number
  std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::int8_t>> values;
  std::vector<ArrayAttribute> attributes;
};

struct ArrayGroup {
  std::string name;
  std::vector<ArrayDim> dims;
  std::vector<ArrayVariable> variables;
  std::vector<ArrayAttribute> attributes;

  /// The number of a dimension, which is added if it is not there.
  std::size_t dim(const std::string& name, std::size_t size);
  const ArrayVariable* find(std::string_view name) const;
};

struct ArrayFile {
  std::vector<ArrayAttribute> attributes;
  std::vector<ArrayGroup> groups;

  const ArrayGroup* find(std::string_view name) const;
};

/// The attribute's text; empty where there is none or it is no text.
std::string_view text_attribute(const std::vector<ArrayAttribute>& attributes, std::string_view name);
/// Its numbers, whole ones too; empty where there are none.
std::vector<double> number_attribute(const std::vector<ArrayAttribute>& attributes, std::string_view name);
/// The variable's numbers as reals.
std::vector<double> reals_of(const ArrayVariable& variable);

/// The first bytes are those of a file that may hold arrays (HDF5, or netCDF's classic form).
bool is_array_file(const std::string& path);

/// Replaces `path` only when all is written: what is not finished lies in `path`.new.
Status write_array_file(const std::string& path, const ArrayFile& file);
/// Texts and numbers; what is neither (compound types, arrays of texts) is left out.
Status read_array_file(const std::string& path, ArrayFile* out);
/// Whether this installation reads and writes such files, and what to say if it does not.
bool has_array_files();
std::string no_array_files();

// What the module exports under these names. Errors go to `problem`, which is empty before.
using WriteArrayFile = void (*)(const char* path, const ArrayFile& file, std::string* problem);
using ReadArrayFile = void (*)(const char* path, ArrayFile* out, std::string* problem);
inline constexpr char kWriteArrayFile[] = "fermiac_write_array_file", kReadArrayFile[] = "fermiac_read_array_file";

}  // namespace fermiac
