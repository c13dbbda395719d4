#include "inference/model/target.h"

#include <algorithm>
#include <cctype>

#include "support/base/text.h"

namespace fermiac::inference {
namespace {

constexpr std::size_t kMaxDistinctMessages = 50;

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Where the place in the model starts: its line numbers tell messages apart, so they stay.
std::size_t place_of(const std::string& message) {
  return std::min(message.rfind(" (in '"), message.size());
}

}  // namespace

std::string mask_numbers(const std::string& message) {
  const std::size_t place = place_of(message);
  std::string out;
  for (std::size_t i = 0; i < place;) {
    const bool starts = is_digit(message[i]) && (i == 0 || !is_word(message[i - 1]));
    if (!starts) {
      out += message[i++];
      continue;
    }
    out += '#';
    while (i < place &&
           (is_word(message[i]) || message[i] == '.' ||
            ((message[i] == '-' || message[i] == '+') && (message[i - 1] == 'e' || message[i - 1] == 'E'))))
      ++i;
  }
  std::erase(out, '-');  // a sign belongs to the number
  return out + message.substr(place);
}

std::string fatal_text(const EvalStatus& status) {
  return status.message.empty() ? "the model failed without a message" : status.message;
}

void RejectLog::add(const std::string& message, std::uint64_t times) {
  const std::string key = mask_numbers(message);
  auto found = entries_.find(key);
  if (found == entries_.end()) {
    const bool full = entries_.size() >= kMaxDistinctMessages;
    found = entries_.try_emplace(full ? "other" : key, Entry{full ? "other messages" : message, 0}).first;
  }
  found->second.count += times;
}

void RejectLog::merge(const RejectLog& other) {
  for (const auto& [key, entry] : other.entries_) {
    Entry& mine = entries_.try_emplace(key, Entry{entry.first, 0}).first->second;
    mine.count += entry.count;
  }
}

double Target::gradient(ConstSpan q, Span gradient) {
  ++evaluations_;
  const EvaluationProgressScope scope(pulse_ ? &pulse_->evaluation : nullptr);
  double lp = 0;
  const EvalStatus status = workspace_->log_density_gradient(q, options_, &lp, gradient);
  return settle(status, lp);
}

double Target::value(ConstSpan q) {
  ++evaluations_;
  const EvaluationProgressScope scope(pulse_ ? &pulse_->evaluation : nullptr);
  double lp = 0;
  const EvalStatus status = workspace_->log_density(q, options_, &lp);
  return settle(status, lp);
}

double Target::settle(const EvalStatus& status, double lp) {
  last_structural_ = status.structural;
  if (pulse_) {
    pulse_->evaluations.store(evaluations_, std::memory_order_relaxed);
    pulse_->lp.store(status ? lp : -kInf, std::memory_order_relaxed);
  }
  if (status) {
    if (!last_message_.empty()) last_message_.clear();
    if (lp == -kInf) ++zero_densities_;
    return std::isnan(lp) ? -kInf : lp;
  }
  last_message_ = status.message;
  if (status.kind == EvalStatus::Kind::Interrupted) return -kInf;  // stopped() says so
  if (status.kind == EvalStatus::Kind::Fatal)
    fatal_message_ = fatal_text(status);
  else
    rejects_.add(status.message);
  return -kInf;
}

}  // namespace fermiac::inference
