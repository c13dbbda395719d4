#include <stan/model/model_header.hpp>
