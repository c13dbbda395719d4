#include "support/platform/descriptor.h"

#include <sys/file.h>

#include <cerrno>

namespace fermiac {
namespace {

int operation_of(Lock lock) { return lock == Lock::Alone ? LOCK_EX : LOCK_SH; }

}  // namespace

bool try_lock(const Descriptor& file, Lock lock) { return !file || flock(file.get(), operation_of(lock) | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

void wait_for_lock(const Descriptor& file, Lock lock) {
  if (file) static_cast<void>(flock(file.get(), operation_of(lock)));
}

}  // namespace fermiac
