#include "inference/approximate/path_record.h"

namespace fermiac::inference {
namespace {

void append_numbers(ConstSpan values, std::string& out) {
  JsonGroup array(out, JsonGroup::Kind::Array);
  for (const double x : values) array.item() += json_number(x);
  array.end();
}

/// `rows` rows of a matrix given by columns or by rows.
void append_matrix(ConstSpan values, std::size_t rows, bool by_columns, std::string& out) {
  const std::size_t columns = rows == 0 ? 0 : values.size() / rows;
  JsonGroup array(out, JsonGroup::Kind::Array);
  for (std::size_t i = 0; i < rows; ++i) {
    Vec row;
    for (std::size_t j = 0; j < columns; ++j)
      row.push_back(by_columns ? values[j * rows + i] : values[i * columns + j]);
    append_numbers(row, array.item());
  }
  array.end();
}

const char* word(bool x) {
  return x ? "true" : "false";
}

/// Covariance: A^1/2 (Q L L' Q' + I - Q Q') A^1/2, A diagonal.
void append_normal(const PathNormal& normal, ConstSpan alpha, JsonGroup& object) {
  append_numbers(normal.mean(), object.member("x_center"));
  object.member("logDetCholHk") += json_number(0.5 * normal.log_determinant());
  append_matrix(normal.factor(), normal.rank(), false, object.member("L_approx"));
  append_matrix(normal.basis(), alpha.size(), true, object.member("Qk"));
  append_numbers(alpha, object.member("alpha"));
  object.member("full") += word(false);
}

}  // namespace

void append_record(const PathRecord& record, JsonGroup& path) {
  JsonGroup object(path.member(std::to_string(record.iteration)), JsonGroup::Kind::Object);
  object.member("iter") += std::to_string(record.iteration);
  append_numbers(record.position, object.member("unconstrained_parameters"));
  append_numbers(record.gradient, object.member("grads"));
  object.member("history_size") += std::to_string(record.history);
  object.member("lbfgs_success") += word(record.climbed);
  object.member("pathfinder_success") += word(record.normal != nullptr);
  if (record.normal) append_normal(*record.normal, record.alpha, object);
  object.member("lbfgs_note") += json_quote(record.note);
  object.member("pathfinder_error") += json_quote(record.error);
  object.end();
}

}  // namespace fermiac::inference
