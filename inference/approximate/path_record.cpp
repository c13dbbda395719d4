#include "inference/approximate/path_record.h"

namespace fermiac::inference {
namespace {

/// `rows` rows of a matrix given by columns or by rows.
void append_matrix(ConstSpan values, std::size_t rows, bool by_columns, std::string& out) {
  const std::size_t columns = rows == 0 ? 0 : values.size() / rows;
  JsonGroup array(out, JsonGroup::Kind::Array);
  for (std::size_t i = 0; i < rows; ++i) {
    Vec row;
    for (std::size_t j = 0; j < columns; ++j)
      row.push_back(by_columns ? values[j * rows + i] : values[i * columns + j]);
    array.item() += json_list(row);
  }
  array.end();
}

const char* word(bool x) {
  return x ? "true" : "false";
}

/// Covariance: A^1/2 (Q L L' Q' + I - Q Q') A^1/2, A diagonal.
void append_normal(const PathNormal& normal, ConstSpan alpha, JsonGroup& object) {
  object.member("x_center") += json_list(normal.mean());
  object.member("logDetCholHk") += json_number(0.5 * normal.log_determinant());
  append_matrix(normal.factor(), normal.rank(), false, object.member("L_approx"));
  append_matrix(normal.basis(), alpha.size(), true, object.member("Qk"));
  object.member("alpha") += json_list(alpha);
  object.member("full") += word(false);
}

}  // namespace

void append_record(const PathRecord& record, JsonGroup& path) {
  JsonGroup object(path.member(std::to_string(record.iteration)), JsonGroup::Kind::Object);
  object.member("iter") += std::to_string(record.iteration);
  object.member("unconstrained_parameters") += json_list(record.position);
  object.member("grads") += json_list(record.gradient);
  object.member("history_size") += std::to_string(record.history);
  object.member("lbfgs_success") += word(record.climbed);
  object.member("pathfinder_success") += word(record.normal != nullptr);
  if (record.normal) append_normal(*record.normal, record.alpha, object);
  object.member("lbfgs_note") += json_quote(record.note);
  object.member("pathfinder_error") += json_quote(record.error);
  object.end();
}

}  // namespace fermiac::inference
