#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <rapidcheck.h>

namespace ergon::table {

// Up to a few values, sometimes none.
template <typename T>
std::vector<std::optional<T>> random_values(std::size_t rows, const std::vector<T>& pool) {
  std::vector<std::optional<T>> values;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto pick = *rc::gen::inRange<std::size_t>(0, pool.size() + 1);
    values.push_back(pick == pool.size() ? std::nullopt : std::optional<T>(pool[pick]));
  }
  return values;
}

}  // namespace ergon::table
