#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>

#include "base/units.h"

namespace ergon::service {

// Size of all regular files below a folder. Links are not followed; what cannot be read does not count.
Bytes folder_size(const std::filesystem::path& folder);

// Size of the results folder: all jobs, and the documents beside them. Measuring a large folder takes long,
// so the size is cached: for a second, or 20 times as long as measuring took. Thread-safe.
class ResultsSize {
 public:
  // `jobs`: the folder of all jobs, inside the results folder.
  explicit ResultsSize(std::filesystem::path jobs) : jobs_(std::move(jobs)) {}

  Bytes read() const;
  // After files were deleted: the next read() measures.
  void forget() const { stale_ = true; }

 private:
  std::filesystem::path jobs_;
  mutable std::mutex mutex_;
  mutable Bytes size_;
  mutable std::atomic<bool> stale_ = true;
  mutable std::chrono::steady_clock::time_point expires_;
};

}  // namespace ergon::service
