#include "control/cap_check.h"

#include <gtest/gtest.h>

#include "control/plants/small_plant.h"

namespace ergon::control {
namespace {

using namespace literals;

CapCheck check_of(std::shared_ptr<const Surface> truth) {
  return {{ControllerKind::joint, {{1, 2, 4}, {Hertz{500e6}, Hertz{1e9}}}, {}}, std::move(truth)};
}

TEST(CapCheck, ReportsACapOnce) {
  CapCheck check = check_of(std::make_shared<test::SmallSurface>());
  EXPECT_FALSE(check.check(105_W));
  const auto why = check.check(104_W);
  ASSERT_TRUE(why);
  EXPECT_EQ(*why, "joint cannot hold 104 W: its lowest power is 105.0 W, batch 1 at 500 MHz");
  EXPECT_FALSE(check.check(104_W));
  EXPECT_EQ(check.not_held({}, {}), std::vector{*why});
}

TEST(CapCheck, KnowsNothingWithoutASurface) {
  CapCheck check = check_of(nullptr);
  EXPECT_FALSE(check.check(1_W));
  EXPECT_TRUE(check.not_held({}, {}).empty());
}

TEST(CapCheck, CollectsWhatWasNotHeld) {
  CapCheck check = check_of(std::make_shared<test::SmallSurface>());
  const std::string impossible = check.check(104_W).value();
  CapRun run;
  run.refused = {"1.0 s: too low"};
  run.caps = {{0_s, 104_W, "", {}, 9},            // known to be impossible
              {1_s, 120_W, "", {}, 2},            // replaced before it had to be met
              {2_s, 130_W, "", Seconds{0.5}, 5},  // met
              {3_s, 140_W, "", {}, 3}};
  Decision last;
  last.feedback.latency = Seconds{0.06};
  run.decisions = {last};
  EXPECT_EQ(check.not_held(run, {}),
            (std::vector<std::string>{impossible, "1.0 s: too low", "140 W was not met in 3 decisions"}));
  EXPECT_EQ(check.not_held(run, Seconds{0.06}).size(), 3u);
  EXPECT_EQ(check.not_held(run, Seconds{0.05}).back(),
            "the last batch took 60 ms, above --max-latency 50 ms");
}

}  // namespace
}  // namespace ergon::control
