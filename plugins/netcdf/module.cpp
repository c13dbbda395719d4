// The module fermiac_netcdf.so: arrays in groups as netCDF-4 files (NetCDF User's Guide, "The Enhanced Data Model").
#include <netcdf.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "plugins/netcdf/array_file.h"
#include "support/base/errors.h"

namespace fermiac {
namespace {

void check(int status) {
  if (status != NC_NOERR) throw InputError(nc_strerror(status));
}

/// Closes what a failure leaves open.
class OpenFile {
 public:
  ~OpenFile() {
    if (id_ >= 0) nc_abort(id_);
  }
  void create(const char* path) { check(nc_create(path, NC_NETCDF4 | NC_CLOBBER, &id_)); }
  void open(const char* path) { check(nc_open(path, NC_NOWRITE, &id_)); }
  void close() {
    const int id = id_;
    id_ = -1;
    check(nc_close(id));
  }
  int id() const { return id_; }

 private:
  int id_ = -1;
};

// ---------------------------------------------------------------- writing

void put_attribute(int group, int variable, const ArrayAttribute& a) {
  const char* name = a.name.c_str();
  if (const auto* text = std::get_if<std::string>(&a.value)) check(nc_put_att_text(group, variable, name, text->size(), text->data()));
  if (const auto* reals = std::get_if<std::vector<double>>(&a.value)) check(nc_put_att_double(group, variable, name, NC_DOUBLE, reals->size(), reals->data()));
  if (const auto* ints = std::get_if<std::vector<std::int64_t>>(&a.value)) {
    const std::vector<long long> values(ints->begin(), ints->end());
    check(nc_put_att_longlong(group, variable, name, NC_INT64, values.size(), values.data()));
  }
}

template <class T>
constexpr nc_type kTypeOf = std::is_same_v<T, double> ? NC_DOUBLE : std::is_same_v<T, std::int64_t> ? NC_INT64 : NC_BYTE;

void put_variable(int group, const std::vector<int>& dims, const ArrayVariable& v) {
  std::vector<int> ids;
  for (const std::size_t d : v.dims) ids.push_back(dims.at(d));
  std::visit(
      [&](const auto& values) {
        using T = typename std::decay_t<decltype(values)>::value_type;
        int id = 0;
        check(nc_def_var(group, v.name.c_str(), kTypeOf<T>, static_cast<int>(ids.size()), ids.data(), &id));
        for (const ArrayAttribute& a : v.attributes) put_attribute(group, id, a);
        if (!values.empty()) check(nc_put_var(group, id, values.data()));
      },
      v.values);
}

void put_group(int file, const ArrayGroup& g) {
  int id = 0;
  check(nc_def_grp(file, g.name.c_str(), &id));
  std::vector<int> dims;
  for (const ArrayDim& d : g.dims) check(nc_def_dim(id, d.name.c_str(), d.size, &dims.emplace_back()));
  for (const ArrayAttribute& a : g.attributes) put_attribute(id, NC_GLOBAL, a);
  for (const ArrayVariable& v : g.variables) put_variable(id, dims, v);
}

void write(const char* path, const ArrayFile& file) {
  OpenFile out;
  out.create(path);
  for (const ArrayAttribute& a : file.attributes) put_attribute(out.id(), NC_GLOBAL, a);
  for (const ArrayGroup& g : file.groups) put_group(out.id(), g);
  out.close();
}

// ---------------------------------------------------------------- reading

bool is_whole(nc_type type) {
  return type == NC_SHORT || type == NC_INT || type == NC_INT64 || type == NC_USHORT || type == NC_UINT || type == NC_UINT64;
}
bool is_small(nc_type type) { return type == NC_BYTE || type == NC_UBYTE; }
bool is_number(nc_type type) { return type == NC_FLOAT || type == NC_DOUBLE || is_whole(type) || is_small(type); }

std::string text_of(int group, int variable, const char* name, nc_type type, std::size_t length) {
  std::string out;
  if (type == NC_CHAR) {
    out.resize(length);
    if (length > 0) check(nc_get_att_text(group, variable, name, out.data()));
  } else if (length == 1) {
    char* text = nullptr;
    check(nc_get_att_string(group, variable, name, &text));
    if (text) out = text;
    nc_free_string(1, &text);
  }
  return out;
}

void get_attribute(int group, int variable, int number, std::vector<ArrayAttribute>* out) {
  char name[NC_MAX_NAME + 1] = {};
  nc_type type = 0;
  std::size_t length = 0;
  check(nc_inq_attname(group, variable, number, name));
  check(nc_inq_att(group, variable, name, &type, &length));
  if (type == NC_CHAR || type == NC_STRING) {
    out->push_back({name, text_of(group, variable, name, type, length)});
  } else if (is_whole(type) || is_small(type)) {
    std::vector<long long> values(length);
    check(nc_get_att_longlong(group, variable, name, values.data()));
    out->push_back({name, std::vector<std::int64_t>(values.begin(), values.end())});
  } else if (is_number(type)) {
    std::vector<double> values(length);
    check(nc_get_att_double(group, variable, name, values.data()));
    out->push_back({name, std::move(values)});
  }
}

/// Dimensions of the group, and of the groups that it lies in.
std::size_t dim_of(int group, int id, ArrayGroup* out) {
  char name[NC_MAX_NAME + 1] = {};
  std::size_t length = 0;
  check(nc_inq_dim(group, id, name, &length));
  return out->dim(name, length);
}

constexpr std::size_t kMostNumbers = std::size_t{1} << 40;  // files may say anything

std::size_t count_of(const ArrayGroup& group, const std::vector<std::size_t>& dims) {
  std::size_t count = 1;
  for (const std::size_t d : dims) {
    const std::size_t size = group.dims[d].size;
    if (size != 0 && count > kMostNumbers / size) throw InputError("a variable is larger than any that can be read");
    count *= size;
  }
  return count;
}

void get_variable(int group, int id, ArrayGroup* out) {
  char name[NC_MAX_NAME + 1] = {};
  nc_type type = 0;
  int dims = 0, attributes = 0;
  std::vector<int> ids(NC_MAX_VAR_DIMS);
  check(nc_inq_var(group, id, name, &type, &dims, ids.data(), &attributes));
  if (!is_number(type)) return;
  ArrayVariable v{.name = name};
  for (int i = 0; i < dims; ++i) v.dims.push_back(dim_of(group, ids[static_cast<std::size_t>(i)], out));
  const std::size_t count = count_of(*out, v.dims);
  if (is_whole(type)) {
    std::vector<long long> values(count);
    check(nc_get_var_longlong(group, id, values.data()));
    v.values = std::vector<std::int64_t>(values.begin(), values.end());
  } else if (is_small(type)) {
    std::vector<std::int8_t> values(count);
    check(nc_get_var(group, id, values.data()));
    v.values = std::move(values);
  } else {
    std::vector<double> values(count);
    check(nc_get_var_double(group, id, values.data()));
    v.values = std::move(values);
  }
  for (int i = 0; i < attributes; ++i) get_attribute(group, id, i, &v.attributes);
  out->variables.push_back(std::move(v));
}

void get_group(int id, ArrayFile* out) {
  char name[NC_MAX_NAME + 1] = {};
  int variables = 0, attributes = 0;
  check(nc_inq_grpname(id, name));
  ArrayGroup g{.name = name};
  check(nc_inq_natts(id, &attributes));
  for (int i = 0; i < attributes; ++i) get_attribute(id, NC_GLOBAL, i, &g.attributes);
  check(nc_inq_nvars(id, &variables));
  for (int i = 0; i < variables; ++i) get_variable(id, i, &g);
  out->groups.push_back(std::move(g));
}

void read(const char* path, ArrayFile* out) {
  OpenFile in;
  in.open(path);
  int attributes = 0, groups = 0;
  check(nc_inq_natts(in.id(), &attributes));
  for (int i = 0; i < attributes; ++i) get_attribute(in.id(), NC_GLOBAL, i, &out->attributes);
  check(nc_inq_grps(in.id(), &groups, nullptr));
  std::vector<int> ids(static_cast<std::size_t>(groups));
  check(nc_inq_grps(in.id(), &groups, ids.data()));
  for (const int id : ids) get_group(id, out);
  in.close();
}

template <class Work>
void keep_failure(std::string* problem, Work work) {
  try {
    work();
  } catch (const std::exception& e) {
    *problem = e.what();
  }
}

}  // namespace
}  // namespace fermiac

extern "C" {

void fermiac_write_array_file(const char* path, const fermiac::ArrayFile& file, std::string* problem) {
  fermiac::keep_failure(problem, [&] { fermiac::write(path, file); });
}

void fermiac_read_array_file(const char* path, fermiac::ArrayFile* out, std::string* problem) {
  fermiac::keep_failure(problem, [&] { fermiac::read(path, out); });
}

}  // extern "C"
