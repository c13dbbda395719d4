#include "autodiff/tape/opencl/program_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "autodiff/tape/ir/storage.h"
#include "autodiff/tape/opencl/step_symbols.h"

namespace fermiac::ad::device {

std::string_view prelude();

namespace {

using symbols::MapFormula;
using symbols::Statements;
using symbols::Symbol;
using symbols::Term;
using symbols::Truth;

constexpr std::uint32_t kLongestPiece = 4096;  // of a gather's adjoints, summed by one work item
constexpr std::uint32_t kLongPiece = 32;       // … or by a work group, from so many on

/// A place in one of the parts of D, whose beginnings are known at the end.
struct Place {
  enum class Part : std::uint8_t { None, In, Between, Out } part = Part::None;
  std::uint32_t at = 0;
};

/// Numbers of a part that are handed out one block after the other.
struct Room {
  Place::Part part;
  std::uint32_t size = 0;
  Place take(std::size_t n) {
    const Place place{part, size};
    size += padded(n);
    return place;
  }
};

/// Products of one matrix, which is read once for all of them.
struct Bundle {
  std::string matrix;                          // the argument that says where it is in C
  std::uint32_t columns = 0;
  std::vector<std::uint32_t> products;         // of the chain
  std::vector<std::string> names, vectors;     // of their results, and the arguments that say where in D the vectors are
  std::uint32_t count() const { return static_cast<std::uint32_t>(products.size()); }
};

/// A matrix whose rows are kept in registers for the way back. `parts` items share a row, `each` columns for every one of them, and a group
/// of 64 has 64 / parts rows at a time. 50 columns: parts 2, each 25; item 40 has columns 25 to 49 of row 8.
struct Tiling {
  std::uint32_t columns = 0, parts = 0, each = 0, count = 1;  // count: of the products
  bool whole() const { return parts * each == columns; }
  bool many() const { return count > 1; }
};
constexpr std::uint32_t kMostKept = 84;  // of 255 registers for 32 bits, numbers of two: columns, sums of theirs for every product, for one its weights
constexpr std::uint32_t kMostParts = 8, kMostTogether = 16;

std::optional<Tiling> tiling(std::uint32_t columns, std::uint32_t count) {
  const std::uint32_t kept = count > 1 ? 1 + count : 3;
  Tiling t{columns, 1, columns, count};
  while (t.each * kept > kMostKept) t.parts *= 2, t.each = (columns - 1) / t.parts + 1;
  return t.parts <= kMostParts && count <= kMostTogether ? std::optional(t) : std::nullopt;
}

std::string sums_of_products(const Bundle& b) {
  std::string sums, adds;
  for (std::uint32_t k = 0; k < b.count(); ++k) {
    sums += fmt::format("    T {} = (T)(0.0);\n", b.names[k]);
    adds += fmt::format(" {} += x * (T)(D[{} + j]);", b.names[k], b.vectors[k]);
  }
  return fmt::format("{}    for (uint j = 0; j < {}; ++j) {{ const T x = LOAD(C, {} + j * n + i);{} }}\n", sums, b.columns, b.matrix, adds);
}

/// The same, from what the items of a row have each: of one product in four sums at a time. Two rooms in turn: nobody writes one that another
/// still reads.
std::string tiled_sums_of_products(const Bundle& b, const Tiling& t) {
  std::string parts, adds, puts, gets;
  for (std::uint32_t k = 0; k < t.count; ++k) {
    const std::string part = t.many() ? fmt::format("part[{}]", k) : "(part[0] + part[1]) + (part[2] + part[3])";
    adds += t.many() ? fmt::format(" part[{0}] += row[j] * weights[{1} + column + j];", k, k * t.parts * t.each) : " part[j % 4] += row[j] * weights[j];";
    puts += fmt::format("    shared[turn + {} * GROUP + me] = {};\n", k, part);
    gets += t.parts == 1 ? fmt::format("    const double {} = {};\n", b.names[k], part)
                         : fmt::format("    double {0} = 0.0;\n#pragma unroll\n    for (uint k = 0; k < {1}; ++k) {0} += shared[turn + {2} * GROUP + mine + k * rows];\n", b.names[k], t.parts, k);
  }
  const std::string exchange = t.parts == 1 ? "" : puts + "    barrier(CLK_LOCAL_MEM_FENCE);\n";
  return fmt::format(
             "    double row[{1}], part[{3}] = {{0.0}};\n#pragma unroll\n    for (uint j = 0; j < {1}; ++j) row[j] = {2}C[{0} + (column + j) * n + i];\n"
             "#pragma unroll\n    for (uint j = 0; j < {1}; ++j) {{{4} }}\n",
             b.matrix, t.each, t.whole() ? "" : fmt::format("column + j >= {} ? 0.0 : ", t.columns), t.many() ? t.count : 4, adds) +
         exchange + gets + (t.parts == 1 ? "" : fmt::format("    turn = {} * GROUP - turn;\n", t.count));
}
/// What a row brings to the sums of the columns, of product k.
std::string tiled_columns(std::string_view adjoint, const Tiling& t, std::uint32_t k) {
  return fmt::format("    const double pulled{3} = there ? {0} : 0.0;\n#pragma unroll\n    for (uint j = 0; j < {1}; ++j) sums[{2} + j] += row[j] * pulled{3};\n", adjoint, t.each,
                     k * t.each, k);
}

class Writer {
 public:
  Writer(const TapeView& tape, const Cut& cut) : t_(tape), cut_(cut) {}

  ProgramText run(const std::vector<Chain>& chains) {
    p_.source = fmt::format("#define LANES {}\n#define GROUP {}\n{}", cut_.lanes, cut_.group, prelude());
    for (std::uint32_t k = 0; k < chains.size(); ++k) ChainWriter(*this, chains[k], fmt::format("chain{}", k)).run();
    settle();
    return std::move(p_);
  }

 private:
  friend class ChainWriter;
  struct Launch {
    KernelLaunch launch;
    std::vector<Place> numbers;  // Part::None: the number itself
  };

  std::uint32_t begin(Place::Part part) const {
    switch (part) {
      case Place::Part::Between: return in_.size;
      case Place::Part::Out: return in_.size + between_.size;
      default: return 0;
    }
  }
  void settle() {
    p_.in = in_.size;
    p_.out_at = begin(Place::Part::Out);
    p_.out = out_.size;
    for (Launch& l : launches_) {
      for (const Place& place : l.numbers) l.launch.numbers.push_back(begin(place.part) + place.at);
      p_.launches.push_back(std::move(l.launch));
    }
    p_.constants.resize(p_.constants.size() + kPad);  // vectors may be read past the end
    if (p_.integers.empty()) p_.integers.push_back(0);
  }

  /// Where constant numbers of the arena, or others, lie in C.
  std::uint32_t constants(std::uint32_t from, std::size_t n) {
    const auto [at, made] = known_constants_.try_emplace({from, n}, 0u);
    if (made) at->second = constants(t_.constants.subspan(from, n));
    return at->second;
  }
  std::uint32_t constants(std::span<const double> numbers) {
    const auto at = static_cast<std::uint32_t>(p_.constants.size());
    p_.constants.insert(p_.constants.end(), numbers.begin(), numbers.end());
    p_.constants.resize(padded(p_.constants.size()));
    return at;
  }
  std::uint32_t integers(const std::vector<std::uint32_t>& numbers) {
    const auto at = static_cast<std::uint32_t>(p_.integers.size());
    p_.integers.insert(p_.integers.end(), numbers.begin(), numbers.end());
    p_.integers.resize(padded(p_.integers.size()) + kPad);
    return at;
  }
  /// Numbers that a point of evaluation brings.
  Place run_in(std::uint32_t from, std::uint32_t n) {
    const auto [at, made] = known_runs_.try_emplace({from, n}, Place{});
    if (!made) return at->second;
    at->second = in_.take(n);
    p_.runs.push_back({from, n, at->second.at});
    return at->second;
  }
  /// Work items and elements of a group for n elements. The same for one n, so that sums come in the same order.
  struct Division {
    std::uint32_t groups = 1, chunk = 0;
  };
  Division divide(std::uint32_t n, std::uint32_t most) const {
    const std::uint32_t step = cut_.group * cut_.lanes, blocks = (n - 1) / step + 1;
    const std::uint32_t each = (blocks - 1) / std::min(most, blocks) + 1;
    return {(blocks - 1) / each + 1, each * step};
  }

  /// One kernel.
  class ChainWriter : StepSymbols {
   public:
    ChainWriter(Writer& w, const Chain& c, std::string name) : StepSymbols(c.steps), w_(w), c_(c), name_(std::move(name)) {}

    void run() {
      bundle();
      // A matrix goes to the device's cores once, where one group can hold its rows.
      if (bundles_.size() == 1 && std::ranges::all_of(c_.products, &Product::autodiff) && w_.cut_.lanes == 1 && w_.cut_.group == 64)
        tiling_ = tiling(bundles_[0].columns, bundles_[0].count());
      take_sources();
      forward();
      back();
      write();
    }

   private:
    struct Input {
      Source source;
      std::string name;
      Symbol symbol;
      std::optional<Symbol> adjoint;   // none: nothing asks for it
    };

    std::string argument(Place place) {
      arguments_.push_back(place);
      return fmt::format("a{}", arguments_.size() - 1);
    }
    void load(const std::string& line) { loads_ += line; }

    // ---- where numbers come from

    void bundle() {
      for (std::uint32_t k = 0; k < c_.products.size(); ++k) {
        const Product& p = c_.products[k];
        const auto same = [&](const Bundle& b) { return c_.products[b.products[0]].matrix == p.matrix && b.columns == p.columns; };
        auto known = std::ranges::find_if(bundles_, same);
        if (known == bundles_.end()) known = bundles_.insert(known, Bundle{.matrix = {}, .columns = p.columns, .products = {}, .names = {}, .vectors = {}});
        known->products.push_back(k);
      }
    }
    void take_sources() {
      for (const Gathering& g : c_.gathers) gathered(g);
      for (std::uint32_t k = 0; k < c_.products.size(); ++k) {
        const std::string name = fmt::format("p{}", k);
        products_.push_back({{Source::Kind::Product, k}, name, s_.named(name), {}});
      }
      for (Bundle& b : bundles_) multiplied(b);
    }
    void gathered(const Gathering& g) {
      const auto index = g.places.empty() ? w_.t_.index.subspan(g.first, c_.n) : std::span<const std::uint32_t>(g.places);
      std::unordered_map<std::uint32_t, std::uint32_t> number_of;
      std::vector<std::uint32_t> sources, number;
      for (const std::uint32_t at : index) {
        const auto [known, made] = number_of.try_emplace(at, static_cast<std::uint32_t>(sources.size()));
        if (made) sources.push_back(at);
        number.push_back(known->second);
      }
      const Place to = w_.in_.take(sources.size());
      for (std::uint32_t k = 0; k < sources.size(); ++k) w_.p_.singles.push_back({sources[k], to.at + k});
      const std::string name = fmt::format("g{}", gathers_.size());
      const std::string from = argument(to), at = argument({Place::Part::None, w_.integers(number)});
      load(fmt::format("    const T {} = GATHER(D, {}, I + {}, i);\n", name, from, at));
      gathers_.push_back({{Source::Kind::Gathered, static_cast<std::uint32_t>(gathers_.size())}, name, s_.named(name), {}});
      sources_.push_back(std::move(sources));
      numbers_.push_back(std::move(number));
    }
    void multiplied(Bundle& b) {
      b.matrix = argument({Place::Part::None, matrix_in_constants(b.products[0])});
      for (const std::uint32_t k : b.products) {
        b.names.push_back(products_[k].name);
        b.vectors.push_back(argument(w_.run_in(c_.products[k].vector, b.columns)));
      }
      load(tiling_ ? tiled_sums_of_products(b, *tiling_) : sums_of_products(b));
    }
    std::uint32_t matrix_in_constants(std::uint32_t product) {
      const Product& p = c_.products[product];
      return w_.constants(p.matrix.at, std::size_t{c_.n} * p.columns);
    }
    Input& input(const Source& source) {
      if (source.kind == Source::Kind::Gathered) return gathers_[source.at];
      if (source.kind == Source::Kind::Product) return products_[source.at];
      const auto known = std::ranges::find(inputs_, source, &Input::source);
      if (known != inputs_.end()) return *known;
      const std::string name = fmt::format("{}{}", source.kind == Source::Kind::Scalar ? 's' : 'x', inputs_.size());
      if (source.kind == Source::Kind::Scalar) {
        scalar_names_.push_back(name);
        scalars_.push_back(source.at);
      } else if (source.kind == Source::Kind::Extra) {
        const auto numbers = std::span(c_.extra).subspan(source.at, c_.n);
        load(fmt::format("    const T {} = LOAD(C, {} + i);\n", name, argument({Place::Part::None, w_.constants(numbers)})));
      } else if (source.at < w_.t_.scalars_begin) {
        load(fmt::format("    const T {} = LOAD(C, {} + i);\n", name, argument({Place::Part::None, w_.constants(source.at, c_.n)})));
      } else {
        load(fmt::format("    const T {} = LOAD(D, {} + i);\n", name, argument(w_.run_in(source.at, c_.n))));
      }
      return inputs_.emplace_back(Input{source, name, s_.named(name), {}});
    }
    Symbol outside(const Source& source) override { return source.kind == Source::Kind::Chosen ? chosen(c_.choices[source.at]) : input(source).symbol; }
    void add_outside(const Source& source, const Symbol& d) override {
      if (source.kind == Source::Kind::Chosen) return add_chosen(c_.choices[source.at], d);
      std::optional<Symbol>& sum = input(source).adjoint;
      sum = sum ? *sum + d : d;
    }

    /// The index is at scalar k: at the last one, or beyond, where it is at none before.
    Truth is_at(const Choice& choice, std::size_t k) {
      const Symbol index = input(choice.index).symbol - choice.less;
      const double number = static_cast<double>(k) + 1;
      if (choice.scalars.size() == 1) return true;
      if (k == 0) return index <= number;
      return k + 1 == choice.scalars.size() ? index >= number : index == number;
    }
    Symbol chosen(const Choice& choice) {
      Symbol out;
      for (std::size_t k = choice.scalars.size(); k-- > 0;) {
        const Symbol scalar = input({Source::Kind::Scalar, choice.scalars[k]}).symbol;
        out = k + 1 == choice.scalars.size() ? scalar : select(is_at(choice, k), scalar, out);
      }
      return out;
    }
    void add_chosen(const Choice& choice, const Symbol& d) {
      for (std::size_t k = 0; k < choice.scalars.size(); ++k) add_outside({Source::Kind::Scalar, choice.scalars[k]}, select(is_at(choice, k), d, Symbol(0)));
    }

    // ---- the formulas

    Symbol shared_scalar(const Step& step, int i) override {
      SharedIn in{step.map, i, {}, step.keep, 0};
      for (std::size_t j = 0; j < step.x.size(); ++j) in.x.push_back(step.vector_mask >> j & 1u ? 0 : step.x[j].at);
      const std::string name = fmt::format("q{}", shared_.size());
      shared_.push_back(std::move(in));
      shared_names_.push_back(name);
      return s_.named(name);
    }
    void forward() {
      for (std::size_t i = 0; i < c_.steps.size(); ++i) step_forward(i);
    }
    void step_forward(std::size_t i) {
      const Step& step = c_.steps[i];
      if (step.kind == Step::Kind::Categories) return categories(step);
      const std::vector<Symbol> x = operands(step);
      if (step.kind == Step::Kind::Target) return sink(step, x[0], {Symbol(1)});
      holds_ = holds_ & counted(step, prepare(i, x));
      if (step.kind == Step::Kind::Value) {
        values_[i] = step.map->value(x.data(), shares_[i].data(), step.keep);
        return;
      }
      std::vector<Symbol> d(kMaxMapArity);
      const Symbol value = step.map->fused(x.data(), shares_[i].data(), Symbol(1), d.data(), step.keep);
      sink(step, step.map->density && step.keep.nothing() ? Symbol(0) : value, d);
    }
    /// From the largest of them, so that no exponential overflows. Adjoints are [it is the outcome] - softmax.
    void categories(const Step& step) {
      const std::vector<Symbol> x = operands(step);
      Symbol high = x[1], total, chosen;
      Truth holds = true;
      std::vector<Symbol> e, is_outcome;
      for (std::size_t k = 1; k < step.x.size(); ++k) high = select(x[k] > high, x[k], high);
      for (std::size_t k = 1; k < step.x.size(); ++k) {
        const Truth here = x[0] == static_cast<double>(k);
        holds = holds & (abs(x[k]) < std::numeric_limits<double>::infinity());
        e.push_back(exp(x[k] - high));
        total += e.back();
        chosen = select(here, x[k], chosen);
        is_outcome.push_back(select(here, Symbol(1), Symbol(0)));
      }
      holds_ = holds_ & counted(step, holds);
      terms_ = terms_ + weighed(step, chosen - (high + log(total)));
      const Symbol scale = 1.0 / total;
      for (std::size_t k = 1; k < step.x.size(); ++k) add_adjoint(step.x[k], weighed(step, is_outcome[k - 1] - e[k - 1] * scale));
    }
    /// Of what does not count nothing can be wrong.
    Truth counted(const Step& step, const Truth& holds) {
      if (step.weight == 0 || step.kind == Step::Kind::Value) return holds;
      return holds | (weight(step) == 0.0);
    }
    Symbol weight(const Step& step) { return input({Source::Kind::Scalar, step.weight}).symbol; }
    Symbol weighed(const Step& step, const Symbol& x) {
      if (step.weight == 0) return x;
      const Symbol w = weight(step);
      return select(w == 0.0, Symbol(0), w * x);
    }
    void sink(const Step& step, const Symbol& value, const std::vector<Symbol>& d) {
      terms_ = terms_ + weighed(step, value);
      hand_back(step, d, [&](const Symbol& x) { return weighed(step, x); });
    }
    // ---- the kernel

    /// The operand's adjoints, to be summed by group.
    bool is_summed(const Input& in) const { return in.source.kind == Source::Kind::Scalar && in.adjoint && in.source.at >= w_.t_.parameters_begin; }
    void write() {
      const Division division = w_.divide(c_.n, w_.cut_.groups);
      const Truth holds = holds_ & s_.required();
      std::vector<Term> results{holds, terms_};
      std::vector<const Input*> summed, stored;
      for (const auto* inputs : {&inputs_, &gathers_, &products_})
        for (const Input& in : *inputs) {
          if (is_summed(in)) summed.push_back(&in);
          else if (in.adjoint && in.source.kind != Source::Kind::Scalar && !is_constant(in.source)) stored.push_back(&in);
        }
      for (const Input* in : summed) results.push_back(*in->adjoint);
      for (const Input* in : stored) results.push_back(*in->adjoint);
      std::string statements = s_.write(results);
      for (const Input* in : stored) {
        if (tiling_ && in->source.kind == Source::Kind::Product) statements += tiled_columns(one(*in->adjoint), *tiling_, in->source.at);
        else statements += fmt::format("    {}STORE({}, D, {} + i);\n", tiling_ ? "if (live) " : "", one(*in->adjoint), argument(adjoints_of(*in)));
      }
      const auto sums = static_cast<std::uint32_t>(summed.size()) + 2;
      const Place out = w_.out_.take(std::size_t{division.groups} * sums);
      w_.p_.sums.push_back({out.at, division.groups, {}});
      for (const Input* in : summed) w_.p_.sums.back().scalars.push_back(in->source.at);
      scalars();
      const std::string parts = tiling_ ? argument(column_sums(division)) : "";
      text(statements, summed, holds, argument(out), parts);
      for (const auto& [at, constant] : c_.constants) w_.p_.target.push_back({at, constant});
      w_.p_.ascents.insert(w_.p_.ascents.end(), c_.ascents.begin(), c_.ascents.end());
      w_.launches_.push_back(launch(division));
      for (Later& later : later_) w_.launches_.push_back(std::move(later));
    }
    using Later = Writer::Launch;
    std::string one(const Symbol& x) { return s_.text(x); }
    bool is_constant(const Source& source) const {
      return source.kind == Source::Kind::Extra || (source.kind == Source::Kind::Vector && source.at < w_.t_.parameters_begin);
    }
    /// Where the adjoints of an operand go; what else is to be done with them is done by another kernel.
    Place adjoints_of(const Input& in) {
      if (in.source.kind == Source::Kind::Vector) {
        const Place out = w_.out_.take(c_.n);
        w_.p_.adjoint_runs.push_back({out.at, c_.n, in.source.at});
        return out;
      }
      const Place between = w_.between_.take(c_.n);
      if (in.source.kind == Source::Kind::Gathered) scatter(in.source.at, between);
      else transposed(in.source.at, between);
      return between;
    }
    /// Sums of the adjoints by source, in pieces.
    void scatter(std::uint32_t gather, Place from) {
      const std::vector<std::uint32_t>& number = numbers_[gather];
      std::vector<std::uint32_t> places(c_.n), bounds;
      std::iota(places.begin(), places.end(), 0u);
      std::ranges::stable_sort(places, {}, [&](std::uint32_t i) { return number[i]; });
      AdjointsOut out;
      for (std::uint32_t i = 0; i < c_.n; ++i) {
        const bool begins = i == 0 || number[places[i]] != number[places[i - 1]] || i - bounds.back() == kLongestPiece;
        if (!begins) continue;
        bounds.push_back(i);
        out.to.push_back(sources_[gather][number[places[i]]]);
      }
      bounds.push_back(c_.n);
      const auto pieces = static_cast<std::uint32_t>(out.to.size());
      const Place to = w_.out_.take(pieces);
      out.at = to.at;
      w_.p_.adjoints.push_back(std::move(out));
      const auto literal = [](std::uint32_t x) { return Place{Place::Part::None, x}; };
      Later add{{.name = "scatter", .integers = true, .items = (pieces - 1) / w_.cut_.group * w_.cut_.group + w_.cut_.group},
                {from, literal(w_.integers(places)), literal(w_.integers(bounds)), to, literal(pieces)}};
      if (w_.cut_.group > 1 && c_.n / pieces >= kLongPiece) {
        add.launch.name = "scatter_long";
        add.launch.items = pieces * w_.cut_.group;
        add.numbers.pop_back();
      }
      later_.push_back(std::move(add));
    }
    /// The transposed matrix times the adjoints, in parts of rows.
    void transposed(std::uint32_t product, Place from) {
      const Product& p = c_.products[product];
      const Division rows = w_.divide(c_.n, std::max(1u, w_.cut_.groups / p.columns));
      const Place to = w_.out_.take(std::size_t{p.columns} * rows.groups);
      AdjointsOut out{to.at, rows.groups, {}};
      for (std::uint32_t j = 0; j < p.columns; ++j) out.to.push_back(p.vector + j);
      w_.p_.adjoints.push_back(std::move(out));
      const auto number = [](std::uint32_t x) { return Place{Place::Part::None, x}; };
      later_.push_back({{.name = "columns", .constants = true, .items = p.columns * rows.groups * w_.cut_.group},
                        {number(c_.n), number(rows.chunk), number(rows.groups), number(matrix_in_constants(product)), from, to}});
    }
    /// Where each group puts its sums of columns, product after product; another kernel adds them up.
    Place column_sums(const Division& division) {
      AdjointsOut out;
      for (const Product& p : c_.products)
        for (std::uint32_t j = 0; j < p.columns; ++j) out.to.push_back(p.vector + j);
      const auto width = static_cast<std::uint32_t>(out.to.size());
      const Place parts = w_.between_.take(std::size_t{division.groups} * width), to = w_.out_.take(width);
      out.at = to.at;
      w_.p_.adjoints.push_back(std::move(out));
      later_.push_back({{.name = "sum_parts", .items = width * w_.cut_.group}, {parts, {Place::Part::None, width}, {Place::Part::None, division.groups}, to}});
      return parts;
    }
    /// Scalars and shared quantities, which lie side by side.
    void scalars() {
      const Place to = w_.in_.take(scalars_.size() + shared_.size());
      const std::string at = argument(to);
      std::uint32_t k = to.at;
      for (std::size_t i = 0; i < scalars_.size(); ++i) head(scalar_names_[i], at, k++ - to.at), w_.p_.singles.push_back({scalars_[i], k - 1});
      for (std::size_t i = 0; i < shared_.size(); ++i) {
        head(shared_names_[i], at, k - to.at);
        shared_[i].to = k++;
        w_.p_.shared.push_back(std::move(shared_[i]));
      }
    }
    void head(const std::string& name, const std::string& at, std::uint32_t k) { heads_ += fmt::format("  const T {} = (T)(D[{} + {}]);\n", name, at, k); }
    /// How items go over the elements of their group. Of a tile all of them take part in every step; what a row has once, its first item counts.
    std::string steps() const {
      if (!tiling_) return "  for (uint i = begin + (uint)get_local_id(0) * LANES; i < end; i += GROUP * LANES) {\n    const M live = LIVE(i, n);\n";
      return "  for (uint first = begin; first < end; first += rows) {\n    const uint i = min(first + mine, n - 1);\n"
             "    const M there = first + mine < n, live = there & (me < rows);\n";
    }
    void text(const std::string& statements, const std::vector<const Input*>& summed, const Truth& holds, const std::string& out, const std::string& parts) {
      std::string parameters, sums, adds, ends;
      for (std::size_t k = 0; k < arguments_.size(); ++k) parameters += fmt::format(", uint a{}", k);
      const auto width = summed.size() + 2;
      const auto add = [&](std::size_t k, const std::string& x) {
        sums += fmt::format("  T sum{} = (T)(0.0);\n", k);
        adds += fmt::format("    sum{} += live ? {} : (T)(0.0);\n", k, x);
        ends += fmt::format("  add_up(SUM(sum{0}), room, to + {1});\n", k, k + 1);
      };
      add(0, one(terms_));
      for (std::size_t k = 0; k < summed.size(); ++k) add(k + 1, one(*summed[k]->adjoint));
      w_.p_.source += fmt::format(
          "\n__kernel ITEMS void {0}(__global const double* restrict C, __global double* restrict D, __global const uint* restrict I, uint n, uint chunk{1}) {{\n"
          "  const uint begin = (uint)get_group_id(0) * chunk, end = min(n, begin + chunk);\n  __local double room[GROUP];\n"
          "{2}  M bad = FALSE;\n{3}{11}{12}"
          "{4}{5}    bad |= NOT({6}) & live;\n{7}  }}\n"
          "  __global double* to = D + {8} + (uint)get_group_id(0) * {9};\n"
          "  add_up(ANY(bad) ? 1.0 : 0.0, room, to);\n{10}{13}}}\n",
          name_, parameters, heads_, sums, loads_, statements, s_.text(holds), adds, out, width, ends, tile_head(), steps(), tile_end(parts));
    }
    std::string tile_head() const {
      if (!tiling_) return {};
      const Tiling& t = *tiling_;
      return fmt::format(
                 "  const uint me = get_local_id(0), rows = GROUP / {0}, mine = me % rows, column = me / rows * {1};\n{3}"
                 "  __local double kept[GROUP * {1}];\n  double sums[{2}];\n#pragma unroll\n  for (uint j = 0; j < {2}; ++j) sums[j] = 0.0;\n",
                 t.parts, t.each, t.count * t.each, t.parts > 1 ? fmt::format("  __local double shared[{} * GROUP];\n  uint turn = 0;\n", 2 * t.count) : "") +
             weights(t);
    }
    /// Of one product in registers, of several for the group.
    std::string weights(const Tiling& t) const {
      const std::vector<std::string>& vectors = bundles_[0].vectors;
      if (!t.many())
        return fmt::format("  double weights[{0}];\n#pragma unroll\n  for (uint j = 0; j < {0}; ++j) weights[j] = D[{1} + {2}];\n", t.each, vectors[0],
                           t.whole() ? "column + j" : fmt::format("min(column + j, {}u)", t.columns - 1));
      std::string out = fmt::format("  __local double weights[{}];\n", t.count * t.parts * t.each);
      for (std::uint32_t k = 0; k < t.count; ++k)
        out += fmt::format("  for (uint j = me; j < {0}; j += GROUP) weights[{1} + j] = j < {2} ? D[{3} + j] : 0.0;\n", t.parts * t.each, k * t.parts * t.each, t.columns, vectors[k]);
      return out + "  barrier(CLK_LOCAL_MEM_FENCE);\n";
    }
    /// Columns of the group's rows, added up in their order, product after product.
    std::string tile_end(const std::string& to) const {
      std::string out;
      for (std::uint32_t k = 0; tiling_ && k < tiling_->count; ++k)
        out += fmt::format(
            "{5}#pragma unroll\n  for (uint j = 0; j < {0}; ++j) kept[me * {0} + j] = sums[{3} + j];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
            "  for (uint j = me; j < {1}; j += GROUP) {{\n    double sum = 0.0;\n"
            "    for (uint r = 0; r < rows; ++r) sum += kept[(j / {0} * rows + r) * {0} + j % {0}];\n"
            "    D[{2} + (uint)get_group_id(0) * {4} + {6} + j] = sum;\n  }}\n",
            tiling_->each, tiling_->columns, to, k * tiling_->each, tiling_->count * tiling_->columns, k > 0 ? "  barrier(CLK_LOCAL_MEM_FENCE);\n" : "", k * tiling_->columns);
      return out;
    }
    Later launch(const Division& division) {
      Later l{{.name = name_, .constants = true, .integers = true, .items = division.groups * w_.cut_.group}, {}};
      l.numbers = {{Place::Part::None, c_.n}, {Place::Part::None, division.chunk}};
      l.numbers.insert(l.numbers.end(), arguments_.begin(), arguments_.end());
      return l;
    }

    Writer& w_;
    const Chain& c_;
    std::string name_;
    Statements s_;
    std::vector<Place> arguments_;
    std::string loads_, heads_;
    std::optional<Tiling> tiling_;
    std::vector<Bundle> bundles_;
    std::vector<Input> inputs_, gathers_, products_;
    std::vector<std::uint32_t> scalars_;
    std::vector<std::string> scalar_names_, shared_names_;
    std::vector<SharedIn> shared_;
    std::vector<std::vector<std::uint32_t>> sources_, numbers_;  // of gathers: places in the arena, and which of them each element has
    Truth holds_ = true;
    Symbol terms_;
    std::vector<Later> later_;
  };

  const TapeView& t_;
  Cut cut_;
  ProgramText p_;
  Room in_{Place::Part::In}, between_{Place::Part::Between}, out_{Place::Part::Out};
  std::vector<Launch> launches_;
  std::map<std::pair<std::uint32_t, std::size_t>, std::uint32_t> known_constants_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Place> known_runs_;
};

}  // namespace

Cut cut_for(const DeviceInfo& d) {
  const std::uint32_t lanes = d.lanes >= 8 ? 8 : d.lanes >= 4 ? 4 : d.lanes >= 2 ? 2 : 1;
  if (d.kind == DeviceKind::Cpu) return {lanes, 1, std::clamp(4 * d.units, 4u, 1024u)};
  return {lanes, std::bit_floor(std::clamp(d.largest_group, 1u, 64u)), std::clamp(8 * d.units, 32u, 1024u)};
}

std::uint64_t ProgramText::bytes() const {
  return (constants.size() + out_at + out) * sizeof(double) + integers.size() * sizeof(std::uint32_t);
}

ProgramText write_program(const TapeView& tape, const std::vector<Chain>& chains, const Cut& cut) { return Writer(tape, cut).run(chains); }

}  // namespace fermiac::ad::device
