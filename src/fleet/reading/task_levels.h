#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/result.h"
#include "fleet/reading/columns.h"
#include "fleet/reading/names.h"

namespace ergon::fleet {

// Which zoom level (or whatever a file calls so) a task belongs to.
class TaskLevels {
 public:
  // Names of levels become codes of `levels`, from 1: 0 is "nobody said", and has no name.
  static Result<TaskLevels> read(const std::filesystem::path& file, const Mapping& mapping, Names& levels);

  bool empty() const { return rows_ == 0; }
  std::uint64_t rows() const { return rows_; }
  // Whether tasks are known by their job as well as their name.
  bool by_job() const { return by_job_; }
  // 0 where the file does not say.
  std::uint8_t of(std::uint64_t task) const {
    if (slots_.empty()) return 0;
    for (std::size_t i = place_of(task);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i] == 0) return 0;
      if (((slots_[i] ^ task) & ~kLevelBits) == 0) return static_cast<std::uint8_t>(slots_[i] & kLevelBits);
    }
  }

 private:
  static constexpr std::uint64_t kLevelBits = 0xff;

  std::size_t place_of(std::uint64_t task) const { return (task >> 8) & (slots_.size() - 1); }
  void put(std::uint64_t task, std::uint8_t level);

  // Eight bytes a task: its hash, with its level instead of the lowest bits. 0 is free.
  std::vector<std::uint64_t> slots_;
  std::size_t used_ = 0;
  std::uint64_t rows_ = 0;
  bool by_job_ = false;
};

}  // namespace ergon::fleet
