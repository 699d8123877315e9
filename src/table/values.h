#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace ergon::table {

// Leaves new elements unset, so that the thread that fills a part of a column is the first to touch its
// memory.
template <typename T>
struct UnsetAllocator : std::allocator<T> {
  template <typename U>
  struct rebind {  // NOLINT(readability-identifier-naming): the standard's name
    using other = UnsetAllocator<U>;
  };
  template <typename U, typename... Args>
  void construct(U* place, Args&&... args) {
    if constexpr (sizeof...(Args) == 0) {
      ::new (static_cast<void*>(place)) U;
    } else {
      ::new (static_cast<void*>(place)) U(std::forward<Args>(args)...);
    }
  }
};

// A vector whose elements are not initialized by resize().
template <typename T>
using Values = std::vector<T, UnsetAllocator<T>>;

}  // namespace ergon::table
