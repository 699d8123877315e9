#include <algorithm>
#include <cmath>
#include <ergon/cap.h>

#include "support.h"

namespace ergon::test {
namespace {

using namespace literals;

// A GPU with 50 W idle and 250 W busy: kernels take 0.1 ms per sample, the host 1.5 ms per batch.
Expectation formula(const BatchAndClock& point) {
  const double clock = point.clock ? point.clock->si() / 1.5e9 : 1;
  const double kernels = 1e-4 * static_cast<double>(point.batch) / clock, host = 1.5e-3;
  const double time = std::pow(std::pow(kernels, 8) + std::pow(host, 8), 1.0 / 8);
  const double busy = std::min(1.0, kernels / time);
  return {Seconds{time}, Watts{50 + 200 * busy * std::pow(clock, 2.4)}, Seconds{kernels}, Seconds{host}};
}

// The caller's own plant: a formula instead of a server.
class FormulaPlant final : public Plant {
 public:
  FormulaPlant() {
    for (std::int64_t batch = 1; batch <= 64; ++batch) points_.batches.push_back(batch);
    for (int i = 0; i < 10; ++i) points_.clocks.push_back(Hertz{0.6e9 + 0.1e9 * i});
  }

  OperatingPoints operating_points() const override { return points_; }
  Watts idle_power() const override { return 50_W; }
  Seconds now() const override { return now_; }
  Result<CapFeedback> run(const BatchAndClock& point, const DecisionInterval& interval) override {
    if (broken) return Error{Errc::device_lost, "gone"};
    const Expectation there = formula(point);
    CapFeedback feedback;
    feedback.duration = there.time * static_cast<double>(interval.batches);
    now_ += feedback.duration;
    feedback.point = point;
    feedback.samples = static_cast<double>(point.batch * interval.batches);
    if (!silent) feedback.power = feedback.mean_power = there.power;
    feedback.latency = there.time;
    return feedback;
  }

  // Highest throughput of all points within a cap.
  double best_throughput(Watts cap) const {
    double best = 0;
    for (const std::int64_t batch : points_.batches) {
      for (const Hertz clock : points_.clocks) {
        const Expectation there = formula({batch, clock});
        if (there.power <= cap) best = std::max(best, static_cast<double>(batch) / there.time.si());
      }
    }
    return best;
  }

  bool silent = false, broken = false;

 private:
  OperatingPoints points_;
  Seconds now_;
};

TEST(ApiCap, HoldsACapOverTheCallersPlant) {
  for (const std::string& name : controller_names()) {
    FormulaPlant plant;
    CapOptions options;
    options.controller.name = name;
    options.controller.max_power = 300_W;
    options.duration = 20_s;
    std::size_t seen = 0;
    options.on_decision = [&](const CapDecision&) { ++seen; };
    const auto held = hold_cap(plant, 150_W, options);
    ASSERT_TRUE(held) << held.error().message;
    EXPECT_EQ(held->controller, name);
    EXPECT_EQ(seen, held->decisions.size());
    EXPECT_LE(held->mean_power, 150_W) << name;
    EXPECT_GT(held->throughput, 0) << name;
    ASSERT_EQ(held->caps.size(), 1u);
    EXPECT_TRUE(held->caps[0].took) << name;
    EXPECT_EQ(held->decisions.back().feedback.cap, 150_W);
    EXPECT_FALSE(held->decisions.back().next.reason.empty());
    if (name == "joint") {
      EXPECT_GT(held->settled_throughput, 0.9 * plant.best_throughput(150_W));
      EXPECT_LT(held->violation, 1_s);
    }
  }
}

TEST(ApiCap, FollowsACapThatChanges) {
  FormulaPlant plant;
  CapOptions options;
  options.duration = 20_s;
  options.controller.prior = formula;
  options.controller.max_power = 300_W;
  options.cap_at = [](Seconds now) { return now < 10_s ? 220_W : 100_W; };
  const auto held = hold_cap(plant, 220_W, options);
  ASSERT_TRUE(held) << held.error().message;
  ASSERT_EQ(held->caps.size(), 2u);
  EXPECT_EQ(held->caps[1].cap, 100_W);
  ASSERT_TRUE(held->caps[1].took);
  EXPECT_LT(*held->caps[1].took, 1_s);
  EXPECT_LE(*held->decisions.back().feedback.power, 100_W);
  EXPECT_GT(held->settled_throughput, 0.95 * plant.best_throughput(100_W)) << "the prior is exact";
}

TEST(ApiCap, StepFunctionGivesTheSameAsTheLoop) {
  FormulaPlant looped, stepped;
  CapOptions options;
  options.max_decisions = 12;
  const auto held = hold_cap(looped, 140_W, options);
  ASSERT_TRUE(held);
  auto controller = CapController::make(stepped.operating_points(), stepped.idle_power());
  ASSERT_TRUE(controller) << controller.error().message;
  EXPECT_EQ(controller->name(), "joint");
  CapAction action = controller->first(140_W);
  for (const CapDecision& decision : held->decisions) {
    EXPECT_EQ(action.point, decision.feedback.point);
    auto feedback = stepped.run(action.point, controller->decision_interval());
    ASSERT_TRUE(feedback);
    feedback->cap = 140_W;
    action = controller->step(*feedback);
    EXPECT_EQ(action.point, decision.next.point);
    EXPECT_EQ(action.reason, decision.next.reason);
  }
}

TEST(ApiCap, ReturnsToTheSafestPointWithoutReadings) {
  FormulaPlant plant;
  auto controller = CapController::make(plant.operating_points(), 50_W);
  ASSERT_TRUE(controller);
  CapAction action = controller->first(200_W);
  plant.silent = true;
  auto feedback = plant.run(action.point, controller->decision_interval());
  feedback->cap = 200_W;
  action = controller->step(*feedback);
  EXPECT_EQ(action.point, (BatchAndClock{1, 0.6_GHz}));
}

TEST(ApiCap, KeepsALatencyBound) {
  FormulaPlant plant;
  CapOptions options;
  options.controller.max_latency = 3_ms;
  options.duration = 20_s;
  const auto held = hold_cap(plant, 200_W, options);
  ASSERT_TRUE(held) << held.error().message;
  EXPECT_LE(*held->decisions.back().feedback.latency, 3_ms);
  options.controller.name = "batchsizer";
  EXPECT_EQ(hold_cap(plant, 200_W, options).error().kind, Errc::invalid_input);
}

TEST(ApiCap, RefusesWhatCannotBeHeld) {
  FormulaPlant plant;
  const auto low = hold_cap(plant, 20_W);
  ASSERT_FALSE(low);
  EXPECT_NE(low.error().message.find("idle power"), std::string::npos) << low.error().message;
  plant.broken = true;
  EXPECT_EQ(hold_cap(plant, 150_W).error().kind, Errc::device_lost);
  EXPECT_EQ(CapController::make({}, 50_W).error().kind, Errc::invalid_input);
  EXPECT_EQ(CapController::make({{4, 2}, {}}, 50_W).error().kind, Errc::invalid_input);
  EXPECT_EQ(CapController::make({{1, 2}, {}}, 50_W, {.name = "dvfs"}).error().kind, Errc::invalid_input);
  EXPECT_EQ(CapController::make({{1, 2}, {}}, 50_W, {.name = "jojnt"}).error().kind, Errc::unknown_name);
}

TEST(ApiCap, TwinsRejectBatchesAndClocksTheyDoNotHave) {
  const auto network = Network::load("resnet18");
  EXPECT_EQ(twin_plant(*network, "a30", {.batches = {8, 4}}).error().kind, Errc::invalid_input);
  EXPECT_EQ(twin_prior(*network, "a30", {{8, 4}, {}}).error().kind, Errc::invalid_input);
  EXPECT_EQ(twin_prior(*network, "a30", {{4, 8}, {2_GHz, 1_GHz}}).error().kind, Errc::invalid_input);
  const auto plant = twin_plant(*network, "a30", {.batches = {4, 8}});
  ASSERT_TRUE(plant) << plant.error().message;
  const Hertz clock = (*plant)->operating_points().clocks.front();
  EXPECT_TRUE((*plant)->run({4, clock}, {}));
  EXPECT_EQ((*plant)->run({5, clock}, {}).error().kind, Errc::invalid_input);
  EXPECT_EQ((*plant)->run({4, clock + 1_MHz}, {}).error().kind, Errc::invalid_input);
}

TEST(ApiCap, HoldsACapOnATwin) {
  const auto network = Network::load("resnet50");
  const auto plant = twin_plant(*network, "a30");
  ASSERT_TRUE(plant) << plant.error().message;
  const auto prior = twin_prior(*network, "a30", (*plant)->operating_points());
  ASSERT_TRUE(prior) << prior.error().message;
  const OperatingPoints points = (*plant)->operating_points();
  const Expectation there = (*prior)({points.batches.back(), points.clocks.back()});
  EXPECT_GT(there.power, (*plant)->idle_power());
  CapOptions options;
  options.controller.prior = *prior;
  options.controller.max_power = 165_W;
  options.duration = 30_s;
  const auto held = hold_cap(**plant, 120_W, options);
  ASSERT_TRUE(held) << held.error().message;
  EXPECT_LE(held->mean_power, 121_W);
  EXPECT_GT(held->mean_power, 100_W);
  ASSERT_TRUE(held->mean_clock);
  EXPECT_EQ(twin_plant(*network, "a3O").error().kind, Errc::unknown_name);
}

}  // namespace
}  // namespace ergon::test
