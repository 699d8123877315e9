#include "profile/repetition.h"

#include <vector>

#include <gtest/gtest.h>

#include "graph/network.h"
#include "profile/fake_engine.h"

namespace ergon::profile {
namespace {

using namespace ergon::literals;

TEST(Repetition, CountsIterationsThatFit) {
  EXPECT_EQ(iterations_in(1_s, 1_ms), 1000);
  EXPECT_EQ(iterations_in(10.5_ms, 1_ms), 11);
  EXPECT_EQ(iterations_in(1_ms, 1_s), 1);
  EXPECT_EQ(iterations_in(1_s, 0_s), 1);
}

TEST(Repetition, ASegmentIsSeveralIterationsUnlessTheyAreSlow) {
  EXPECT_EQ(segment_length(50_ms, 1_ms), 50);
  EXPECT_EQ(segment_length(50_ms, 20_ms), 8);   // three would suffice for the time
  EXPECT_EQ(segment_length(50_ms, 100_ms), 3);  // eight would take 0.8 s
  EXPECT_EQ(segment_length(50_ms, 2_s), 1);
}

class WorkFor : public ::testing::Test {
 protected:
  Result<Seconds> work(Seconds time, const std::stop_token& stop = {}) {
    engine.ran = [this](std::int64_t iterations) { runs.push_back(iterations); };
    const auto prepared = engine.prepare(graph::Network{}, {}, {}).value();
    return work_for(*prepared, time, stop);
  }

  ManualClock clock;
  FakeEngine engine{clock};
  std::vector<std::int64_t> runs;
};

// Few runs, although the time per iteration is unknown at first, and not much longer than requested.
TEST_F(WorkFor, IncreasesIterationsUntilTheTimeHasPassed) {
  engine.each = 10_us;
  EXPECT_NEAR(work(200_ms)->si(), 10e-6, 1e-12);
  EXPECT_LE(runs.size(), 7U);
  EXPECT_NEAR((clock.now() - Instant{}).si(), 0.2, 0.001);
}

TEST_F(WorkFor, RunsSlowWorkOnce) {
  engine.each = 5_s;
  EXPECT_EQ(work(200_ms).value(), 5_s);
  EXPECT_EQ(runs, std::vector<std::int64_t>{1});
}

TEST_F(WorkFor, StopsOnRequest) {
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(work(1_s, source.get_token()).error().kind, Errc::cancelled);
  EXPECT_TRUE(runs.empty());
}

}  // namespace
}  // namespace ergon::profile
