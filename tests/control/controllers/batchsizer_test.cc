#include "control/controllers/batchsizer.h"

#include <gtest/gtest.h>

namespace ergon::control {
namespace {

const std::vector<std::int64_t> kBatches{1, 2, 4, 8, 16, 32, 64, 128, 256};

// Power of a batch on an example GPU.
Feedback drew(std::int64_t batch, double watts, double cap) {
  Feedback feedback;
  feedback.point.batch = batch;
  feedback.power = Watts{watts};
  feedback.cap = Watts{cap};
  return feedback;
}

std::vector<std::int64_t> walk(const std::function<double(std::int64_t)>& power, double cap, int steps) {
  BatchSizer controller(kBatches);
  std::vector<std::int64_t> batches{controller.first(Watts{cap}).point.batch};
  for (int i = 0; i < steps; ++i)
    batches.push_back(controller.step(drew(batches.back(), power(batches.back()), cap)).point.batch);
  return batches;
}

// Computed by hand from the printed algorithm: 1 is too low, ceil((1 + 9) / 2) = 5; 16 is too low,
// ceil((5 + 9) / 2) = 7; 64 is too high, floor((5 + 7) / 2) = 6; 32 is in the band.
TEST(BatchSizer, FollowsThePrintedAlgorithm) {
  const auto power = [](std::int64_t batch) { return 60 + 2.5 * static_cast<double>(batch); };
  EXPECT_EQ(walk(power, 150, 4), (std::vector<std::int64_t>{1, 16, 64, 32, 32}));
}

TEST(BatchSizer, ReachesTheLargestBatchUnderAHighCap) {
  EXPECT_EQ(walk([](std::int64_t) { return 60.0; }, 250, 5),
            (std::vector<std::int64_t>{1, 16, 64, 128, 256, 256}));
}

TEST(BatchSizer, ReportsWhenNoLowerSettingExists) {
  BatchSizer controller(kBatches);
  controller.first(Watts{50});
  const Action action = controller.step(drew(1, 80, 50));
  EXPECT_EQ(action.point.batch, 1);
  EXPECT_NE(action.reason.find("no lower setting"), std::string::npos) << action.reason;
}

// The flaw: 64 is below 80 % of the cap and 128 above the cap, so no batch is in the band.
TEST(BatchSizer, OscillatesIfNoBatchIsInTheBand) {
  const auto power = [](std::int64_t batch) { return batch <= 64 ? 100.0 : 210.0; };
  const auto batches = walk(power, 200, 20);
  int changes = 0;
  for (std::size_t i = 10; i < batches.size(); ++i) changes += batches[i] != batches[i - 1];
  EXPECT_GE(changes, 8);
}

TEST(BatchSizer, AcceptsTheEdgesOfTheBand) {
  EXPECT_EQ(walk([](std::int64_t) { return 80.0; }, 100, 2), (std::vector<std::int64_t>{1, 1, 1}));
  EXPECT_EQ(walk([](std::int64_t) { return 100.0; }, 100, 2), (std::vector<std::int64_t>{1, 1, 1}));
}

TEST(Dvfs, SearchesClocksAtOneBatch) {
  std::vector<Hertz> clocks;
  for (int mhz = 500; mhz <= 1400; mhz += 100) clocks.push_back(Hertz{mhz * 1e6});
  Dvfs controller(16, clocks);
  Point point = controller.first(Watts{150}).point;
  EXPECT_EQ(point, (Point{16, Hertz{500e6}}));
  for (int i = 0; i < 6; ++i) {
    Feedback feedback = drew(16, 50 + point.clock->si() / 1e7, 150);
    feedback.point = point;
    point = controller.step(feedback).point;
    EXPECT_EQ(point.batch, 16);
  }
  EXPECT_GE(50 + point.clock->si() / 1e7, 0.8 * 150);
  EXPECT_LE(50 + point.clock->si() / 1e7, 150);
}

TEST(PowersOfTwo, AreSelectedFromASet) {
  EXPECT_EQ(powers_of_two({1, 2, 3, 4, 5, 6, 8, 300, 512}), (std::vector<std::int64_t>{1, 2, 4, 8}));
  EXPECT_EQ(powers_of_two({3, 5}), (std::vector<std::int64_t>{3, 5}));
}

}  // namespace
}  // namespace ergon::control
