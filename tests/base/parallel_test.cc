#include "base/parallel.h"

#include <gtest/gtest.h>

namespace ergon {
namespace {

TEST(ParallelFor, DoesEveryTaskOnceAndEachWorkerInOrder) {
  constexpr std::size_t kTasks = 1000;
  std::vector<std::atomic<int>> done(kTasks);
  std::vector<std::vector<std::size_t>> seen(3);
  parallel_for(kTasks, 3, [&](std::size_t task, std::size_t worker) {
    ++done[task];
    seen[worker].push_back(task);
  });
  for (const auto& count : done) EXPECT_EQ(count, 1);
  for (const auto& tasks : seen) EXPECT_TRUE(std::is_sorted(tasks.begin(), tasks.end()));
}

TEST(ParallelFor, RethrowsAnException) {
  const auto throwing = [](std::size_t task, std::size_t) {
    if (task == 50) throw std::bad_alloc();
  };
  EXPECT_THROW(parallel_for(1000, 3, throwing), std::bad_alloc);
}

TEST(ParallelFor, OfNothingDoesNothing) {
  parallel_for(0, 4, [](std::size_t, std::size_t) { FAIL(); });
}

TEST(WorkerCount, NeverExceedsTheTasksAndIsNeverZero) {
  EXPECT_EQ(worker_count(8, 3), 3u);
  EXPECT_EQ(worker_count(2, 100), 2u);
  EXPECT_EQ(worker_count(5, 0), 1u);
  EXPECT_GE(worker_count(0, 100), 1u);
}

}  // namespace
}  // namespace ergon
