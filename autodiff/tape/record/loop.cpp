#include "autodiff/tape/record/loop.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "autodiff/tape/ir/hot_ops.h"
#include "autodiff/tape/ir/storage.h"

namespace fermiac::ad {
namespace {

constexpr std::size_t kMostPlaces = std::size_t{1} << 15;  // of the first round: loops within it are unrolled
constexpr std::size_t kMostPaths = 1024;                   // places that the first round did not reach
constexpr std::size_t kMostSlots = std::size_t{1} << 26;
constexpr std::uint32_t kMostLevels = 8;
constexpr std::size_t kMostSums = 64;
constexpr auto kAdd = map_of(Hot::Add), kSubtract = map_of(Hot::Subtract),
               kMinus = map_of(Hot::Minus);
constexpr std::uint32_t kFirstBlock = 1024;  // of a place that the first round did not reach; doubles from there

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

bool same_place(const Op& a, const Op& b) {
  return a.kind == b.kind && a.map == b.map && a.ad_mask == b.ad_mask && a.keep.terms == b.keep.terms &&
         a.keep.ad == b.keep.ad && (!is_weighed(a.kind) || a.weight() == b.weight());
}

}  // namespace

void RefColumn::add(Ref r, std::uint32_t before, std::uint32_t capacity) {
  if (before == 0) {
    *this = {.first = r};
    return;
  }
  if (form == Form::Uniform && r == first) return;
  if (before == 1 && r == first + 1) form = Form::Run;
  if (form == Form::Run && r == first + before) return;
  if (form != Form::List) {
    std::vector<Ref> all;
    all.reserve(capacity);
    for (std::uint32_t i = 0; i < before; ++i) all.push_back(at(i));
    list = std::move(all);
    form = Form::List;
  }
  list.push_back(r);
}

void NumberColumn::add(double x, std::uint32_t before, std::uint32_t capacity) {
  if (before == 0) {
    first = x;
    list.clear();
    return;
  }
  if (list.empty()) {
    if (same_bits(x, first)) return;
    list.reserve(capacity);
    list.assign(before, first);
  }
  list.push_back(x);
}

LoopRecording::LoopRecording(Trace& trace, std::uint32_t trips, Readers& readers)
    : trace_(trace), readers_(readers), trips_(trips), first_slot_(Ref::slot(trace.values.size())), places_(1) {}

void LoopRecording::next_round() {
  if (++round_ == 2) most_places_ = places_.size() + kMostPaths;
  last_ = 0;
}

/// The place behind the latest one at which such an op stands, of that level if one is given; a new one if need be.
std::uint32_t LoopRecording::find_place(const Op& op, Site site, std::optional<std::uint32_t> level) {
  std::uint32_t* link = &places_[last_].first_child;
  for (; *link != kNone; link = &places_[*link].next) {
    const Place& place = places_[*link];
    if (place.now.site == site && same_place(place.now.op, op) && place.level == level.value_or(place.level)) return *link;
  }
  if (places_.size() >= (round_ <= 1 ? kMostPlaces : most_places_)) return kNone;
  const auto index = static_cast<std::uint32_t>(places_.size());
  *link = index;
  Place& fresh = places_.emplace_back();
  fresh.now.op = op;
  fresh.now.site = site;
  fresh.level = level.value_or(0);
  return index;
}

/// Null: older than the loop.
const LoopRecording::Block* LoopRecording::block_of(Ref r) const {
  if (r < first_slot_) return nullptr;
  const auto block = std::upper_bound(blocks_.begin(), blocks_.end(), r, [](Ref x, const Block& b) { return x < b.begin; });
  return block == blocks_.begin() ? nullptr : &*(block - 1);
}

/// The latest of a running sum.
bool LoopRecording::is_sum(Ref r) const {
  const Block* const block = block_of(r);
  return block != nullptr && block->sum && r + 1 == sums_[block->index].now.d + sums_[block->index].now.n;
}

/// Of operand j.
LoopRecording::When LoopRecording::when(const Op& op, int j) const {
  const Block* const block = op.ad_mask >> j & 1u ? block_of(op.x[j]) : nullptr;
  if (block == nullptr) return {};
  return block->sum ? When{sums_[block->index].level + 1, 0} : When{places_[block->index].level, block->index};
}

bool LoopRecording::repeats(const Place& place, const Op& op) const {
  for (int j = 0; j < place_operands(op); ++j) {
    const auto k = static_cast<std::size_t>(j);
    if (op.ad_mask >> j & 1u ? place.now.refs[k].first != op.x[j]
                             : !same_bits(place.now.numbers[k].first, *numbers_at(trace_, op.x[j])))
      return false;
  }
  return true;
}

/// Sees to a free slot in the place's block: the first round's places take all rounds, others grow.
bool LoopRecording::make_room(std::uint32_t index) {
  Place& place = places_[index];
  if (place.now.n < place.capacity) return true;
  const Collected empty{.op = place.now.op, .site = place.now.site};
  if (place.now.n > 0) place.full.push_back(std::exchange(place.now, empty));
  place.capacity = place.capacity > 0 ? 2 * place.capacity : round_ <= 1 ? trips_ : std::min(kFirstBlock, trips_);
  if (!has_result(place.now.op.kind)) return true;
  reserved_ += place.capacity;
  if (reserved_ > kMostSlots) return false;
  place.now.op.d = allocate_slots(trace_, std::max(place.capacity, kPad));
  blocks_.push_back({place.now.op.d, index});
  return true;
}

void LoopRecording::append(Place& place, const Op& op) {
  const auto count = static_cast<std::size_t>(place_operands(op));
  place.now.refs.resize(count);
  place.now.numbers.resize(count);
  for (std::size_t j = 0; j < count; ++j) {
    if (op.ad_mask >> j & 1u)
      place.now.refs[j].add(op.x[j], place.now.n, place.capacity);
    else
      place.now.numbers[j].add(*numbers_at(trace_, op.x[j]), place.now.n, place.capacity);
  }
  place.slot = place.now.op.d + place.now.n++;
}

// ---- sums

/// The next partial sum of one that goes on: takes operand `term` in.
void LoopRecording::append_term(std::uint32_t index, Op& op, int term) {
  Sum& sum = sums_[index].now;
  Ref r = op.x[term];
  if ((op.ad_mask >> term & 1u) == 0) {  // a passing constant: this one stays
    trace_.const_scalars.push_back(*numbers_at(trace_, r));
    r = Ref::const_scalar(trace_.const_scalars.size() - 1);
  }
  sum.terms.add(r, sum.n, sum.capacity);
  op.d = sum.d + sum.n++;
  sums_[index].latest = addition_;
}

/// Whether the op adds to the latest partial sum of a running one.
bool LoopRecording::joins_sum(Op& op, Site site) {
  if (readers_.contains(addition_)) return false;
  for (int j = 0; j < 2; ++j) {
    const Block* const block = op.ad_mask >> j & 1u ? block_of(op.x[j]) : nullptr;
    if (block == nullptr || !block->sum) continue;
    const std::uint32_t index = block->index;
    if (op.x[j] + 2 == sums_[index].now.d + sums_[index].now.n) {
      readers_.insert(sums_[index].latest);
      learned_ = true;
      return false;
    }
    if (!is_sum(op.x[j]) || when(op, 1 - j).level > sums_[index].level) continue;
    const std::uint32_t place = find_place(op, site, std::nullopt);
    if (place == kNone) return false;
    if (sums_[index].now.n == sums_[index].now.capacity) return opens_sum(op, site, j, place, sums_[index].level, 2 * sums_[index].now.capacity);
    last_ = place;
    return append_term(index, op, 1 - j), true;
  }
  return false;
}

/// Operand j is what a running sum of so many terms begins with.
bool LoopRecording::opens_sum(Op& op, Site site, int j, std::uint32_t place, std::uint32_t level, std::uint32_t capacity) {
  if (level >= kMostLevels || sums_.size() >= kMostSums || reserved_ + capacity > kMostSlots) return false;
  reserved_ += capacity;
  const auto index = static_cast<std::uint32_t>(sums_.size());
  sums_.push_back({{.site = site, .first = op.x[j], .capacity = capacity, .d = allocate_slots(trace_, capacity)}, level});
  blocks_.push_back({sums_.back().now.d, index, true});
  last_ = place;
  return append_term(index, op, 1 - j), true;
}

/// An addition to a result of this or a later place, of the round before: a running sum from now on.
bool LoopRecording::starts_sum(Op& op, Site site, std::uint32_t place) {
  const When x = when(op, 0), y = when(op, 1);
  return opens_sum(op, site, y > x ? 1 : 0, place, std::max(x, y).level, std::max(trips_ + 1 - std::min(round_, trips_), kFirstBlock));
}

/// s - x as s + (-x), for a sum that goes on.
bool LoopRecording::adds_negative(Op& op, Site site) {
  const double negative = -*numbers_at(trace_, op.x[1]);
  if (op.ad_mask & 2u) {
    Op minus{.kind = OpKind::Map, .ad_mask = 1, .map = kMinus, .keep = {.ad = 1}, .x = {op.x[1]}};
    if (!put(minus, site)) return false;
    trace_.values[minus.d.index()] = negative;
    op.x[1] = minus.d;
  } else {
    trace_.const_scalars.push_back(negative);
    op.x[1] = Ref::const_scalar(trace_.const_scalars.size() - 1);
  }
  op.map = kAdd;
  return put(op, site);
}

// ---- ops

bool LoopRecording::add(Op& op, Site site) {
  if (op.map != kNoMap && map_op(op.map).product) return false;
  addition_ = static_cast<std::uint64_t>(site) << 16 | index_of(op.map);
  return put(op, site);
}

bool LoopRecording::put(Op& op, Site site) {
  const bool adds = op.kind == OpKind::Map && op.map == kAdd;
  if (adds && joins_sum(op, site)) return true;
  if (learned_) return false;
  When latest;
  for (int j = 0; j < place_operands(op); ++j) latest = std::max(latest, when(op, j));
  const bool subtracts = op.kind == OpKind::Map && op.map == kSubtract && latest == when(op, 0);
  if (subtracts && is_sum(op.x[0]) && !readers_.contains(addition_)) return adds_negative(op, site);
  const std::uint32_t index = find_place(op, site, latest.level);
  if (index == kNone) return false;
  if (latest.place >= index && readers_.contains(addition_)) return false;
  if (latest.place >= index) return subtracts ? adds_negative(op, site) : adds && starts_sum(op, site, index);
  const bool shared =
      has_result(op.kind) && places_[index].invariant && places_[index].now.n == 1 && repeats(places_[index], op);
  if (!shared) {
    places_[index].invariant = places_[index].now.n == 0 && places_[index].full.empty();
    if (!make_room(index)) return false;
    append(places_[index], op);
  }
  last_ = index;
  op.d = places_[index].slot;
  return true;
}

std::vector<LoopRecording::Level> LoopRecording::collect() {
  std::vector<Level> out(1);
  const auto level = [&](std::uint32_t k) -> Level& {
    if (out.size() <= k) out.resize(k + 1);
    return out[k];
  };
  for (Place& place : places_) {
    std::vector<Collected>& columns = level(place.level).columns;
    std::move(place.full.begin(), place.full.end(), std::back_inserter(columns));
    if (place.now.n > 0) columns.push_back(std::move(place.now));
  }
  for (OpenSum& sum : sums_) level(sum.level).sums.push_back(std::move(sum.now));
  return out;
}

}  // namespace fermiac::ad
