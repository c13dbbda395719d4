#include "interp/parallel/remote_parts.h"

#include <algorithm>

namespace fermiac::interp {
namespace {

using Kind = Value::Kind;

void put_value(Packer& to, const Value& v) {
  to.put(v.kind());
  to.put(v.shape());
  switch (v.kind()) {
    case Kind::Reals:
      return to.put_all(std::span<const double>(v.real_data().data(), v.real_data().size()));
    case Kind::Refs:
      return to.put_all(v.ref_data());
    case Kind::Ints:
      return to.put_all(v.int_data());
    default:
      FERMIAC_CHECK(false, "map_rect takes vectors and arrays");
  }
}

Value get_value(Unpacker& from) {
  const Kind kind = from.get<Kind>();
  const Shape shape = from.get<Shape>();
  if (kind == Kind::Refs) return Value::refs(shape, from.get_all<Ref>());
  if (kind == Kind::Ints) return Value::ints(shape, from.get_all<std::int32_t>());
  RealBuffer reals(shape.size());
  from.get_into(std::span<double>(reals.data(), reals.size()));
  return Value::reals(shape, std::move(reals));
}

std::size_t number_of(const FunctionCode& function, const Code& code) {
  return static_cast<std::size_t>(
      std::ranges::find_if(code.functions, [&](const auto& f) { return f.get() == &function; }) -
      code.functions.begin());
}

}  // namespace

void JobsMessage::put(Packer& to, const Code& code, const ShardedFunction& function,
                      std::span<const std::vector<Value>> calls) {
  to.put(number_of(function.function, code));
  to.put(function.activity.propto);
  to.put(function.activity.active);
  to.put(function.caller_propto);
  to.put(function.depth);
  to.put(function.fuses_links);
  to.put_all(function.constants);
  to.put(calls.size());
  for (const std::vector<Value>& call : calls) {
    to.put(call.size());
    for (const Value& argument : call) put_value(to, argument);
  }
}

ad::ShardSources JobsMessage::get(Unpacker& from, const Code& code) {
  const auto number = from.get<std::size_t>();
  FERMIAC_CHECK(number < code.functions.size(), "all processes have loaded the same program");
  ShardedFunction function{.function = *code.functions[number]};
  function.activity.propto = from.get<bool>();
  function.activity.active = from.get<mir::ArgumentSet>();
  function.caller_propto = from.get<bool>();
  function.depth = from.get<int>();
  function.fuses_links = from.get<bool>();
  function.constants = from.get_all<double>();
  const auto shared = std::make_shared<const ShardedFunction>(std::move(function));
  ad::ShardSources sources(from.get<std::size_t>());
  for (auto& source : sources) {
    std::vector<Value> arguments(from.get<std::size_t>());
    for (Value& argument : arguments) argument = get_value(from);
    source = call_source(shared, std::move(arguments));
  }
  return sources;
}

RemoteParts::RemoteParts(const RemoteJobs& remote, int worker, const ShardedFunction& function,
                         std::span<const std::vector<Value>> calls, std::span<const double> x)
    : cluster_(remote.cluster), worker_(worker), group_(remote.cluster.new_group()) {
  Packer body;
  JobsMessage::put(body, remote.code, function, calls);
  body.put_all(x);
  recording_ = cluster_.ask(worker_, RequestKind::Record, group_, std::move(body));
}

RemoteParts::~RemoteParts() {
  cluster_.tell(worker_, RequestKind::Drop, group_);
}

std::vector<ad::ShardRecording> RemoteParts::recordings() {
  Unpacker reply = cluster_.wait(recording_);
  std::vector<ad::ShardRecording> out(reply.get<std::size_t>());
  for (std::size_t i = 0; i < out.size(); ++i) {
    ad::ShardRecording& r = out[i];
    r.path.outputs = reply.get<std::uint32_t>();
    r.path.used = reply.get_all<std::uint32_t>();
    r.printed = reply.get_text();
    r.site = reply.get<ad::Site>();
    r.error = unpack_error(reply);
    const auto used = static_cast<std::uint32_t>(r.path.used.size());
    places_.push_back(ad::PartPlace::behind(results_, scratch_, r.path.outputs, used));
    results_ += r.path.outputs;
    scratch_ += places_.back().scratch();
    used_[{i, 0}] = r.path.used;
  }
  return out;
}

// The worker keeps no scratch space for its callers: the marks of its lanes (PartPlace) travel with each request.
ad::ShardGroup::Ticket RemoteParts::start_forward(std::span<const double> x, const double* scratch) const {
  Packer body;
  body.put_all(x);
  for (const ad::PartPlace& place : places_) body.put(scratch[place.scratch_at]);
  return cluster_.ask(worker_, RequestKind::Forward, group_, std::move(body));
}

void RemoteParts::finish_forward(Ticket ticket, std::span<const double>, double* results, double* scratch) const {
  Unpacker reply = cluster_.wait(ticket);
  reply.get_into(std::span<double>(results, results_));
  reply.get_into(std::span<double>(scratch, scratch_));
}

ad::ShardGroup::Ticket RemoteParts::start_reverse(std::span<const double> x, const double* seeds,
                                                  const double* scratch) const {
  Packer body;
  std::vector<std::size_t> again;
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (!places_[i].kept(scratch)) again.push_back(i);
  if (again.empty()) return 0;
  body.put_all(x);
  body.put_all(again);
  for (const std::size_t i : again) {
    body.put(scratch[places_[i].scratch_at]);
    body.put_all(std::span<const double>(seeds + places_[i].results_at, places_[i].results));
  }
  return cluster_.ask(worker_, RequestKind::Reverse, group_, std::move(body));
}

std::vector<ad::PartSlopes> RemoteParts::finish_reverse(Ticket ticket, std::span<const double>, const double* seeds,
                                                        const double* scratch) const {
  std::optional<Unpacker> reply;
  if (ticket != 0) reply.emplace(cluster_.wait(ticket));
  std::vector<ad::PartSlopes> out;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const double* at = scratch + places_[i].scratch_at;
    if (places_[i].kept(scratch)) {
      out.push_back(
          {.used = used(i, static_cast<std::size_t>(*at)), .kept = at + 1, .scale = seeds[places_[i].results_at]});
    } else {
      const auto path = reply->get<std::size_t>();
      out.push_back({.used = used(i, path), .again = reply->get_all<double>()});
    }
  }
  return out;
}

std::span<const std::uint32_t> RemoteParts::used(std::size_t part, std::size_t path) const {
  {
    const std::lock_guard lock(mutex_);
    if (const auto it = used_.find({part, path}); it != used_.end()) return it->second;
  }
  Packer body;
  body.put(part);
  body.put(path);
  Unpacker reply = cluster_.wait(cluster_.ask(worker_, RequestKind::Used, group_, std::move(body)));
  const std::lock_guard lock(mutex_);
  return used_.try_emplace({part, path}, reply.get_all<std::uint32_t>()).first->second;
}

}  // namespace fermiac::interp
