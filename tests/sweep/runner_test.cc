#include "sweep/runner.h"

#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "sweep/plan.h"

namespace ergon::sweep {
namespace {

class FakeBench final : public Bench {
 public:
  explicit FakeBench(int at_once) : facts_{"D", true, "", at_once} {}

  const Facts& facts() const override { return facts_; }
  Result<std::vector<Hertz>> clocks() override { return std::vector<Hertz>{}; }
  Result<RunRow> run(const sweep::Run& run, const std::stop_token&) override {
    if (++begun == fails_at) return fail(Errc::device_lost, "fell off the bus");
    if (stops != nullptr && begun == 5) stops->request_stop();
    const int here = ++under_way;
    for (int most = most_under_way; most < here && !most_under_way.compare_exchange_weak(most, here);) {
    }
    wait_for_others();
    --under_way;
    RunRow row;
    row.run = run;
    row.valid = run.repetition != 2;
    return row;
  }

  std::atomic<int> begun = 0, under_way = 0, most_under_way = 0;
  int awaited = 0;  // runs go on once so many have been under way, or after a while
  int fails_at = -1;
  std::stop_source* stops = nullptr;

 private:
  void wait_for_others() const {
    while (most_under_way < awaited && std::chrono::steady_clock::now() < patience_)
      std::this_thread::yield();
  }

  Facts facts_;
  std::chrono::steady_clock::time_point patience_ =
      std::chrono::steady_clock::now() + std::chrono::seconds(10);
};

// So many that no thread gets through the rest of them while another is kept from telling that it failed.
constexpr int kMany = 2000;

std::vector<sweep::Run> many() {
  Grid grid;
  grid.networks = {"a", "b"};
  for (int clock = 1; clock <= kMany / 4; ++clock)
    grid.clocks.emplace_back(Hertz{static_cast<double>(clock)});
  grid.repetitions = 2;
  return plan(grid, 1);
}

class CarryOut : public ::testing::TestWithParam<int> {
 protected:
  Result<SweepSummary> all() {
    return carry_out(
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

TEST_P(CarryOut, KeepsEveryRunOnce) {
  const auto summary = all().value();
  EXPECT_EQ(summary.runs, kMany);
  EXPECT_EQ(summary.invalid, kMany / 2);
  EXPECT_EQ(kept.size(), static_cast<std::size_t>(kMany));
}

TEST_P(CarryOut, AsManyAreUnderWayAsTheBenchAllows) {
  bench.awaited = GetParam();
  ASSERT_TRUE(all());
  EXPECT_EQ(bench.most_under_way, GetParam());
}

TEST_P(CarryOut, ALostDeviceEndsItAndWhatWasFinishedIsKept) {
  bench.fails_at = 8;
  EXPECT_EQ(all().error().message, "fell off the bus");
  EXPECT_GE(kept.size(), 7U);
  EXPECT_LT(bench.begun, kMany);
}

TEST_P(CarryOut, AFullDiskEndsIt) {
  full_at = 6;
  EXPECT_EQ(all().error().kind, Errc::io);
  EXPECT_EQ(kept.size(), 6U);
}

TEST_P(CarryOut, AWishToStopEndsItAfterTheRunInFlight) {
  bench.stops = &stop;
  EXPECT_EQ(all().error().kind, Errc::cancelled);
  EXPECT_GE(kept.size(), 5U);
  EXPECT_LT(bench.begun, kMany);
}

INSTANTIATE_TEST_SUITE_P(OneAndSeveral, CarryOut, ::testing::Values(1, 2));

}  // namespace
}  // namespace ergon::sweep
