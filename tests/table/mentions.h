#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ergon::table {

inline bool mentions(const Error& error, std::string_view part) {
  return error.message.find(part) != std::string::npos;
}

}  // namespace ergon::table
