#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace ergon {

// Number of workers for `tasks`; `asked` = 0 means one per hardware thread.
inline std::size_t worker_count(std::size_t asked, std::size_t tasks) {
  const std::size_t machine = std::max<std::size_t>(1, std::thread::hardware_concurrency());
  return std::max<std::size_t>(1, std::min(asked == 0 ? machine : asked, tasks));
}

// Calls work(task, worker) once for every task in [0, tasks). Each worker takes tasks in ascending order, so
// per-worker state sees them in order. Returns when all are done; worker 0 is the calling thread. An
// exception (out of memory) stops the other workers and is rethrown here.
template <typename Work>
void parallel_for(std::size_t tasks, std::size_t workers, const Work& work) {
  std::atomic<std::size_t> next{0};
  std::mutex failing;
  std::exception_ptr failure;
  const auto run = [&](std::size_t worker) {
    try {
      for (std::size_t task = next++; task < tasks; task = next++) work(task, worker);
    } catch (...) {
      next = tasks;
      const std::lock_guard lock(failing);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t worker = 1; worker < workers; ++worker) others.emplace_back(run, worker);
    run(0);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace ergon
