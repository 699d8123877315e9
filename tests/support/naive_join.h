#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "table/asof_join.h"

// The as-of join by its definition: compares every left row with every right row.

namespace ergon::test {

template <typename Key, typename Distance>
struct NaiveJoin {
  std::vector<std::optional<Key>> left;
  std::vector<std::optional<Key>> right;
  std::function<bool(std::size_t, std::size_t)> same_group = nullptr;  // of a left and a right row
  std::optional<Distance> tolerance = std::nullopt;

  std::vector<std::size_t> match(table::AsofDirection direction) const {
    std::vector<std::size_t> result;
    for (std::size_t row = 0; row < left.size(); ++row) {
      const std::size_t before = last_before(row);
      const std::size_t after = first_after(row);
      switch (direction) {
        case table::AsofDirection::backward:
          result.push_back(before);
          break;
        case table::AsofDirection::forward:
          result.push_back(after);
          break;
        case table::AsofDirection::nearest:
          result.push_back(nearer(row, before, after));
          break;
      }
    }
    return result;
  }

 private:
  Distance apart(std::size_t l, std::size_t r) const {
    const auto a = static_cast<Distance>(*left[l]);
    const auto b = static_cast<Distance>(*right[r]);
    return a < b ? b - a : a - b;
  }
  bool comparable(std::size_t l, std::size_t r) const { return left[l] && right[r] && same_group(l, r); }
  std::size_t within(std::size_t l, std::size_t r) const {
    return r == table::kNoRow || (tolerance && apart(l, r) > *tolerance) ? table::kNoRow : r;
  }

  std::size_t last_before(std::size_t l) const {
    std::size_t best = table::kNoRow;
    for (std::size_t r = 0; r < right.size(); ++r) {
      if (!comparable(l, r) || *right[r] > *left[l]) continue;
      if (best == table::kNoRow || *right[r] >= *right[best]) best = r;
    }
    return within(l, best);
  }
  std::size_t first_after(std::size_t l) const {
    std::size_t best = table::kNoRow;
    for (std::size_t r = 0; r < right.size(); ++r) {
      if (!comparable(l, r) || *right[r] < *left[l]) continue;
      if (best == table::kNoRow || *right[r] < *right[best]) best = r;
    }
    return within(l, best);
  }
  std::size_t nearer(std::size_t l, std::size_t before, std::size_t after) const {
    if (before == table::kNoRow) return after;
    if (after == table::kNoRow) return before;
    return apart(l, after) < apart(l, before) ? after : before;
  }
};

}  // namespace ergon::test
