#include "inference/methods/netcdf_files.h"

#include <filesystem>
#include <utility>

#include "inference/output/draw_files.h"

namespace fermiac::inference {

Status write_netcdf(const std::vector<std::string>& given, const std::vector<DataArray>& data, const std::string& path) {
  std::vector<CsvDraws> chains;
  const Status read = read_draws(given, [&](CsvDraws& draws) {
    chains.push_back(std::move(draws));
    return Status{};
  });
  if (!read) return read;
  ArrayFile file;
  if (Status bad = inference_data(chains, data, &file); !bad) return bad;
  return write_array_file(path, file).prefixed("cannot write '" + path + "': ");
}

Status pack_run(const std::vector<DataArray>& data, SampleRun* run) {
  const std::string path = run->stem + ".nc";
  if (Status bad = write_netcdf(run->csv_files, data, path); !bad) return bad;
  std::error_code ignored;
  for (const std::string& csv : run->csv_files) {
    std::filesystem::remove(csv, ignored);
    std::filesystem::remove(std::filesystem::path(csv).replace_extension(".state"), ignored);
  }
  std::filesystem::remove(run->stem + "_run.json", ignored);
  run->csv_files = {path};
  return {};
}

}  // namespace fermiac::inference
