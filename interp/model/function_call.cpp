#include "interp/model/function_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "interp/io/print.h"
#include "interp/model/plain_run.h"
#include "support/base/json.h"
#include "support/base/json_scan.h"
#include "support/base/memory.h"
#include "support/base/stop.h"

namespace fermiac::interp {
namespace {

/// Within an object: moves to the value of this key. False at the object's end.
bool go_to_member(JsonScan& scan, std::string_view name) {
  for (bool first = true; !scan.accept('}'); first = false) {
    if (!first) scan.expect(',', "");
    scan.peek();
    const std::string_view key = scan.string();
    scan.expect(':', "");
    scan.peek();
    if (key == name) return true;
    scan.skip_value();
  }
  return false;
}

// ---------------------------------------------------------------- sizes of arguments

/// Sizes as a JSON text has them. Where the text does not fit the type, sizes that make the reader of the value complain.
class SizeReader {
 public:
  explicit SizeReader(std::string_view text) : text_(text) {}

  ExpectedType read(const Type& type, std::size_t at) {
    ExpectedType out{.base = type.base()};
    for (int d = 0; d < type.array_dims(); ++d) out.array_dims.push_back(enter(at));
    switch (type.base()) {
      case BaseType::Vector:
      case BaseType::ComplexVector:
        out.rows = enter(at);
        break;
      case BaseType::RowVector:
      case BaseType::ComplexRowVector:
        out.cols = enter(at);
        break;
      case BaseType::Matrix:
      case BaseType::ComplexMatrix:
        out.rows = enter(at);
        out.cols = enter(at);
        break;
      case BaseType::Tuple:
        for (std::size_t k = 0; k < type.slots().size(); ++k) out.slots.push_back(read(type.slots()[k], slot(at, k + 1)));
        break;
      default:
        break;
    }
    return out;
  }

 private:
  static constexpr std::size_t kNowhere = std::string_view::npos;

  /// The length of the list at `at`, which moves to its first element; of what is no list, 1.
  std::uint32_t enter(std::size_t& at) {
    if (at == kNowhere) return 0;
    JsonScan scan(text_, "", at);
    at = kNowhere;
    if (!scan.accept('[')) return 1;
    std::uint32_t n = 0;
    while (!scan.accept(']')) {
      if (n > 0) scan.expect(',', "");
      scan.peek();
      if (n++ == 0) at = scan.offset();
      scan.skip_value();
    }
    return n;
  }

  /// Where the slot of the tuple at `at` begins.
  std::size_t slot(std::size_t at, std::size_t number) {
    if (at == kNowhere) return at;
    JsonScan scan(text_, "", at);
    if (!scan.accept('{')) return kNowhere;
    return go_to_member(scan, std::to_string(number)) ? scan.offset() : kNowhere;
  }

  std::string_view text_;
};

// ---------------------------------------------------------------- arguments

constexpr char kSource[] = "arguments";

/// A function and what its arguments are called.
struct Candidate {
  const FunctionCode* code;
  const mir::Function* declaration;
};

/// Values by name, however they were given.
class Arguments {
 public:
  explicit Arguments(std::string_view text) {
    JsonScan scan(text, kSource);
    switch (scan.peek()) {
      case JsonToken::Array:
        listed_ = json_elements(text, kSource);
        break;
      case JsonToken::Object:
        named_ = DataSource::parse(std::string(text), kSource);
        text_ = text;
        break;
      default:
        scan.fail("arguments must be a JSON array, or an object with their names");
    }
  }

  bool fit(const Candidate& c) const {
    const auto& formals = c.declaration->args;
    if (!named_) return listed_.size() == formals.size();
    return named_->names().size() == formals.size() &&
           std::ranges::all_of(formals, [&](const mir::FunctionArg& formal) { return named_->has(formal.name); });
  }
  /// Throws InputError.
  std::vector<Value> read(const Candidate& c) const {
    std::vector<Value> out;
    for (std::size_t i = 0; i < c.code->formals.size(); ++i)
      out.push_back(read_one(c.declaration->args[i].name, c.code->formals[i], i));
    return out;
  }
  std::string describe() const {
    if (!named_) return fmt::format("{} argument{}", listed_.size(), listed_.size() == 1 ? "" : "s");
    std::vector<std::string> names = named_->names();
    std::ranges::sort(names);
    return fmt::format("arguments named {}", fmt::join(names, ", "));
  }

 private:
  Value read_one(const std::string& name, const Type& type, std::size_t i) const {
    const std::string text = named_ ? member_text(name) : std::string(listed_[i]);
    const DataSource source = DataSource::parse(fmt::format("{{\"{}\": {}}}", name, text), kSource);
    return source.read(name, SizeReader(text).read(type, 0));
  }

  std::string member_text(const std::string& name) const {
    JsonScan scan(text_, kSource);
    scan.accept('{');
    if (!go_to_member(scan, name)) return "null";
    const std::size_t begin = scan.offset();
    scan.skip_value();
    return std::string(text_.substr(begin, scan.offset() - begin));
  }

  std::vector<std::string_view> listed_;
  std::optional<DataSource> named_;
  std::string_view text_;
};

// ---------------------------------------------------------------- functions

std::string types_text(const FunctionCode& f) {
  std::string out;
  for (const Type& type : f.formals) out += (out.empty() ? "" : ", ") + type.str();
  return f.name + "(" + out + ")";
}

std::string signature_text(const Candidate& c) {
  std::string out;
  for (const mir::FunctionArg& formal : c.declaration->args)
    out += (out.empty() ? "" : ", ") + formal.type.str() + " " + formal.name;
  return fmt::format("{}({}) => {}", c.code->name, out, c.code->result.str());
}

bool same_function(const FunctionCode& code, const mir::Function& declaration) {
  return code.name == declaration.name && declaration.body &&
         std::ranges::equal(code.formals, declaration.args, {}, {}, &mir::FunctionArg::type);
}

/// Functions with a body whose arguments JSON can hold.
std::vector<Candidate> callable_functions(const CompiledModel& compiled) {
  std::vector<Candidate> out;
  for (const auto& code : compiled.code->functions) {
    if (!code->defined || !code->body) continue;
    if (std::ranges::any_of(code->formals, [](const Type& t) { return t.base() == BaseType::Function; })) continue;
    for (const mir::Function& declaration : compiled.program.functions)
      if (same_function(*code, declaration)) {
        out.push_back({code.get(), &declaration});
        break;
      }
  }
  return out;
}

std::string without_blanks(std::string_view text) {
  std::string out(text);
  std::erase(out, ' ');
  return out;
}

/// Those that the name means. Throws InputError.
std::vector<Candidate> functions_named(const CompiledModel& compiled, std::string_view name) {
  std::vector<Candidate> out, all = callable_functions(compiled);
  const std::string wanted = without_blanks(name);
  const bool with_types = wanted.find('(') != std::string::npos;
  for (const Candidate& c : all)
    if (with_types ? without_blanks(types_text(*c.code)) == wanted : c.code->name == wanted) out.push_back(c);
  if (!out.empty()) return out;
  std::string known;
  for (const Candidate& c : all) known += "\n  " + signature_text(c);
  throw InputError(StatusCode::InvalidArgument, fmt::format("the program has no function '{}'{}", name, known.empty() ? "" : "; those that can be called are" + known));
}

struct Chosen {
  const FunctionCode* function;
  std::vector<Value> arguments;
};

long whole_numbers(const std::vector<Value>& values) {
  return std::ranges::count_if(values, [](const Value& v) { return v.is_int() || v.kind() == Value::Kind::Ints; });
}

/// Throws InputError.
Chosen choose(const CompiledModel& compiled, const FunctionCall& call) {
  const Arguments given(call.arguments);
  const std::vector<Candidate> named = functions_named(compiled, call.name);
  std::vector<Chosen> fit;
  std::string why, signatures;
  for (const Candidate& c : named) {
    signatures += "\n  " + signature_text(c);
    if (!given.fit(c)) continue;
    try {
      fit.push_back({c.code, given.read(c)});
    } catch (const InputError& e) {
      why = e.what();
      if (named.size() == 1) throw;
    }
  }
  if (fit.empty())
    throw InputError(StatusCode::InvalidArgument, fmt::format("'{}' was given {}{}, but takes{}", call.name, given.describe(),
                                     why.empty() ? "" : " (" + why + ")", signatures));
  std::ranges::stable_sort(fit, std::ranges::greater{}, [](const Chosen& c) { return whole_numbers(c.arguments); });
  if (fit.size() > 1 && whole_numbers(fit[0].arguments) == whole_numbers(fit[1].arguments))
    throw InputError(StatusCode::InvalidArgument, fmt::format("'{}' with these arguments may be {} or {}: give the name with its types", call.name,
                                     types_text(*fit[0].function), types_text(*fit[1].function)));
  return std::move(fit.front());
}

/// Empty where the function can be called from outside of a model.
std::string objection(const FunctionCode& f, const FunctionCall& call) {
  if (f.suffix == Suffix::Target || f.suffix == Suffix::Jacobian)
    return fmt::format("'{}' changes the target: only a model can call it", f.name);
  if (f.suffix == Suffix::Rng && !call.rng) return fmt::format("'{}' draws random numbers: it needs an rng", f.name);
  return {};
}

}  // namespace

std::vector<std::string> function_signatures(const CompiledModel& compiled) {
  std::vector<std::string> out;
  for (const Candidate& c : callable_functions(compiled)) out.push_back(signature_text(c));
  return out;
}

/// Bytes of text that a number takes, with the copy for whoever has asked.
constexpr std::size_t kTextOfNumber = 16;

EvalStatus call_function(const CompiledModel& compiled, const FunctionCall& call, std::string* result) {
  Chosen chosen = choose(compiled, call);
  if (std::string why = objection(*chosen.function, call); !why.empty()) throw InputError(StatusCode::InvalidArgument, why);
  Machine m;
  const PrintSink standard;
  m.rng = call.rng;
  m.print = call.print ? call.print : &standard;
  m.stop = call.stop;
  const ad::StopScope stoppable(call.stop);
  Frame f{.m = m};
  return guarded(compiled, m, [&] {
    const Value value = call_function(*chosen.function, f, std::move(chosen.arguments));
    if (value.kind() != Value::Kind::Tuple) ad::memory_point(kTextOfNumber * value.shape().size());
    *result = value.is_none() ? "null" : json_text(f.context(false), value);
  });
}

}  // namespace fermiac::interp
