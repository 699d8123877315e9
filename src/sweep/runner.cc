#include "sweep/runner.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

#include "base/parallel.h"

namespace ergon::sweep {

Result<SweepSummary> execute_runs(const std::vector<Run>& runs, RunExecutor& executor, const OnRun& on_run,
                                  const std::stop_token& stop) {
  SweepSummary summary;
  std::mutex mutex;
  std::optional<Error> failure;
  std::atomic<bool> ended = false;
  const auto end_with = [&](const Error& error) {
    ended = true;
    if (!failure) failure = error;
  };
  const std::size_t workers =
      worker_count(static_cast<std::size_t>(std::max(1, executor.facts().max_parallel_runs)), runs.size());
  parallel_for(runs.size(), workers, [&](std::size_t i, std::size_t) {
    if (ended) return;
    auto row = stop.stop_requested() ? Result<RunRow>(fail(Errc::cancelled, "interrupted"))
                                     : executor.run(runs[i], stop);
    // Before the lock, which threads with results may take many times first.
    if (!row) ended = true;
    const std::lock_guard lock(mutex);
    if (!row) return end_with(row.error());
    if (auto handled = on_run(*row); !handled) return end_with(handled.error());
    ++summary.runs;
    if (!row->valid) ++summary.invalid;
  });
  if (failure) return *failure;
  return summary;
}

}  // namespace ergon::sweep
