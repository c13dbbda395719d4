#include "support/platform/fibers.h"

#include <boost/context/fiber.hpp>
#include <boost/context/stack_context.hpp>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <exception>
#include <new>
#include <utility>
#include <vector>

#include "support/platform/stack.h"

#if defined(__SANITIZE_ADDRESS__)
#define FERMIAC_ADDRESSES_CHECKED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FERMIAC_ADDRESSES_CHECKED
#endif
#endif
#ifdef FERMIAC_ADDRESSES_CHECKED
#include <sanitizer/common_interface_defs.h>
#endif

namespace fermiac {
namespace {

namespace context = boost::context;

constexpr std::size_t kStack = std::size_t{8} << 20;

/// Stacks with a page in front that nobody may touch. Boost has such an allocator, too, but one whose code in Debian's archive takes
/// room of its own in the static block of thread variables, which programs that load libfermiac late may not have.
struct GuardedStack {
  context::stack_context allocate() const {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t size = kStack + page;
    void* const low = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (low == MAP_FAILED) throw std::bad_alloc();
    mprotect(low, page, PROT_NONE);
    context::stack_context stack;
    stack.size = size;
    stack.sp = static_cast<char*>(low) + size;
    return stack;
  }
  void deallocate(context::stack_context& stack) const noexcept { munmap(static_cast<char*>(stack.sp) - stack.size, stack.size); }
};

/// What the address sanitizer is told of a change of stacks.
class StackChange {
 public:
#ifdef FERMIAC_ADDRESSES_CHECKED
  /// To the stack of `size` bytes from `low` on; `last`: this one is not returned to.
  void begin(const void* low, std::size_t size, bool last = false) { __sanitizer_start_switch_fiber(last ? nullptr : &kept_, low, size); }
  /// On the stack again, or for the first time; the one that was left.
  void end(const void** low, std::size_t* size) { __sanitizer_finish_switch_fiber(kept_, low, size); }

 private:
  void* kept_ = nullptr;
#else
  void begin(const void*, std::size_t, bool = false) {}
  void end(const void**, std::size_t*) {}
#endif
};

}  // namespace

/// One that does not run: what is left of it. run() itself is one, too.
struct Fibers::Fiber {
  context::fiber rest;
  const void* low = nullptr;   // of its stack
  std::size_t size = 0;
  bool ended = false;
};

struct Fibers::Ring {
  std::vector<Fiber> fibers;
  Fiber home;                  // run()
  Fiber* now = nullptr;        // whose turn it is
  Fiber* before = nullptr;     // whose turn it was
  std::size_t left = 0;
  std::exception_ptr error;
  const std::function<void(std::size_t)>* body = nullptr;
  const std::function<void(std::size_t)>* on_end = nullptr;

  void start(Fiber& f) {
    const GuardedStack allocator;
    const context::stack_context stack = allocator.allocate();
    f.size = stack.size;
    f.low = static_cast<const char*>(stack.sp) - stack.size;
    f.rest = context::fiber(std::allocator_arg, context::preallocated(stack.sp, stack.size, stack), allocator,
                            [this, &f](context::fiber&& from) { return whole(f, std::move(from)); });
  }
  /// Of fiber f, from its first turn to its last; then goes on what is returned.
  context::fiber whole(Fiber& f, context::fiber&& from) {
    arrived(StackChange(), std::move(from));
    run(*body, static_cast<std::size_t>(&f - fibers.data()));
    f.ended = true;
    --left;
    if (*on_end) run(*on_end, left);
    Fiber& next = left > 0 ? behind(f) : home;
    leave_for(next, true);
    return std::move(next.rest);
  }
  void run(const std::function<void(std::size_t)>& function, std::size_t argument) {
    try {
      function(argument);
    } catch (const context::detail::forced_unwind&) {
      throw;  // how Boost ends what does not end by itself
    } catch (...) {
      if (!error) error = std::current_exception();
    }
  }
  /// The next that has not ended.
  Fiber& behind(Fiber& f) {
    std::size_t k = static_cast<std::size_t>(&f - fibers.data());
    do k = k + 1 < fibers.size() ? k + 1 : 0;
    while (fibers[k].ended);
    return fibers[k];
  }
  StackChange leave_for(Fiber& next, bool for_good = false) {
    before = now;
    now = &next;
    use_stack(next.low, next.size);
    StackChange change;
    change.begin(next.low, next.size, for_good);
    return change;
  }
  void arrived(StackChange change, context::fiber&& from) {
    change.end(&before->low, &before->size);
    before->rest = std::move(from);
  }
  void go_to(Fiber& next) {
    const StackChange change = leave_for(next);
    context::fiber from = std::move(next.rest).resume();
    arrived(change, std::move(from));
  }
};

Fibers::Fibers() : ring_(std::make_unique<Ring>()) {}
Fibers::~Fibers() = default;

bool Fibers::run(std::size_t n, const std::function<void(std::size_t)>& body, const std::function<void(std::size_t)>& ended) {
  if (n == 0) return true;
  Ring& r = *ring_;
  r.body = &body;
  r.on_end = &ended;
  r.left = n;
  try {
    r.fibers = std::vector<Fiber>(n);
    for (Fiber& f : r.fibers) r.start(f);
  } catch (const std::bad_alloc&) {
    r.fibers.clear();
    return false;
  }
  r.now = &r.home;
  r.home.size = 0;  // what is to be known of this stack, the thread knows
  r.go_to(r.fibers[0]);
  r.fibers.clear();
  if (r.error) std::rethrow_exception(std::exchange(r.error, nullptr));
  return true;
}

void Fibers::pass() {
  Fiber& next = ring_->behind(*ring_->now);
  if (&next != ring_->now) ring_->go_to(next);
}

}  // namespace fermiac
