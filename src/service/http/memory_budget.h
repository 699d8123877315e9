#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace ergon::service {

// Bytes that the connections of a server may hold together, never more than the limit. Thread-safe.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::size_t limit) : limit_(limit) {}

  std::size_t used() const { return used_; }

 private:
  friend class Reservation;

  bool take(std::size_t bytes) {
    std::size_t used = used_;
    do {
      if (bytes > limit_ - used) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes));
    return true;
  }

  std::size_t limit_;
  std::atomic<std::size_t> used_ = 0;
};

// A part of a budget, given back at the end.
class Reservation {
 public:
  explicit Reservation(MemoryBudget& budget) : budget_(&budget) {}
  Reservation(Reservation&& other) noexcept
      : budget_(other.budget_), bytes_(std::exchange(other.bytes_, 0)) {}
  Reservation& operator=(Reservation&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Reservation() { budget_->used_ -= bytes_; }

  std::size_t bytes() const { return bytes_; }

  // Changes what is held to `bytes`. Returns false, with no change, if the budget is exceeded.
  bool resize(std::size_t bytes) {
    if (bytes > bytes_ && !budget_->take(bytes - bytes_)) return false;
    if (bytes < bytes_) budget_->used_ -= bytes_ - bytes;
    bytes_ = bytes;
    return true;
  }

 private:
  MemoryBudget* budget_;
  std::size_t bytes_ = 0;
};

}  // namespace ergon::service
