#include "autodiff/tape/loop.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "autodiff/tape/storage.h"

namespace fermiac::ad {
namespace {

constexpr std::size_t kMostPlaces = std::size_t{1} << 15;  // of the first round: loops within it are unrolled
constexpr std::size_t kMostPaths = 1024;                   // places that the first round did not reach
constexpr std::size_t kMostSlots = std::size_t{1} << 26;
constexpr std::uint32_t kFirstBlock = 1024;  // of a place that the first round did not reach; doubles from there

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

bool same_place(const Op& a, const Op& b) {
  return a.kind == b.kind && a.map == b.map && a.ad_mask == b.ad_mask && a.keep.terms == b.keep.terms &&
         a.keep.ad == b.keep.ad;
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

LoopRecording::LoopRecording(Trace& trace, std::uint32_t trips)
    : trace_(trace), trips_(trips), first_slot_(static_cast<Ref>(trace.values.size())), places_(1) {}

void LoopRecording::next_round() {
  if (++round_ == 2) most_places_ = places_.size() + kMostPaths;
  last_ = 0;
}

/// The place behind the latest one at which such an op stands; a new one if need be.
std::uint32_t LoopRecording::find_place(const Op& op, Site site) {
  std::uint32_t* link = &places_[last_].first_child;
  for (; *link != kNone; link = &places_[*link].next)
    if (places_[*link].now.site == site && same_place(places_[*link].now.op, op)) return *link;
  if (places_.size() >= (round_ <= 1 ? kMostPlaces : most_places_)) return kNone;
  const auto index = static_cast<std::uint32_t>(places_.size());
  *link = index;
  Place& fresh = places_.emplace_back();
  fresh.now.op = op;
  fresh.now.site = site;
  return index;
}

/// Whether the number is there before the first instance of the place is computed.
bool LoopRecording::is_older(Ref r, std::uint32_t index) const {
  if (r < first_slot_) return true;
  auto block = std::upper_bound(blocks_.begin(), blocks_.end(), r, [](Ref x, const Block& b) { return x < b.begin; });
  return block != blocks_.begin() && (--block)->place < index;
}

bool LoopRecording::repeats(const Place& place, const Op& op) const {
  for (int j = 0; j < ref_operands(op); ++j) {
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
  const auto count = static_cast<std::size_t>(ref_operands(op));
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

bool LoopRecording::add(Op& op, Site site) {
  if (op.map != kNoMap && map_op(op.map).product) return false;
  const std::uint32_t index = find_place(op, site);
  if (index == kNone) return false;
  for (int j = 0; j < ref_operands(op); ++j)
    if ((op.ad_mask >> j & 1u) && !is_older(op.x[j], index)) return false;
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

std::vector<LoopRecording::Collected> LoopRecording::collect() {
  std::vector<Collected> out;
  for (Place& place : places_) {
    std::move(place.full.begin(), place.full.end(), std::back_inserter(out));
    if (place.now.n > 0) out.push_back(std::move(place.now));
  }
  return out;
}

}  // namespace fermiac::ad
