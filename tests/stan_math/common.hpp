// What every emitted model includes, compiled once.
#include <stan/model/model_header.hpp>
#include <stan/version.hpp>
#include "registry.h"
#ifdef EMITTED_FEW_MEMBERS
#include "few_members.h"
#define model_base_crtp few_members  // what models are derived from
#endif
