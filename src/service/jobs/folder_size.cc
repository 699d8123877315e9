#include "service/jobs/folder_size.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace ergon::service {
namespace {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::nanoseconds kCached = std::chrono::seconds(1);
constexpr int kCachedPerDuration = 20;

// Files disappear while they are listed, so that errors are expected.
Bytes size_of_file(const fs::directory_entry& entry) {
  std::error_code error;
  if (!fs::is_regular_file(entry.symlink_status(error)) || error) return {};
  const auto size = entry.file_size(error);
  return error ? Bytes{} : bytes(size);
}

}  // namespace

Bytes folder_size(const fs::path& folder) {
  Bytes sum;
  std::vector<fs::path> pending{folder};
  while (!pending.empty()) {
    const fs::path next = std::move(pending.back());
    pending.pop_back();
    std::error_code error;
    for (fs::directory_iterator each(next, error), end; !error && each != end; each.increment(error)) {
      std::error_code unknown;
      if (fs::is_directory(each->symlink_status(unknown)))
        pending.push_back(each->path());
      else
        sum += size_of_file(*each);
    }
  }
  return sum;
}

Bytes ResultsSize::read() const {
  const std::lock_guard lock(mutex_);
  const auto before = SteadyClock::now();
  if (!stale_.exchange(false) && before < expires_) return size_;
  Bytes sum = folder_size(jobs_);
  std::error_code error;
  for (fs::directory_iterator each(jobs_.parent_path(), error), end; !error && each != end;
       each.increment(error)) {
    if (each->path().extension() == ".json") sum += size_of_file(*each);
  }
  const auto after = SteadyClock::now();
  expires_ = after + std::max(kCached, kCachedPerDuration * (after - before));
  size_ = sum;
  return sum;
}

}  // namespace ergon::service
