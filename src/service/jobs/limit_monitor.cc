#include "service/jobs/limit_monitor.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/units_text.h"
#include "service/jobs/folder_size.h"

namespace ergon::service {
namespace {

// Measuring folders takes at most about a tenth of the time.
constexpr Seconds kDiskPeriod{0.5};
constexpr double kPauseOverDuration = 10;
constexpr double kUrgentRatio = 1.25;

}  // namespace

LimitMonitor::LimitMonitor(const JobLimits& limits, std::filesystem::path folder, Instant started)
    : limits_(limits), folder_(std::move(folder)), started_(started), disk_due_(started) {}

std::optional<LimitMonitor::Excess> LimitMonitor::check(std::optional<int> group, Instant now) {
  if (auto memory = check_memory(group, now)) return memory;
  if (auto disk = check_disk(now)) return disk;
  if (now - started_ <= limits_.time) return std::nullopt;
  return Excess{fmt::format("stopped: ran for more than {}; start a smaller job, or raise --job-time",
                            to_text(limits_.time))};
}

std::optional<LimitMonitor::Excess> LimitMonitor::check_memory(std::optional<int> group, Instant now) {
  if (group != group_) {
    group_ = group;
    memory_.reset();
    if (group) memory_.emplace(*group);
  }
  if (!memory_ || memory_->upper_bound(now) <= limits_.memory) return std::nullopt;
  const Bytes used = memory_->proportional();
  if (used <= limits_.memory) return std::nullopt;
  return Excess{fmt::format("stopped: used {} of memory, more than {}; start a smaller job, or raise "
                            "--job-memory",
                            to_text(used), to_text(limits_.memory)),
                used > kUrgentRatio * limits_.memory};
}

std::optional<LimitMonitor::Excess> LimitMonitor::check_disk(Instant now) {
  if (now >= disk_due_) {
    const Instant before = SystemClock().now();
    disk_ = folder_size(folder_);
    const Seconds took = SystemClock().now() - before;
    disk_due_ = now + std::max(kDiskPeriod, kPauseOverDuration * took);
  }
  if (disk_ <= limits_.disk) return std::nullopt;
  return Excess{disk_message("files", disk_, limits_)};
}

Bytes max_file_of(const JobLimits& limits) {
  return limits.disk + std::max(limits.disk / 8, Bytes{16.0 * (1U << 20U)});
}

std::string disk_message(std::string_view what, Bytes size, const JobLimits& limits) {
  return fmt::format("stopped: wrote {} of {}, more than {}; start a smaller job, or raise --job-disk", what,
                     to_text(size), to_text(limits.disk));
}

std::string quota_message(Bytes size, const JobLimits& limits) {
  return fmt::format(
      "the results folder has {}, more than its quota of {}; delete jobs or documents, or raise "
      "--results-quota",
      to_text(size), to_text(limits.results));
}

}  // namespace ergon::service
