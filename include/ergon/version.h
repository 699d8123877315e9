#pragma once

// Version of these headers, for the preprocessor, and of the library that the program runs with.
//
// Before version 1.0 a new minor version may change the API and the ABI; the soname changes with the ABI. A
// new patch version changes neither.

#include <string_view>

#include "ergon/export.h"

#define ERGON_VERSION_MAJOR 0
#define ERGON_VERSION_MINOR 2
#define ERGON_VERSION_PATCH 0

namespace ergon {

// Version of the loaded library: "0.2.0".
ERGON_API std::string_view version();

}  // namespace ergon
