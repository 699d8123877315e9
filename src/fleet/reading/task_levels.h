#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/result.h"
#include "fleet/reading/columns.h"
#include "fleet/reading/names.h"

namespace ergon::fleet {

// The level of each task, from a file. In the TeraScope study it is the zoom level of a tile.
class TaskLevels {
 public:
  // Level names are added to `levels`. A level is its code + 1; 0 means unknown.
  static Result<TaskLevels> read(const std::filesystem::path& file, const ColumnMapping& mapping,
                                 NameTable& levels);

  bool empty() const { return rows_ == 0; }
  std::uint64_t rows() const { return rows_; }
  // Whether tasks are identified by job and name, not by name alone.
  bool by_job() const { return by_job_; }
  // The level of a task hash; 0 if the file does not contain it.
  std::uint8_t of(std::uint64_t task) const {
    if (slots_.empty()) return 0;
    for (std::size_t i = slot_of(task);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i] == 0) return 0;
      if (((slots_[i] ^ task) & ~kLevelBits) == 0) return static_cast<std::uint8_t>(slots_[i] & kLevelBits);
    }
  }

 private:
  static constexpr std::uint64_t kLevelBits = 0xff;

  std::size_t slot_of(std::uint64_t task) const { return (task >> 8) & (slots_.size() - 1); }
  void put(std::uint64_t task, std::uint8_t level);

  // Open-addressing hash table, eight bytes per task: the hash with the level in its lowest bits. 0: free.
  std::vector<std::uint64_t> slots_;
  std::size_t used_ = 0;
  std::uint64_t rows_ = 0;
  bool by_job_ = false;
};

}  // namespace ergon::fleet
