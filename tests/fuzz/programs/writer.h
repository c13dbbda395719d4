// The generator's state and its parts: variables in scope with what is known of their values, expressions of a wanted
// type, statements. Sizes are known to the generator, so that indexes are in range and shapes agree.
#pragma once

#include <string>
#include <vector>

#include "tests/fuzz/choice.h"

namespace fermiac::fuzz {

struct Size {
  std::string text;  // as the program writes it
  int value = 0;
};

enum class Kind : std::uint8_t { Int, Real, Vector, Row, Matrix, Tuple };
/// What is known of the numbers.
enum class Domain : std::uint8_t { Any, Positive, Unit, Simplex, Ordered, CholeskyCorr };

struct Shape {
  Kind kind = Kind::Real;
  std::vector<Size> array, sizes;
  std::vector<Shape> slots;  // of a tuple
};

struct Variable {
  std::string name;
  Shape shape;
  Domain domain = Domain::Any;
  int low = 0, high = 0;  // of ints
  bool writable = false;
};

struct Function {
  std::string name;  // `f_lpdf` is called as a density
  std::vector<Variable> formals;
  Shape result;
  bool changes_target = false, random = false;
};

/// Where the code being written stands.
struct Place {
  bool target = false;  // target may be added to
  bool random = false;  // random numbers may be drawn
  bool function = false;
  int loops = 0;
  int nesting = 0;
};

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : choose(seed) {}

  // ---- expressions (expressions.cpp, containers.cpp)
  std::string real(int depth);
  std::string bounded(int depth);
  std::string positive(int depth);
  std::string unit(int depth);
  std::string scalar(Domain domain, int depth);
  std::string integer(int low, int high, int depth = 1);
  std::string condition(int depth);
  std::string vector(int size, int depth);
  std::string row(int size, int depth);
  std::string matrix(int rows, int cols, int depth);
  std::string value(const Shape& shape, int depth);
  /// A value whose size does not grow from assignment to assignment.
  std::string tame(const Shape& shape, int depth);
  /// A scalar, or a container of `size` numbers.
  std::string vectorised(Domain domain, int size, int depth);
  /// An array of ints in a range.
  std::string integers(int size, int low, int high);
  std::string call(const Function& function, int depth);

  // ---- densities (densities.cpp)
  /// `y ~ d(…)` or `target += d(y | …)`.
  std::string density_statement(int depth);
  /// The same over scalars, in a loop whose variable is in scope.
  std::string scalar_density(int depth);
  std::string random_draw(int depth);

  // ---- statements (statements.cpp, loops.cpp)
  void statements(int count);
  void statement();
  void declaration();
  void whole_assignment();
  void part_assignment();
  void loop();
  void branch();

  // ---- sections (sections.cpp)
  std::string program();

  // ---- scope
  /// The parts of variables that have the wanted kind and sizes, one of them; empty if there are none.
  std::string reach(Kind kind, const std::vector<int>& sizes, Domain domain = Domain::Any);
  std::string whole(const Shape& shape);
  std::string fresh(const std::string& prefix) const;
  Size size(int low = 1);
  Shape shape(bool with_tuples);
  void declare(const std::string& type, const Variable& variable, const std::string& initial);
  Variable& add(Variable variable);

  void line(const std::string& text) { text_ += std::string(2 * indent_ + 2, ' ') + text + "\n"; }
  void open(const std::string& text) { line(text + " {"), ++indent_, ++place.nesting; }
  void close(const std::string& text = "}") { --indent_, --place.nesting, line(text); }

  Choice choose;
  Place place;
  std::vector<Variable> scope;
  std::vector<Size> sizes;
  std::vector<Function> functions;
  std::string data;  // JSON members
  int budget = 0;    // statements still to write
  bool prints = false;
  int long_programs = 0;  // of a hundred

 private:
  std::string reach_into(const std::string& path, const Shape& shape, Kind kind, const std::vector<int>& wanted);
  std::string real_of_parts(int depth);
  std::string reduction(int depth);
  std::string pattern(int depth);
  std::string leaf();
  std::string literal();
  std::string indexes(const std::vector<Size>& dims);
  std::string slice(const std::string& path, int size, int wanted);
  std::string elementwise(const std::string& argument, int depth);
  std::string array_literal(const Shape& shape, int depth);

  void filled_by_loop();
  void foreach_loop();
  void while_loop();
  void recurrence();
  void density_loop();
  void mixture();
  void jump();
  void tuple_unpacking();
  void complex_numbers();
  void print_statement();
  void enclosed(const std::string& head, int count);

  void data_block();
  void data_variable();
  void data_integers(int low, int high);
  void function(int number);
  void parameter();
  void priors();
  void top_declarations(const std::string& prefix, int count);
  std::string finished(const std::string& block);

  std::string text_;
  std::size_t indent_ = 0;
};

/// `array[N] vector[K]`, with a constraint behind the element's name.
std::string type_text(const Shape& shape, const std::string& constraint = "");
std::string size_list(const std::vector<Size>& sizes);
bool same_shape(const Shape& a, const Shape& b);

}  // namespace fermiac::fuzz
