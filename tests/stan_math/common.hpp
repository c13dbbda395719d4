// What every emitted model includes, compiled once.
#include <stan/model/model_header.hpp>
#include <stan/version.hpp>
#include "registry.h"
