#include "interp/io/data_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>

#include "support/base/r_dump.h"

namespace fermiac::interp {
namespace {

DataSource open_r_dump(const std::string& path) {
  std::string json;
  if (const Status problem = r_dump_to_json(read_data_text(path), &json); !problem)
    throw InputError(fmt::format("{}: {}", path, problem.message));
  DataSource source = DataSource::parse(std::move(json), path);
  source.hide_places(true);  // of a text that nobody wrote
  return source;
}

}  // namespace

DataFormat data_format(const std::string& path) {
  static constexpr std::pair<std::string_view, DataFormat> kEndings[] = {{".csv", DataFormat::Table},
                                                                        {".tsv", DataFormat::Table},
                                                                        {".r", DataFormat::RDump},
                                                                        {".rdump", DataFormat::RDump},
                                                                        {".dump", DataFormat::RDump}};
  std::string name = path;
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto row = std::ranges::find_if(kEndings, [&](const auto& ending) { return name.ends_with(ending.first); });
  return row == std::end(kEndings) ? DataFormat::Json : row->second;
}

DataSource open_data_files(const std::vector<std::string>& paths, const mir::Program* program, std::vector<DerivedSize>* derived) {
  DataSource data;
  std::vector<std::unique_ptr<const DelimitedText>> tables;
  std::vector<const DelimitedText*> views;
  for (const std::string& path : paths) {
    switch (data_format(path)) {
      case DataFormat::Json: data.join(DataSource::open(path)); break;
      case DataFormat::RDump: data.join(open_r_dump(path)); break;
      case DataFormat::Table:
        tables.push_back(std::make_unique<const DelimitedText>(read_data_text(path), path));
        views.push_back(tables.back().get());
        break;
    }
  }
  if (!views.empty()) *derived = join_tables(data, views, program ? *program : program_of(views));
  return data;
}

}  // namespace fermiac::interp
