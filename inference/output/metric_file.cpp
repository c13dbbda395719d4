// Metrics as JSON files: what --save-metric writes and --metric-file reads.
//
//   {"stepsize": 0.9, "metric_type": "diag_e", "inv_metric": [1.5, 0.2]}
//
// "inv_metric" is an array for diag_e, fisher_diag and unit_e, an array of rows for dense_e, and for low_rank an object of
// "scales" [n], "eigenvalues" [rank] and "directions" [rank × n]; low_rank takes an array too, a diagonal.
#include "inference/output/init_files.h"
#include "inference/output/output.h"
#include "support/base/json_tree.h"
#include "support/base/number_text.h"

namespace fermiac::inference {
namespace {

constexpr int kExact = 17;

std::string numbers(ConstSpan values, int digits) {
  std::string out = "[ ";
  for (std::size_t i = 0; i < values.size(); ++i) out += (i > 0 ? ", " : "") + format_number(values[i], digits);
  return out + " ]";
}

std::string rows(ConstSpan values, std::size_t n, int digits) {
  std::string out = "[ ";
  for (std::size_t at = 0; at < values.size(); at += n) out += (at > 0 ? ", " : "") + numbers(values.subspan(at, n), digits);
  return out + " ]";
}

std::string inverse_text(const Metric& metric, int digits) {
  switch (metric.kind()) {
    case MetricKind::Unit:
      return numbers(Vec(metric.size(), 1.0), digits);
    case MetricKind::Diag:
    case MetricKind::FisherDiag:
      break;
    case MetricKind::Dense:
      return rows(metric.inverse(), metric.size(), digits);
    case MetricKind::LowRank: {
      const LowRankInverse& m = metric.low_rank();
      return "{\n    \"scales\" : " + numbers(m.scales, digits) + ",\n    \"eigenvalues\" : " + numbers(m.eigenvalues, digits) +
             ",\n    \"directions\" : " + rows(m.directions, metric.size(), kExact) + "\n  }";
    }
  }
  return numbers(metric.inverse(), digits);
}

using Shape = std::vector<std::size_t>;

/// One file, read for one metric.
class MetricReader {
 public:
  MetricReader(const std::string& file, Metric* out) : file_(file), out_(out), n_(out->size()) {}

  Status read(const OutputLayout& layout) const {
    std::string text;
    JsonValue json;
    if (Status bad = read_values_file(file_, layout, &text); !bad) return bad;
    if (const Status bad = parse_json(text, &json); !bad) return Status::failed("'" + file_ + "', " + bad.message);
    const JsonValue* inverse = json.find("inv_metric");
    if (inverse == nullptr) return Status::failed("'" + file_ + "' has no \"inv_metric\"");
    const bool parts = out_->kind() == MetricKind::LowRank && inverse->kind == JsonValue::Kind::Object;
    return parts ? low_rank(*inverse) : whole(*inverse);
  }

 private:
  Status whole(const JsonValue& json) const {
    Vec inverse;
    const Shape shape = out_->kind() == MetricKind::Dense ? Shape{n_, n_} : Shape{n_};
    if (Status bad = values(&json, "inv_metric", shape, &inverse); !bad) return bad;
    return settled(out_->set_inverse(inverse));
  }

  Status low_rank(const JsonValue& json) const {
    LowRankInverse m;
    const JsonValue* eigenvalues = json.find("eigenvalues");
    const std::size_t rank = eigenvalues ? eigenvalues->items.size() : 0;
    const Shape square = rank > 0 ? Shape{rank, n_} : Shape{0};  // no rows have no length
    if (Status bad = values(json.find("scales"), "scales", {n_}, &m.scales); !bad) return bad;
    if (Status bad = values(eigenvalues, "eigenvalues", {rank}, &m.eigenvalues); !bad) return bad;
    if (Status bad = values(json.find("directions"), "directions", square, &m.directions); !bad) return bad;
    return settled(out_->set_inverse(std::move(m)));
  }

  Status values(const JsonValue* json, const char* name, const Shape& expected, Vec* out) const {
    Shape shape;
    if (json && json_numbers(*json, out, &shape) && shape == expected) return {};
    const std::string rows = expected.size() == 2 ? std::to_string(expected[0]) + " rows of " : "an array of ";
    return Status::failed("\"" + std::string(name) + "\" in '" + file_ + "' must be " + rows + std::to_string(expected.back()) +
                        " numbers");
  }

  Status settled(const Status& set) const { return set ? Status{} : Status::failed("'" + file_ + "': " + set.message); }

  const std::string& file_;
  Metric* out_;
  std::size_t n_;
};

}  // namespace

std::string metric_file_text(double stepsize, const Metric& metric, int digits) {
  return "{\n  \"stepsize\" : " + format_number(stepsize, digits) + ",\n  \"metric_type\" : \"" +
         std::string(metric_name(metric.kind())) + "\",\n  \"inv_metric\" : " + inverse_text(metric, digits) + "\n}\n";
}

Status load_metrics(const SampleOptions& o, std::size_t n, std::vector<std::optional<Metric>>* out) {
  out->assign(o.chains, {});
  if (o.metric_file.empty()) return {};
  if (o.metric == MetricKind::Unit) return Status::failed("a metric file needs another metric than unit_e");
  std::vector<std::string> files;
  if (Status bad = files_per_chain(o.metric_file, o.chains, o.id, &files); !bad) return bad;
  for (unsigned c = 0; c < o.chains; ++c) {
    (*out)[c].emplace(o.metric, n);
    if (Status bad = MetricReader(files[c], &*(*out)[c]).read(*o.layout); !bad) return bad;
  }
  return {};
}

}  // namespace fermiac::inference
