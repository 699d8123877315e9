// What all controllers that hold caps have to do, on a network whose time and power are formulas.

#include <gtest/gtest.h>

#include "control/choice.h"
#include "control/made_plant.h"
#include "control/oracle.h"
#include "control/summary.h"

namespace ergon::control {
namespace {

using test::MadePlant;

Knobs all_knobs() { return {test::every_batch(256), test::ten_clocks()}; }
Knobs batches_only() { return {test::every_batch(256), {}}; }

// A cap that changes once, after so many decisions.
class TwoCaps final : public CapSource {
 public:
  TwoCaps(Watts first, Watts second, int when) : first_(first), second_(second), when_(when) {}
  Result<std::optional<CapChange>> poll(Seconds) override {
    const int poll = polls_++;
    if (poll == 0) return std::optional(CapChange{first_, "first"});
    if (poll == when_) return std::optional(CapChange{second_, "second"});
    return std::optional<CapChange>();
  }
  void acknowledge(Watts cap, Seconds) override { acknowledged.push_back(cap); }
  std::vector<Watts> acknowledged;

 private:
  Watts first_, second_;
  int when_;
  int polls_ = 0;
};

Result<control::Run> held(MadePlant& plant, const ControllerChoice& choice, CapSource& caps,
                          std::size_t decisions) {
  auto controller = make_controller(choice, plant);
  if (!controller) return controller.error();
  RunOptions options;
  options.duration = Seconds{1e9};
  options.most_decisions = decisions;
  return run(plant, **controller, caps, options);
}

Result<control::Run> held(MadePlant& plant, const ControllerChoice& choice, double cap,
                          std::size_t decisions) {
  const auto caps = constant_cap(Watts{cap});
  return held(plant, choice, *caps, decisions);
}

double reached(const Run& run, const MadePlant& plant, double cap) {
  const auto best = oracle(plant, plant.knobs(), Watts{cap});
  return run.decisions.back().reading.throughput() / best.best.throughput;
}

// What is believed: half as much host, kernels a quarter faster, a tenth less power.
std::shared_ptr<const Surface> wrong_belief() {
  class Wrong final : public Surface {
    Expectation at(const Point& point) const override {
      Expectation there = test::usual(point);
      there.gpu = there.gpu * 0.75;
      there.host = there.host * 0.5;
      there.time = Seconds{std::pow(std::pow(there.gpu.si(), 8) + std::pow(there.host.si(), 8), 1.0 / 8)};
      there.power = there.power * 0.9;
      return there;
    }
  };
  return std::make_shared<Wrong>();
}

class EveryCap : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Watts, EveryCap, testing::Values(75, 94, 120, 150, 180, 210, 240, 260));

TEST_P(EveryCap, BatchSizerPlusReachesTheBestBatchAndStays) {
  MadePlant plant(batches_only(), test::usual);
  const auto run = held(plant, {.name = "batchsizer+"}, GetParam(), 30);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_GT(reached(*run, plant, GetParam()), 0.93);
  const Summary summary = summary_of(*run);
  EXPECT_LE(summary.settled_decisions, 8u);
  for (std::size_t i = 12; i < run->decisions.size(); ++i)
    EXPECT_EQ(run->decisions[i].reading.point, run->decisions[11].reading.point) << "no going to and fro";
}

TEST_P(EveryCap, JointReachesTheBestPointFromAWrongBelief) {
  MadePlant plant(all_knobs(), test::usual);
  const auto run = held(plant, {.name = "joint", .believed = wrong_belief()}, GetParam(), 30);
  ASSERT_TRUE(run) << run.error().message;
  // Near idle the little power that is left free is much of what there is.
  EXPECT_GT(reached(*run, plant, GetParam()), GetParam() < 100 ? 0.8 : 0.95);
  EXPECT_LE(summary_of(*run).settled_decisions, 8u);
}

TEST_P(EveryCap, JointReachesMostOfItFromNextToNothing) {
  MadePlant plant(all_knobs(), test::usual);
  const auto run = held(plant, {.name = "joint", .most = Watts{300}}, GetParam(), 40);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_GT(reached(*run, plant, GetParam()), 0.85);
}

TEST_P(EveryCap, NoViolationLastsLongerThanADecision) {
  for (const ControllerChoice& choice : {ControllerChoice{.name = "batchsizer+"},
                                         ControllerChoice{.name = "joint", .believed = wrong_belief()},
                                         ControllerChoice{.name = "joint", .most = Watts{300}}}) {
    MadePlant plant(all_knobs(), test::usual);
    const auto run = held(plant, choice, GetParam(), 40);
    ASSERT_TRUE(run) << run.error().message;
    for (std::size_t i = 1; i < run->decisions.size(); ++i) {
      EXPECT_FALSE(run->decisions[i].reading.power > Watts{GetParam()} &&
                   run->decisions[i - 1].reading.power > Watts{GetParam()})
          << choice.name << " at decision " << i;
    }
    for (std::size_t i = 15; i < run->decisions.size(); ++i)
      EXPECT_LE(*run->decisions[i].reading.power, Watts{GetParam()}) << choice.name << " at decision " << i;
  }
}

TEST(Controllers, MeetACapOfHalfWithinTwoDecisions) {
  for (const char* name : {"batchsizer+", "joint"}) {
    MadePlant plant(all_knobs(), test::usual);
    TwoCaps caps(Watts{240}, Watts{120}, 20);
    const auto run = held(plant, {.name = name, .believed = wrong_belief()}, caps, 60);
    ASSERT_TRUE(run) << run.error().message;
    ASSERT_EQ(run->caps.size(), 2u) << name;
    EXPECT_TRUE(run->caps[1].took) << name;
    EXPECT_LE(run->caps[1].decisions, 2) << name;
    EXPECT_EQ(caps.acknowledged.back(), Watts{120}) << name;
  }
}

TEST(Controllers, UseACapThatIsRaised) {
  for (const char* name : {"batchsizer+", "joint"}) {
    MadePlant plant(all_knobs(), test::usual);
    TwoCaps caps(Watts{100}, Watts{240}, 20);
    const auto run = held(plant, {.name = name, .believed = wrong_belief()}, caps, 80);
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_GT(run->decisions.back().reading.throughput(), 1.5 * run->decisions[15].reading.throughput())
        << name;
  }
}

TEST(Controllers, ACapThatNothingCanHoldIsSaidAtTheSafestPoint) {
  for (const ControllerChoice& choice : {ControllerChoice{.name = "batchsizer+"},
                                         ControllerChoice{.name = "joint", .believed = wrong_belief()}}) {
    MadePlant plant(batches_only(), [](const Point& point) {
      Expectation there = test::usual(point);
      there.power = there.power + Watts{60};
      return there;
    });
    const auto run = held(plant, choice, 70, 5);
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(run->decisions.back().reading.point.batch, 1) << choice.name;
    EXPECT_NE(run->decisions.back().next.reason.find("cannot be held"), std::string::npos)
        << run->decisions.back().next.reason;
  }
}

TEST(Controllers, ACapBelowIdleIsRefusedWithTheLeast) {
  MadePlant plant(all_knobs(), test::usual);
  const auto run = held(plant, {.name = "joint"}, 40, 5);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, Errc::invalid_input);
  EXPECT_NE(run.error().message.find("50 W"), std::string::npos) << run.error().message;
}

TEST(Controllers, GoToTheSafestPointWhenTheSensorFallsSilentAndComeBack) {
  for (const std::string& name : controller_names()) {
    MadePlant plant(all_knobs(), test::usual);
    auto controller = make_controller({.name = name, .believed = wrong_belief()}, plant).value();
    Point point = controller->first(Watts{150}).point;
    const auto step = [&] {
      Reading reading = plant.run(point, controller->patience()).value();
      reading.cap = Watts{150};
      const Action action = controller->step(reading);
      point = action.point;
      return action;
    };
    for (int i = 0; i < 10; ++i) step();
    const Point before = point;
    plant.silent = true;
    EXPECT_NE(step().reason.find("silent"), std::string::npos) << name;
    EXPECT_EQ(point, safest_point(plant.knobs())) << name;
    plant.silent = false;
    step();
    EXPECT_EQ(point, before) << name << " goes back to where it was";
    EXPECT_LE(*plant.run(point, controller->patience()).value().power, Watts{150}) << name;
  }
}

TEST(Controllers, DoNotBelieveWhatCannotBe) {
  MadePlant plant(all_knobs(), test::usual);
  auto controller =
      make_controller({.name = "joint", .believed = wrong_belief(), .most = Watts{300}}, plant).value();
  Reading good = plant.run(controller->first(Watts{200}).point, controller->patience()).value();
  good.cap = Watts{200};
  const Watts power = *good.power;
  // 5 W is below what the GPU draws with nothing running.
  for (const double watts : {0.0, 5.0, -20.0, 1e6, static_cast<double>(NAN)}) {
    for (const bool mean : {false, true}) {
      Reading reading = good;
      (mean ? reading.mean_power : reading.power) = Watts{watts};
      const Action action = controller->step(reading);
      EXPECT_EQ(action.point, safest_point(plant.knobs())) << watts;
      EXPECT_NE(action.reason.find("cannot be"), std::string::npos) << action.reason;
    }
  }
  Reading still = good;
  still.samples = 0;
  EXPECT_NE(controller->step(still).reason.find("stands still"), std::string::npos);
  EXPECT_EQ(controller->step(good).point, good.point) << power.si();
}

// What is believed is four times too slow: it must be tried before it is said that nothing is fast enough.
TEST(Joint, TriesTheFastestBeforeItGivesALatencyUp) {
  class Slow final : public Surface {
    Expectation at(const Point& point) const override {
      Expectation there = test::usual(point);
      there.time = there.time * 4;
      there.gpu = there.gpu * 4;
      there.host = there.host * 4;
      return there;
    }
  };
  MadePlant plant(all_knobs(), test::usual);
  ControllerChoice choice{.name = "joint", .latency = Seconds{0.004}, .believed = std::make_shared<Slow>()};
  const auto run = held(plant, choice, 260, 30);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->decisions.front().reading.point, (Point{1, plant.knobs().clocks.back()}));
  EXPECT_LE(run->decisions.back().reading.latency.value(), Seconds{0.004});
  const auto best = oracle(plant, plant.knobs(), Watts{260}, Seconds{0.004});
  EXPECT_GT(run->decisions.back().reading.throughput() / best.best.throughput, 0.8);
}

TEST(Run, ARefusedCapIsToldToWhoAsked) {
  class Refused final : public CapSource {
   public:
    Result<std::optional<CapChange>> poll(Seconds) override {
      const int poll = polls_++;
      if (poll == 0) return std::optional(CapChange{Watts{200}, "first"});
      if (poll == 3) return std::optional(CapChange{Watts{10}, "second"});
      return std::optional<CapChange>();
    }
    void refuse(const std::string& why) override { told = why; }
    std::string told;

   private:
    int polls_ = 0;
  };
  MadePlant plant(batches_only(), test::usual);
  Refused caps;
  const auto run = held(plant, {.name = "batchsizer+"}, caps, 8);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_NE(caps.told.find("50 W"), std::string::npos) << caps.told;
  ASSERT_EQ(run->refused.size(), 1u);
  EXPECT_NE(run->refused[0].find("200 W goes on holding"), std::string::npos) << run->refused[0];
  EXPECT_EQ(run->decisions.back().reading.cap, Watts{200});
}

TEST(Joint, KeepsALatency) {
  MadePlant plant(all_knobs(), test::usual);
  ControllerChoice choice{.name = "joint", .latency = Seconds{0.004}, .believed = wrong_belief()};
  const auto run = held(plant, choice, 260, 30);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_LE(run->decisions.back().reading.latency.value(), Seconds{0.004});
  const auto best = oracle(plant, plant.knobs(), Watts{260}, Seconds{0.004});
  EXPECT_GT(run->decisions.back().reading.throughput() / best.best.throughput, 0.95);
}

// A chip that warms up by 30 degrees and leaks more with each.
TEST(Joint, HoldsTheCapWhileTheChipWarmsUp) {
  MadePlant plant(all_knobs(), test::usual);
  auto controller = make_controller({.name = "joint", .believed = wrong_belief()}, plant).value();
  Point point = controller->first(Watts{180}).point;
  int above = 0, longest = 0, in_a_row = 0;
  for (int i = 0; i < 60; ++i) {
    const double degrees = 40 + std::min(i, 30);
    plant.formula() = [degrees](const Point& at) {
      Expectation there = test::usual(at);
      there.power += Watts{0.5 * (degrees - 40)};
      return there;
    };
    Reading reading = plant.run(point, controller->patience()).value();
    reading.cap = Watts{180};
    reading.temperature = Celsius{degrees};
    in_a_row = *reading.power > Watts{180} ? in_a_row + 1 : 0;
    above += in_a_row > 0;
    longest = std::max(longest, in_a_row);
    point = controller->step(reading).point;
  }
  EXPECT_LE(longest, 1);
  EXPECT_LE(above, 8);
  const auto best = oracle(plant, plant.knobs(), Watts{180});
  EXPECT_GT(plant.run(point, controller->patience()).value().throughput() / best.best.throughput, 0.9);
}

TEST(Joint, FollowsANetworkThatBeginsToDrawMore) {
  MadePlant plant(all_knobs(), test::usual);
  auto controller = make_controller({.name = "joint", .believed = wrong_belief()}, plant).value();
  Point point = controller->first(Watts{180}).point;
  const auto step = [&] {
    Reading reading = plant.run(point, controller->patience()).value();
    reading.cap = Watts{180};
    point = controller->step(reading).point;
    return *reading.power;
  };
  for (int i = 0; i < 15; ++i) step();
  plant.formula() = [](const Point& at) {
    Expectation there = test::usual(at);
    there.power = Watts{50} + (there.power - Watts{50}) * 1.2;
    return there;
  };
  EXPECT_GT(step(), Watts{180});
  EXPECT_LE(step(), Watts{180}) << "one decision later it is over";
  for (int i = 0; i < 10; ++i) EXPECT_LE(step(), Watts{180});
  EXPECT_GT(step(), Watts{160}) << "and what is there is used";
}

TEST(MakeController, KnowsNames) {
  MadePlant plant(batches_only(), test::usual);
  const auto unknown = make_controller({.name = "jiont"}, plant);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("joint"), std::string::npos) << unknown.error().message;
  EXPECT_FALSE(make_controller({.name = "dvfs"}, plant)) << "no clock may be set";
  MadePlant nothing({}, test::usual);
  EXPECT_FALSE(make_controller({.name = "joint"}, nothing));
}

TEST(Run, EndsWithThePlant) {
  MadePlant plant(batches_only(), test::usual);
  plant.broken = true;
  const auto run = held(plant, {.name = "batchsizer+"}, 150, 5);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, Errc::device_lost);
}

}  // namespace
}  // namespace ergon::control
