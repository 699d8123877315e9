#include "sweep/runner.h"

#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "sweep/plan.h"

namespace ergon::sweep {
namespace {

class FakeBench final : public RunExecutor {
 public:
  explicit FakeBench(int max_parallel_runs) : facts_{"D", true, "", max_parallel_runs} {}

  const DeviceFacts& facts() const override { return facts_; }
  Result<std::vector<Hertz>> clocks() override { return std::vector<Hertz>{}; }
  Result<RunRow> run(const sweep::Run& run, const std::stop_token&) override {
    if (++begun == fails_at) return fail(Errc::device_lost, "fell off the bus");
    if (stops != nullptr && begun == 5) stops->request_stop();
    const int here = ++parallel;
    for (int most = max_parallel; most < here && !max_parallel.compare_exchange_weak(most, here);) {
    }
    wait_for_others();
    --parallel;
    RunRow row;
    row.run = run;
    row.valid = run.repetition != 2;
    return row;
  }

  std::atomic<int> begun = 0, parallel = 0, max_parallel = 0;
  int awaited = 0;  // runs wait until this many run in parallel, or for 10 s
  int fails_at = -1;
  std::stop_source* stops = nullptr;

 private:
  void wait_for_others() const {
    while (max_parallel < awaited && std::chrono::steady_clock::now() < deadline_) std::this_thread::yield();
  }

  DeviceFacts facts_;
  std::chrono::steady_clock::time_point deadline_ =
      std::chrono::steady_clock::now() + std::chrono::seconds(10);
};

// Enough runs that no thread finishes the others while one is delayed in reporting its failure.
constexpr int kMany = 2000;

std::vector<sweep::Run> many() {
  Grid grid;
  grid.networks = {"a", "b"};
  for (int clock = 1; clock <= kMany / 4; ++clock)
    grid.clocks.emplace_back(Hertz{static_cast<double>(clock)});
  grid.repetitions = 2;
  return plan(grid, 1);
}

class ExecuteRuns : public ::testing::TestWithParam<int> {
 protected:
  Result<SweepSummary> all() {
    return execute_runs(
        many(), bench,
        [this](const RunRow& row) -> Result<> {
          EXPECT_EQ(++keeping, 1) << "one thread at a time";
          std::this_thread::sleep_for(std::chrono::microseconds(200));
          --keeping;
          if (static_cast<int>(kept.size()) == full_at) return fail(Errc::io, "disk full");
          EXPECT_TRUE(kept.insert(row.run).second);
          return {};
        },
        stop.get_token());
  }

  FakeBench bench{GetParam()};
  std::set<sweep::Run> kept;
  std::atomic<int> keeping = 0;
  std::stop_source stop;
  int full_at = -1;
};

TEST_P(ExecuteRuns, ReportsEveryRunOnce) {
  const auto summary = all().value();
  EXPECT_EQ(summary.runs, kMany);
  EXPECT_EQ(summary.invalid, kMany / 2);
  EXPECT_EQ(kept.size(), static_cast<std::size_t>(kMany));
}

TEST_P(ExecuteRuns, RunsAsManyInParallelAsTheExecutorAllows) {
  bench.awaited = GetParam();
  ASSERT_TRUE(all());
  EXPECT_EQ(bench.max_parallel, GetParam());
}

TEST_P(ExecuteRuns, ALostDeviceEndsTheSweepAfterFinishedRuns) {
  bench.fails_at = 8;
  EXPECT_EQ(all().error().message, "fell off the bus");
  EXPECT_GE(kept.size(), 7U);
  EXPECT_LT(bench.begun, kMany);
}

TEST_P(ExecuteRuns, AFullDiskEndsTheSweep) {
  full_at = 6;
  EXPECT_EQ(all().error().kind, Errc::io);
  EXPECT_EQ(kept.size(), 6U);
}

TEST_P(ExecuteRuns, AStopRequestEndsTheSweepAfterTheCurrentRun) {
  bench.stops = &stop;
  EXPECT_EQ(all().error().kind, Errc::cancelled);
  EXPECT_GE(kept.size(), 5U);
  EXPECT_LT(bench.begun, kMany);
}

INSTANTIATE_TEST_SUITE_P(OneAndSeveral, ExecuteRuns, ::testing::Values(1, 2));

}  // namespace
}  // namespace ergon::sweep
