// The site handler of a conditioned model: which elements of a site count, and how much.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "interp/conditioning/conditioned.h"

namespace fermiac::interp {

class Enumeration;

/// Runs every site with its weights: what a sampler sees. Elements whose left side is missing are recorded apart from those that
/// are observed, whose left side stays a constant.
class Weigher final : public SiteHandler {
 public:
  explicit Weigher(const Conditioned& conditioned) : conditioned_(conditioned) {}
  /// Elements that read unknown ints go to `enumeration`; null: there are none.
  void set_enumeration(Enumeration* enumeration) { enumeration_ = enumeration; }
  void visit(const SiteNode& node, Frame& f) override;
  void choose(const SiteNode& node, Frame& f) override;

 private:
  bool takes_apart(const SiteCall& call) const;
  void add_others(SiteCall& call) const;
  void add(SiteCall& call, std::span<const std::uint32_t> elements, bool apart) const;
  static bool add_one_by_one(SiteCall& call, const std::map<double, std::vector<std::uint32_t>>& alike);

  const Conditioned& conditioned_;
  Enumeration* enumeration_ = nullptr;
};

}  // namespace fermiac::interp
