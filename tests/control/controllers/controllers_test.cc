// Requirements on all controllers, on a network whose time and power are formulas.

#include <gtest/gtest.h>

#include "control/controllers/choice.h"
#include "control/plants/formula_plant.h"
#include "control/summary.h"
#include "control/surfaces/oracle.h"

namespace ergon::control {
namespace {

using test::FormulaPlant;

Knobs all_knobs() { return {test::every_batch(256), test::ten_clocks()}; }
Knobs batches_only() { return {test::every_batch(256), {}}; }

// A cap that changes once, after a number of decisions.
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

Result<control::CapRun> held(FormulaPlant& plant, const ControllerChoice& choice, CapSource& caps,
                             std::size_t decisions) {
  auto controller = make_controller(choice, plant);
  if (!controller) return controller.error();
  RunOptions options;
  options.duration = Seconds{1e9};
  options.max_decisions = decisions;
  return run(plant, **controller, caps, options);
}

Result<control::CapRun> held(FormulaPlant& plant, const ControllerChoice& choice, double cap,
                             std::size_t decisions) {
  const auto caps = constant_cap(Watts{cap});
  return held(plant, choice, *caps, decisions);
}

double reached(const CapRun& run, const FormulaPlant& plant, double cap) {
  const auto best = oracle(plant, plant.knobs(), Watts{cap});
  return run.decisions.back().feedback.throughput() / best.best.throughput;
}

// A wrong prior: half the host time, kernels 25 % faster, 10 % less power.
std::shared_ptr<const Surface> wrong_prior() {
  class Wrong final : public Surface {
    Expectation at(const Point& point) const override {
      Expectation there = test::example_gpu(point);
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

TEST_P(EveryCap, BatchSizerPlusReachesTheBestBatchAndSettles) {
  FormulaPlant plant(batches_only(), test::example_gpu);
  const auto run = held(plant, {.kind = ControllerKind::batchsizer_plus}, GetParam(), 30);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_GT(reached(*run, plant, GetParam()), 0.93);
  const Summary summary = summary_of(*run);
  EXPECT_LE(summary.settled_decisions, 8u);
  for (std::size_t i = 12; i < run->decisions.size(); ++i)
    EXPECT_EQ(run->decisions[i].feedback.point, run->decisions[11].feedback.point) << "no oscillation";
}

TEST_P(EveryCap, JointReachesTheOracleFromAWrongPrior) {
  FormulaPlant plant(all_knobs(), test::example_gpu);
  const auto run = held(plant, {.kind = ControllerKind::joint, .prior = wrong_prior()}, GetParam(), 30);
  ASSERT_TRUE(run) << run.error().message;
  // Near idle power the margin below the cap is a large share of the usable power.
  EXPECT_GT(reached(*run, plant, GetParam()), GetParam() < 100 ? 0.8 : 0.95);
  EXPECT_LE(summary_of(*run).settled_decisions, 8u);
}

TEST_P(EveryCap, JointReachesMostOfTheOracleFromAGenericPrior) {
  FormulaPlant plant(all_knobs(), test::example_gpu);
  const auto run = held(plant, {.kind = ControllerKind::joint, .max_power = Watts{300}}, GetParam(), 40);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_GT(reached(*run, plant, GetParam()), 0.85);
}

TEST_P(EveryCap, NoViolationLastsLongerThanADecision) {
  for (const ControllerChoice& choice :
       {ControllerChoice{.kind = ControllerKind::batchsizer_plus},
        ControllerChoice{.kind = ControllerKind::joint, .prior = wrong_prior()},
        ControllerChoice{.kind = ControllerKind::joint, .max_power = Watts{300}}}) {
    FormulaPlant plant(all_knobs(), test::example_gpu);
    const auto run = held(plant, choice, GetParam(), 40);
    ASSERT_TRUE(run) << run.error().message;
    for (std::size_t i = 1; i < run->decisions.size(); ++i) {
      EXPECT_FALSE(run->decisions[i].feedback.power > Watts{GetParam()} &&
                   run->decisions[i - 1].feedback.power > Watts{GetParam()})
          << name_of(choice.kind) << " at decision " << i;
    }
    for (std::size_t i = 15; i < run->decisions.size(); ++i)
      EXPECT_LE(*run->decisions[i].feedback.power, Watts{GetParam()})
          << name_of(choice.kind) << " at decision " << i;
  }
}

TEST(Controllers, MeetAHalvedCapWithinTwoDecisions) {
  for (const ControllerKind kind : {ControllerKind::batchsizer_plus, ControllerKind::joint}) {
    FormulaPlant plant(all_knobs(), test::example_gpu);
    TwoCaps caps(Watts{240}, Watts{120}, 20);
    const auto run = held(plant, {.kind = kind, .prior = wrong_prior()}, caps, 60);
    ASSERT_TRUE(run) << run.error().message;
    ASSERT_EQ(run->caps.size(), 2u) << name_of(kind);
    EXPECT_TRUE(run->caps[1].took) << name_of(kind);
    EXPECT_LE(run->caps[1].decisions, 2) << name_of(kind);
    EXPECT_EQ(caps.acknowledged.back(), Watts{120}) << name_of(kind);
  }
}

TEST(Controllers, UseARaisedCap) {
  for (const ControllerKind kind : {ControllerKind::batchsizer_plus, ControllerKind::joint}) {
    FormulaPlant plant(all_knobs(), test::example_gpu);
    TwoCaps caps(Watts{100}, Watts{240}, 20);
    const auto run = held(plant, {.kind = kind, .prior = wrong_prior()}, caps, 80);
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_GT(run->decisions.back().feedback.throughput(), 1.5 * run->decisions[15].feedback.throughput())
        << name_of(kind);
  }
}

TEST(Controllers, ReportACapThatNoPointHoldsAtTheSafestPoint) {
  for (const ControllerChoice& choice :
       {ControllerChoice{.kind = ControllerKind::batchsizer_plus},
        ControllerChoice{.kind = ControllerKind::joint, .prior = wrong_prior()}}) {
    FormulaPlant plant(batches_only(), [](const Point& point) {
      Expectation there = test::example_gpu(point);
      there.power = there.power + Watts{60};
      return there;
    });
    const auto run = held(plant, choice, 70, 5);
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(run->decisions.back().feedback.point.batch, 1) << name_of(choice.kind);
    EXPECT_NE(run->decisions.back().next.reason.find("cannot be held"), std::string::npos)
        << run->decisions.back().next.reason;
  }
}

TEST(Controllers, RejectACapBelowIdlePowerAndNameIt) {
  FormulaPlant plant(all_knobs(), test::example_gpu);
  const auto run = held(plant, {.kind = ControllerKind::joint}, 40, 5);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, Errc::invalid_input);
  EXPECT_NE(run.error().message.find("50 W"), std::string::npos) << run.error().message;
}

TEST(Controllers, GoToTheSafestPointWithoutReadingsAndReturn) {
  for (const ControllerKind kind : kControllers) {
    FormulaPlant plant(all_knobs(), test::example_gpu);
    auto controller = make_controller({.kind = kind, .prior = wrong_prior()}, plant).value();
    Point point = controller->first(Watts{150}).point;
    const auto step = [&] {
      Feedback feedback = plant.run(point, controller->decision_interval()).value();
      feedback.cap = Watts{150};
      const Action action = controller->step(feedback);
      point = action.point;
      return action;
    };
    for (int i = 0; i < 10; ++i) step();
    const Point before = point;
    plant.silent = true;
    EXPECT_NE(step().reason.find("no power reading"), std::string::npos) << name_of(kind);
    EXPECT_EQ(point, safest_point(plant.knobs())) << name_of(kind);
    plant.silent = false;
    step();
    EXPECT_EQ(point, before) << name_of(kind) << " returns to the previous point";
    EXPECT_LE(*plant.run(point, controller->decision_interval()).value().power, Watts{150}) << name_of(kind);
  }
}

TEST(Controllers, IgnoreImplausibleReadings) {
  FormulaPlant plant(all_knobs(), test::example_gpu);
  auto controller =
      make_controller({.kind = ControllerKind::joint, .prior = wrong_prior(), .max_power = Watts{300}}, plant)
          .value();
  Feedback good = plant.run(controller->first(Watts{200}).point, controller->decision_interval()).value();
  good.cap = Watts{200};
  const Watts power = *good.power;
  // 5 W is below idle power.
  for (const double watts : {0.0, 5.0, -20.0, 1e6, static_cast<double>(NAN)}) {
    for (const bool mean : {false, true}) {
      Feedback feedback = good;
      (mean ? feedback.mean_power : feedback.power) = Watts{watts};
      const Action action = controller->step(feedback);
      EXPECT_EQ(action.point, safest_point(plant.knobs())) << watts;
      EXPECT_NE(action.reason.find("implausible"), std::string::npos) << action.reason;
    }
  }
  Feedback still = good;
  still.samples = 0;
  EXPECT_NE(controller->step(still).reason.find("no samples completed"), std::string::npos);
  EXPECT_EQ(controller->step(good).point, good.point) << power.si();
}

// The prior is four times too slow: the fastest point must be tried before the latency is reported as
// impossible.
TEST(Joint, TriesTheFastestPointBeforeGivingUpALatency) {
  class Slow final : public Surface {
    Expectation at(const Point& point) const override {
      Expectation there = test::example_gpu(point);
      there.time = there.time * 4;
      there.gpu = there.gpu * 4;
      there.host = there.host * 4;
      return there;
    }
  };
  FormulaPlant plant(all_knobs(), test::example_gpu);
  ControllerChoice choice{
      .kind = ControllerKind::joint, .latency = Seconds{0.004}, .prior = std::make_shared<Slow>()};
  const auto run = held(plant, choice, 260, 30);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->decisions.front().feedback.point, (Point{1, plant.knobs().clocks.back()}));
  EXPECT_LE(run->decisions.back().feedback.latency.value(), Seconds{0.004});
  const auto best = oracle(plant, plant.knobs(), Watts{260}, Seconds{0.004});
  EXPECT_GT(run->decisions.back().feedback.throughput() / best.best.throughput, 0.8);
}

TEST(CapRun, ReportsARefusedCapToItsSource) {
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
  FormulaPlant plant(batches_only(), test::example_gpu);
  Refused caps;
  const auto run = held(plant, {.kind = ControllerKind::batchsizer_plus}, caps, 8);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_NE(caps.told.find("50 W"), std::string::npos) << caps.told;
  ASSERT_EQ(run->refused.size(), 1u);
  EXPECT_NE(run->refused[0].find("200 W stays in force"), std::string::npos) << run->refused[0];
  EXPECT_EQ(run->decisions.back().feedback.cap, Watts{200});
}

TEST(Joint, MeetsALatencyBound) {
  FormulaPlant plant(all_knobs(), test::example_gpu);
  ControllerChoice choice{.kind = ControllerKind::joint, .latency = Seconds{0.004}, .prior = wrong_prior()};
  const auto run = held(plant, choice, 260, 30);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_LE(run->decisions.back().feedback.latency.value(), Seconds{0.004});
  const auto best = oracle(plant, plant.knobs(), Watts{260}, Seconds{0.004});
  EXPECT_GT(run->decisions.back().feedback.throughput() / best.best.throughput, 0.95);
}

// A GPU that warms up by 30 K, with rising leakage.
TEST(Joint, HoldsTheCapDuringWarmUp) {
  FormulaPlant plant(all_knobs(), test::example_gpu);
  auto controller = make_controller({.kind = ControllerKind::joint, .prior = wrong_prior()}, plant).value();
  Point point = controller->first(Watts{180}).point;
  int above = 0, longest = 0, in_a_row = 0;
  for (int i = 0; i < 60; ++i) {
    const double degrees = 40 + std::min(i, 30);
    plant.formula() = [degrees](const Point& at) {
      Expectation there = test::example_gpu(at);
      there.power += Watts{0.5 * (degrees - 40)};
      return there;
    };
    Feedback feedback = plant.run(point, controller->decision_interval()).value();
    feedback.cap = Watts{180};
    feedback.temperature = Celsius{degrees};
    in_a_row = *feedback.power > Watts{180} ? in_a_row + 1 : 0;
    above += in_a_row > 0;
    longest = std::max(longest, in_a_row);
    point = controller->step(feedback).point;
  }
  EXPECT_LE(longest, 1);
  EXPECT_LE(above, 8);
  const auto best = oracle(plant, plant.knobs(), Watts{180});
  EXPECT_GT(plant.run(point, controller->decision_interval()).value().throughput() / best.best.throughput,
            0.9);
}

TEST(Joint, AdaptsToANetworkWhosePowerRises) {
  FormulaPlant plant(all_knobs(), test::example_gpu);
  auto controller = make_controller({.kind = ControllerKind::joint, .prior = wrong_prior()}, plant).value();
  Point point = controller->first(Watts{180}).point;
  const auto step = [&] {
    Feedback feedback = plant.run(point, controller->decision_interval()).value();
    feedback.cap = Watts{180};
    point = controller->step(feedback).point;
    return *feedback.power;
  };
  for (int i = 0; i < 15; ++i) step();
  plant.formula() = [](const Point& at) {
    Expectation there = test::example_gpu(at);
    there.power = Watts{50} + (there.power - Watts{50}) * 1.2;
    return there;
  };
  EXPECT_GT(step(), Watts{180});
  EXPECT_LE(step(), Watts{180}) << "the violation ends after one decision";
  for (int i = 0; i < 10; ++i) EXPECT_LE(step(), Watts{180});
  EXPECT_GT(step(), Watts{160}) << "the cap is used";
}

TEST(MakeController, AcceptsNamesIgnoringCase) {
  FormulaPlant plant(batches_only(), test::example_gpu);
  const auto unknown = controller_named("jiont");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, Errc::unknown_name);
  EXPECT_NE(unknown.error().message.find("joint"), std::string::npos) << unknown.error().message;
  EXPECT_EQ(controller_named("JOINT").value(), ControllerKind::joint);
  EXPECT_EQ(controller_named("batchsizer+").value(), ControllerKind::batchsizer_plus);
  EXPECT_TRUE(make_controller({.kind = ControllerKind::joint}, plant));
  EXPECT_FALSE(make_controller({.kind = ControllerKind::dvfs}, plant)) << "no clock may be set";
  FormulaPlant nothing({}, test::example_gpu);
  EXPECT_FALSE(make_controller({.kind = ControllerKind::joint}, nothing));
}

TEST(CapRun, EndsWhenThePlantFails) {
  FormulaPlant plant(batches_only(), test::example_gpu);
  plant.broken = true;
  const auto run = held(plant, {.kind = ControllerKind::batchsizer_plus}, 150, 5);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, Errc::device_lost);
}

}  // namespace
}  // namespace ergon::control
