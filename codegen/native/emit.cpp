#include "codegen/native/emit.h"

#include <fmt/format.h>

#include "codegen/code.h"
#include "codegen/names.h"
#include "codegen/native/external.h"
#include "codegen/native/native.h"
#include "codegen/native/regions.h"
#include "codegen/native/unit.h"
#include "mir/ir/visit.h"

namespace fermiac::codegen::native {
namespace {

/// Programs may assign a variable to itself, and every operation has its parentheses.
constexpr std::string_view kSilence = R"(#ifdef __clang__
#pragma clang diagnostic ignored "-Wparentheses-equality"
#pragma clang diagnostic ignored "-Wself-assign"
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
)";

/// Code is written once over the kind of real.
constexpr const char* kTemplate = "template <class R__>";

constexpr std::size_t kLargest = 20000;  // nodes: compilers take too long for what is larger

// ---------------------------------------------------------------- functions

std::string parameters(const mir::Function& f) {
  std::string out = "n__::Context& c__";
  for (const mir::FunctionArg& arg : f.args) {
    const std::string type = is_number(arg.type) ? type_text(arg.type) : "const n__::Value&";
    out += ", [[maybe_unused]] " + type + " " + variable_id(arg.name);
  }
  return out;
}

std::string head(const Unit& unit, std::size_t index) {
  const mir::Function& f = unit.program().functions[index];
  return fmt::format("{} {}([[maybe_unused]] {})", f.result ? type_text(*f.result) : "void", unit.function_name(index), parameters(f));
}

/// False where it has no machine code.
bool define_function(Lines& out, Unit& unit, std::size_t index) {
  const mir::Function& f = unit.program().functions[index];
  if (!f.body || mir::node_count(*f.body) > kLargest) return false;
  try {
    Lines lines;
    lines << kTemplate;
    lines.open(Code(head(unit, index)));
    Native(unit, &f).stmt(lines, *f.body);
    if (f.result) lines << Code(fmt::format("n__::no_result({});", string_literal(f.name)));
    lines.close();
    out.append(lines);
    return true;
  } catch (const Unsupported&) {
    return false;
  }
}

/// What a slot holds, as the code has it: containers stay where they are.
std::string arrived(const Type& type, const std::string& slot) {
  if (type.is(BaseType::Int)) return slot + ".as_int()";
  return type.is(BaseType::Real) ? "n__::real<R__>(c__, " + slot + ")" : slot;
}

/// Called from elsewhere: arguments and result as values.
void define_entry(Lines& out, const Unit& unit, std::size_t index) {
  const mir::Function& f = unit.program().functions[index];
  std::string call = unit.function_name(index) + "<R__>(c__";
  for (std::size_t i = 0; i < f.args.size(); ++i) call += ", " + arrived(f.args[i].type, fmt::format("a__[{}]", i));
  out << kTemplate;
  out.open(Code(fmt::format("void e{}(n__::Context& c__, [[maybe_unused]] const n__::Value* a__, [[maybe_unused]] n__::Value& r__)", index)));
  out << Code((f.result ? "r__ = " + call : call) + ");");
  out.close();
}

// ---------------------------------------------------------------- sections

struct EmittedRegion {
  std::uint32_t statement = 0;
  bool traced = false;  // runs where the log density is evaluated, too
  std::vector<FreeVariable> variables;
};

/// Numbers come from their slots and go back to them; containers stay where they are.
void arrive(Lines& out, const std::vector<FreeVariable>& variables) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const FreeVariable& v = variables[i];
    const std::string type = is_number(v.type) ? type_text(v.type) : "n__::Value&";
    out << Code("[[maybe_unused]] " + type + " " + variable_id(v.name) + " = " + arrived(v.type, fmt::format("(*v__[{}])", i)) + ";");
  }
}
Lines farewell(const std::vector<FreeVariable>& variables) {
  Lines out;
  for (std::size_t i = 0; i < variables.size(); ++i)
    if (variables[i].assigned && is_number(variables[i].type))
      out << Code(fmt::format("*v__[{}] = {};", i, variable_id(variables[i].name)));
  return out;
}

bool define_region(Lines& out, Unit& unit, const mir::Stmt& s, bool traced, std::vector<EmittedRegion>& regions) {
  if (!is_candidate(s) || mir::node_count(s) > kLargest) return false;
  try {
    const EmittedRegion region{unit.numbers().of(s), traced, free_variables(s)};
    const Lines back = farewell(region.variables);
    Lines lines;
    lines << kTemplate;
    lines.open(Code(fmt::format("n__::Flow s{}([[maybe_unused]] n__::Context& c__, [[maybe_unused]] n__::Value* const* v__)", region.statement)));
    arrive(lines, region.variables);
    Native walk(unit, nullptr);
    walk.set_farewell(&back);
    walk.stmt(lines, s);
    lines.append(back) << "return n__::Flow::Next;";
    lines.close();
    out.append(lines);
    regions.push_back(region);
    return true;
  } catch (const Unsupported&) {
    return false;
  }
}

/// The largest statements that have machine code, from the outside inwards.
void define_regions(Lines& out, Unit& unit, const mir::Stmt& s, bool traced, std::vector<EmittedRegion>& regions) {
  for (const EmittedRegion& known : regions)
    if (known.statement == unit.numbers().of(s)) return;  // sections share statements
  if (define_region(out, unit, s, traced, regions)) return;
  mir::each_child(s, [&](const mir::Stmt& child) { define_regions(out, unit, child, traced, regions); });
}

// ---------------------------------------------------------------- tables

/// A table with the rows in it; one that has none is a null pointer.
std::string table(Lines& out, const std::string& type, const std::string& name, const std::vector<std::string>& rows) {
  if (rows.empty()) return "nullptr";
  Code line("const " + type + " " + name + "[] = {");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0) (line << ",").br();
    line << rows[i];
  }
  out << (line << "};");
  return name;
}

/// `s3<double>, s3<n__::Traced>`.
std::string both_kinds(const std::string& name, bool traced) {
  return fmt::format("{0}<double>, {1}", name, traced ? name + "<n__::Traced>" : "nullptr");
}

void define_module(Lines& out, const Unit& unit, const std::vector<EmittedRegion>& regions, const EmitOptions& options) {
  std::vector<std::string> functions, sites, statements, user;
  for (const auto& [name, scalars] : unit.library_functions())
    functions.push_back(fmt::format("{{{}, {}}}", string_literal(name), scalars));
  for (const std::uint32_t site : unit.sites()) sites.push_back(std::to_string(site));
  for (const EmittedRegion& region : regions) {
    std::vector<std::string> names;
    for (const FreeVariable& v : region.variables) names.push_back(string_literal(v.name));
    const std::string list = table(out, "char* const", fmt::format("names{}__", region.statement), names);
    const std::string code = both_kinds(fmt::format("s{}", region.statement), region.traced);
    statements.push_back(fmt::format("{{{}, {}, {}, {}}}", region.statement, code, list, names.size()));
  }
  for (std::size_t i = 0; i < unit.program().functions.size(); ++i)
    if (unit.has_code(i)) user.push_back(fmt::format("{{{}, {}}}", i, both_kinds(fmt::format("e{}", i), unit.is_traced(i))));
  const std::string f = table(out, "n__::FunctionName", "functions__", functions), p = table(out, "uint32_t", "sites__", sites);
  const std::string r = table(out, "n__::Region", "regions__", statements), u = table(out, "n__::UserFunction", "user__", user);
  const std::vector<std::string> external = external_rows(unit.program());
  const std::string x = table(out, "n__::ExternalFunction", "external__", external);
  out << "void load__(const n__::Runtime* runtime) { n__::rt = runtime; }"
      << "}  // namespace" << "";
  out << (Code("extern \"C\" __attribute__((visibility(\"default\"))) const n__::Module fermiac_native_module = {") << "n__::kAbi, "
          << string_literal(options.program) << ", " << f << ", " << functions.size() << ", " << p << ", " << sites.size() << ", "
          << r << ", " << statements.size() << ", " << u << ", " << user.size() << ", " << x << ", " << external.size() << ", load__};");
}

}  // namespace

std::string emit(const mir::Program& program, const EmitOptions& options) {
  Unit unit(program);
  const std::size_t count = program.functions.size();
  for (std::size_t i = 0; i < count; ++i) {
    Unit trial(program);  // calls do not decide it, so each function is tried alone
    Lines dropped;
    if (define_function(dropped, trial, i)) unit.set_code(i);
  }
  Lines functions, sections;
  std::vector<EmittedRegion> regions;
  for (std::size_t i = 0; i < count; ++i)
    if (unit.has_code(i)) define_function(functions, unit, i), define_entry(functions, unit, i);
  for (std::size_t i = 0; i < count; ++i)
    if (!unit.has_code(i) && program.functions[i].body)
      define_regions(sections, unit, *program.functions[i].body, unit.is_traced(i), regions);
  for (const auto* section : {&program.prepare_data, &program.log_prob, &program.generate_quantities})
    for (const mir::StmtPtr& s : *section) define_regions(sections, unit, *s, section == &program.log_prob, regions);
  Lines out;
  out << Code("// Code generated by " + comment_text(options.version));
  out.text(kSilence);
  define_externals(out, program);
  out << "namespace n__ = fermiac::native;" << "namespace {" << "";
  for (std::size_t i = 0; i < count; ++i)
    if (unit.has_code(i)) out << kTemplate << Code(head(unit, i) + ";");
  out.append(functions).append(sections) << "";
  define_module(out, unit, regions, options);
  return std::move(out).take();
}

}  // namespace fermiac::codegen::native
