#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>

#include "profile/run_condition.h"

namespace ergon::profile {

// The value whose name_of() is `text`; empty if there is none.
template <typename Value>
std::optional<Value> named(std::string_view text, std::initializer_list<Value> values) {
  for (const Value value : values) {
    if (name_of(value) == text) return value;
  }
  return std::nullopt;
}

}  // namespace ergon::profile
