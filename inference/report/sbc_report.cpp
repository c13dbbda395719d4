// `report` of a calibration: its ranks as pictures.
#include "inference/report/report_data.h"
#include "support/base/json.h"
#include "support/base/json_build.h"

namespace fermiac::inference {
namespace {

using Kind = JsonGroup::Kind;

std::string counts_json(const std::vector<std::size_t>& counts) {
  std::string out;
  JsonGroup list(out, Kind::Array, kJsonTight);
  for (const std::size_t n : counts) list.item() += std::to_string(n);
  list.end();
  return out;
}

std::string quantity_json(const SbcQuantity& q) {
  std::string out;
  JsonGroup object(out, Kind::Object, kJsonTight);
  object.member("name") += json_quote(q.name);
  object.member("p_chi2") += json_number(q.p_chi2);
  object.member("inside") += q.inside ? "true" : "false";
  object.member("ranks") += counts_json(q.ranks);
  object.end();
  return out;
}

}  // namespace

std::string sbc_report_json(const SbcFileText& file) {
  SbcOptions options;
  options.draws = file.draws;
  SbcResult result;
  for (const std::vector<SbcRow>& rows : file.simulations) result.add(rows, file.draws);
  judge(result, options);
  const EcdfBand band = ecdf_band(result.simulations, file.draws, options.band);
  std::string out;
  JsonGroup object(out, Kind::Object, {",\n", ":"});
  object.member("draws") += std::to_string(file.draws);
  object.member("simulations") += std::to_string(result.simulations);
  object.member("not_mixed") += std::to_string(result.not_mixed);
  object.member("bins") += std::to_string(std::min(options.bins, file.draws + 1));
  object.member("probability") += json_number(options.band);
  object.member("least") += counts_json(band.least);
  object.member("most") += counts_json(band.most);
  JsonGroup list(object.member("quantities"), Kind::Array, kJsonTight);
  for (const SbcQuantity& q : result.quantities) list.item() += "\n" + quantity_json(q);
  list.end();
  object.end();
  return json_in_html(std::move(out));
}

}  // namespace fermiac::inference
