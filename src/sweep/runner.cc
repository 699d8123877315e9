#include "sweep/runner.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

#include "base/parallel.h"

namespace ergon::sweep {

Result<SweepSummary> carry_out(const std::vector<Run>& runs, Bench& bench, const Keep& keep,
                               const std::stop_token& stop) {
  SweepSummary summary;
  std::mutex keeping;
  std::optional<Error> failure;
  std::atomic<bool> ended = false;
  const auto end_with = [&](const Error& error) {
    ended = true;
    if (!failure) failure = error;
  };
  const std::size_t workers =
      worker_count(static_cast<std::size_t>(std::max(1, bench.facts().at_once)), runs.size());
  parallel_for(runs.size(), workers, [&](std::size_t i, std::size_t) {
    if (ended) return;
    auto row = stop.stop_requested() ? Result<RunRow>(fail(Errc::cancelled, "interrupted"))
                                     : bench.run(runs[i], stop);
    const std::lock_guard lock(keeping);
    if (!row) return end_with(row.error());
    if (auto kept = keep(*row); !kept) return end_with(kept.error());
    ++summary.runs;
    if (!row->valid) ++summary.invalid;
  });
  if (failure) return *failure;
  return summary;
}

}  // namespace ergon::sweep
