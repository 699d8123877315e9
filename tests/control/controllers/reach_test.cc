#include "control/controllers/reach.h"

#include <gtest/gtest.h>

#include "control/plants/small_plant.h"

namespace ergon::control {
namespace {

using test::SmallSurface;

const Hertz kReachSlow{500e6}, kReachFast{1e9};
const Knobs kReachKnobs{{1, 2, 3, 4, 10, 16, 20}, {kReachSlow, kReachFast}};

TEST(Reach, SelectsTheKnobsOfTheController) {
  EXPECT_EQ(reach_of(ControllerKind::joint, kReachKnobs).batches, kReachKnobs.batches);
  EXPECT_EQ(reach_of(ControllerKind::joint, kReachKnobs).clocks, kReachKnobs.clocks);
  EXPECT_EQ(reach_of(ControllerKind::batchsizer_plus, kReachKnobs).batches, kReachKnobs.batches);
  EXPECT_EQ(reach_of(ControllerKind::batchsizer_plus, kReachKnobs).clocks, std::vector{kReachFast});
  EXPECT_EQ(reach_of(ControllerKind::batchsizer, kReachKnobs).batches,
            (std::vector<std::int64_t>{1, 2, 4, 16}));
  EXPECT_EQ(reach_of(ControllerKind::dvfs, kReachKnobs).batches, std::vector<std::int64_t>{16});
  EXPECT_EQ(reach_of(ControllerKind::dvfs, kReachKnobs).clocks, kReachKnobs.clocks);
  EXPECT_TRUE(reach_of(ControllerKind::batchsizer, {{1, 2}, {}}).clocks.empty());
}

TEST(Reach, ExplainsWhyACapCannotBeHeld) {
  const SmallSurface truth;
  EXPECT_EQ(why_not_held({ControllerKind::joint, kReachKnobs, {}}, truth, Watts{105}), std::nullopt);
  EXPECT_EQ(why_not_held({ControllerKind::joint, kReachKnobs, {}}, truth, Watts{104}),
            "joint cannot hold 104 W: its lowest power is 105.0 W, batch 1 at 500 MHz");
  EXPECT_EQ(why_not_held({ControllerKind::batchsizer, kReachKnobs, {}}, truth, Watts{109}),
            "batchsizer cannot hold 109 W: its lowest power is 110.0 W, batch 1 at 1000 MHz; joint can");
  EXPECT_EQ(why_not_held({ControllerKind::joint, kReachKnobs, Seconds{0.5}}, truth, Watts{200}),
            "no point within 200 W meets a latency of 500 ms");
}

TEST(Reach, DescribesKnobs) {
  EXPECT_EQ(text_of(kReachKnobs), "7 batches from 1 to 20, 2 clocks from 500 to 1000 MHz");
  EXPECT_EQ(text_of(Knobs{{16}, {kReachFast}}), "batch 16 at 1000 MHz");
  EXPECT_EQ(text_of(Knobs{{1}, {}}), "batch 1, default clock");
}

}  // namespace
}  // namespace ergon::control
