// Bundles for tests: made from a program's text, loaded as clients load them.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "bindings/bridgestan/bridgestan.h"
#include "bindings/bridgestan/bundle/payload.h"
#include "tests/shared/own_folder.h"

namespace fermiac::testing {

inline const std::string kTemplate = FERMIAC_BINARY_DIR "/lib/fermiac/model_template.so";

inline capi::Payload payload_of(const std::string& name, const std::string& text) {
  return {.name = name + "_model",
          .path = name + ".stan",
          .text = text,
          .include_paths = {},
          .includes = {},
          .compiler = "test 1.0",
          .flags = "--O0"};
}

/// Text of an error that a function left, which it frees.
class Error {
 public:
  explicit Error(decltype(&bs_free_error_msg) free) : free_(free) {}
  ~Error() { free_(text_); }
  Error(const Error&) = delete;
  Error& operator=(const Error&) = delete;
  char** out() { return &text_; }
  std::string text() const { return text_ ? text_ : ""; }

 private:
  decltype(&bs_free_error_msg) free_;
  char* text_ = nullptr;
};

class Library {
 public:
  /// With RTLD_GLOBAL later libraries may find its symbols in place of their own.
#ifdef FERMIAC_SANITIZED
  static constexpr int kStays = RTLD_NODELETE;  // what it keeps on purpose would be taken for a leak after it is gone
#else
  static constexpr int kStays = 0;
#endif
  explicit Library(const std::string& file, int scope = RTLD_LOCAL)
      : handle_(dlopen(file.c_str(), RTLD_NOW | kStays | scope)) {
    EXPECT_NE(handle_, nullptr) << dlerror();
  }
  ~Library() { dlclose(handle_); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  const ElfW(Dyn) * dynamic_section() const {
    link_map* map = nullptr;
    EXPECT_EQ(dlinfo(handle_, RTLD_DI_LINKMAP, &map), 0);
    return map->l_ld;
  }
  void* symbol(const char* name) const { return dlsym(handle_, name); }
  template <class Function>
  Function* at(const char* name) const {
    void* found = symbol(name);
    EXPECT_NE(found, nullptr) << name;
    return reinterpret_cast<Function*>(found);
  }

 private:
  void* handle_;
};

// The function of a library: FERMIAC_BS(library, log_density)(model, …).
#define FERMIAC_BS(library, name) ((library).at<decltype(bs_##name)>("bs_" #name))

using Numbers = std::vector<double>;

/// A model of a library, with the functions that tests call often.
class BundledModel {
 public:
  explicit BundledModel(const Library& library, const char* data = nullptr, unsigned seed = 1)
      : library_(library), error_(FERMIAC_BS(library, free_error_msg)) {
    model_ = FERMIAC_BS(library, model_construct)(data, seed, error_.out());
  }
  ~BundledModel() { FERMIAC_BS(library_, model_destruct)(model_); }
  BundledModel(const BundledModel&) = delete;
  BundledModel& operator=(const BundledModel&) = delete;

  bs_model* get() const { return model_; }
  std::string construct_error() const { return error_.text(); }
  std::string name() const { return FERMIAC_BS(library_, name)(model_); }
  std::string info() const { return FERMIAC_BS(library_, model_info)(model_); }
  std::string names(bool tp, bool gq) const { return FERMIAC_BS(library_, param_names)(model_, tp, gq); }
  std::string unc_names() const { return FERMIAC_BS(library_, param_unc_names)(model_); }
  std::size_t num(bool tp, bool gq) const {
    return static_cast<std::size_t>(FERMIAC_BS(library_, param_num)(model_, tp, gq));
  }
  std::size_t unc_num() const { return static_cast<std::size_t>(FERMIAC_BS(library_, param_unc_num)(model_)); }

  /// call(error) returns the status of a function; the message where it is not 0.
  template <class Call>
  std::string error_of(Call call) const {
    Error error(FERMIAC_BS(library_, free_error_msg));
    const int status = call(error.out());
    EXPECT_EQ(status == 0, error.text().empty());
    EXPECT_TRUE(status == 0 || status == -1);
    return error.text();
  }

  struct Density {
    std::string error;
    double lp = 0;
    Numbers gradient, hessian;
  };
  Density density(bool propto, bool jacobian, const Numbers& theta) const {
    Density d;
    d.error = error_of(
        [&](char** e) { return FERMIAC_BS(library_, log_density)(model_, propto, jacobian, theta.data(), &d.lp, e); });
    return d;
  }
  Density gradient(bool propto, bool jacobian, const Numbers& theta) const {
    Density d{.error = {}, .gradient = Numbers(theta.size()), .hessian = {}};
    d.error = error_of([&](char** e) {
      return FERMIAC_BS(library_, log_density_gradient)(model_, propto, jacobian, theta.data(), &d.lp,
                                                        d.gradient.data(), e);
    });
    return d;
  }
  Density hessian(const Numbers& theta) const {
    Density d{.error = {}, .gradient = Numbers(theta.size()), .hessian = Numbers(theta.size() * theta.size())};
    d.error = error_of([&](char** e) {
      return FERMIAC_BS(library_, log_density_hessian)(model_, false, true, theta.data(), &d.lp, d.gradient.data(),
                                                       d.hessian.data(), e);
    });
    return d;
  }
  /// In `gradient`: the Hessian times the vector.
  Density product(const Numbers& theta, const Numbers& vector) const {
    Density d{.error = {}, .gradient = Numbers(theta.size()), .hessian = {}};
    d.error = error_of([&](char** e) {
      return FERMIAC_BS(library_, log_density_hessian_vector_product)(model_, false, true, theta.data(), vector.data(),
                                                                      &d.lp, d.gradient.data(), e);
    });
    return d;
  }

  struct Values {
    std::string error;
    Numbers numbers;
  };
  Values constrain(bool tp, bool gq, const Numbers& theta, bs_rng* rng = nullptr) const {
    Values v{.error = {}, .numbers = Numbers(num(tp, gq))};
    v.error = error_of([&](char** e) {
      return FERMIAC_BS(library_, param_constrain)(model_, tp, gq, theta.data(), v.numbers.data(), rng, e);
    });
    return v;
  }
  Values unconstrain(const Numbers& constrained) const {
    Values v{.error = {}, .numbers = Numbers(unc_num())};
    v.error = error_of([&](char** e) {
      return FERMIAC_BS(library_, param_unconstrain)(model_, constrained.data(), v.numbers.data(), e);
    });
    return v;
  }
  Values unconstrain_json(const char* json) const {
    Values v{.error = {}, .numbers = Numbers(unc_num())};
    v.error = error_of(
        [&](char** e) { return FERMIAC_BS(library_, param_unconstrain_json)(model_, json, v.numbers.data(), e); });
    return v;
  }

 private:
  const Library& library_;
  Error error_;
  bs_model* model_ = nullptr;
};

/// Seeded random numbers of a library.
class BundledRng {
 public:
  BundledRng(const Library& library, unsigned seed)
      : library_(library), rng_(FERMIAC_BS(library, rng_construct)(seed, nullptr)) {}
  ~BundledRng() { FERMIAC_BS(library_, rng_destruct)(rng_); }
  BundledRng(const BundledRng&) = delete;
  BundledRng& operator=(const BundledRng&) = delete;
  bs_rng* get() const { return rng_; }

 private:
  const Library& library_;
  bs_rng* rng_;
};

}  // namespace fermiac::testing
