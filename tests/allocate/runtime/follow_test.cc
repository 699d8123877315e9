// Another program (the neighbor) uses half of the memory bandwidth from time to time.

#include "allocate/runtime/follow.h"

#include <cmath>
#include <sstream>

#include <gtest/gtest.h>

#include "allocate/arada_networks.h"
#include "allocate/plan.h"
#include "allocate/runtime/schedule_writer.h"
#include "allocate/runtime/simulated_accelerator.h"
#include "base/random.h"

namespace ergon::allocate {
namespace {

struct Case {
  std::string network;
  Hardware hardware;
  std::vector<LayerDemand> demands;
  schedule::File plan;
};

Case make_case(const std::string& network, const std::string& accelerator, double words, Scheme scheme,
               double slack, double stall_power = 0) {
  Case c{.network = network, .hardware = arada_hardware(accelerator, words)};
  c.hardware.stall_power = stall_power;
  systolic::ScheduleCache cache;
  const auto layers = *systolic::zoo_layers(network);
  c.demands = *demands_of(layers, c.hardware, cache);
  const auto schedule = plan(c.demands, c.hardware, {.scheme = scheme, .slack = slack});
  c.plan = make_schedule_file(network, c.hardware, *schedule);
  return c;
}

// Alternates between a share and all of the bandwidth; the length of each period comes from a hash of its
// number.
SimulatedAccelerator::Neighbor comes_and_goes(Seconds network_time, double shortest, double busy_share) {
  return [=](Seconds now) {
    Seconds end;
    for (std::uint64_t period = 0;; ++period) {
      Random random(period);
      end += network_time * shortest * (1 + 2 * random.uniform());
      if (end > now) return SimulatedAccelerator::Phase{period % 2 == 0 ? 1.0 : busy_share, end};
    }
  };
}

constexpr std::size_t kRuns = 150;

struct Outcome {
  Seconds time;
  Joules energy;
};

struct Both {
  Outcome blind, corrected;

  double slowdown() const { return (corrected.time / blind.time).si() - 1; }
  double saved() const { return 1 - (corrected.energy / blind.energy).si(); }
};

Both run_both(const Case& c, double shortest, double busy_share) {
  Seconds once;
  for (const auto& layer : c.plan.layers) once += Seconds{layer.rows[0].time_seconds[0]};
  const auto run = [&](bool corrected) {
    SimulatedAccelerator plant(c.hardware, c.demands, comes_and_goes(once, shortest, busy_share));
    const auto followed = follow(c.plan, c.hardware, plant, kRuns, corrected);
    EXPECT_NEAR(followed->time.si(), plant.now().si(), 1e-9 * plant.now().si());
    return Outcome{followed->time, plant.energy()};
  };
  return {run(false), run(true)};
}

struct FollowCase {
  const char* accelerator;
  double words;
};

void PrintTo(const FollowCase& each, std::ostream* out) { *out << each.accelerator << " " << each.words; }

class Follow : public testing::TestWithParam<FollowCase> {};

// At most 1 % slower than the uncorrected plan, with less energy. If the plan's clocks are already at the
// lowest level, as on the HPC TPU with 8 words per cycle, nothing can be saved and nothing may be lost.
TEST_P(Follow, ANeighborUsesHalfOfTheBandwidth) {
  const FollowCase& each = GetParam();
  for (const auto& [scheme, slack] : {std::pair{Scheme::vf_oh_q, 0.0}, std::pair{Scheme::optimal, 0.02},
                                      std::pair{Scheme::optimal_split, 0.0}}) {
    double saved = 0;
    int saving = 0;
    for (const std::string& network : kAradaNetworks) {
      const Both both = run_both(make_case(network, each.accelerator, each.words, scheme, slack), 10, 0.5);
      EXPECT_LE(both.slowdown(), 0.01) << network << " " << name_of(scheme);
      EXPECT_GE(both.saved(), -1e-9) << network << " " << name_of(scheme);
      saving += both.saved() > 1e-4 ? 1 : 0;
      saved += both.saved() / static_cast<double>(kAradaNetworks.size());
    }
    EXPECT_GE(saving, 5) << name_of(scheme);
    EXPECT_GT(saved, 0.005) << name_of(scheme);
    RecordProperty(fmt::format("saved_percent_{}", static_cast<int>(scheme)),
                   fmt::format("{:.2f}", 100 * saved));
  }
}

// A neighbor that changes five times as often, and a share between the plan's rows: still not too slow.
TEST_P(Follow, FastChangesAndOtherShares) {
  const FollowCase& each = GetParam();
  for (const std::string& network : kAradaNetworks) {
    const Case c = make_case(network, each.accelerator, each.words, Scheme::optimal_split, 0);
    for (const auto& [shortest, share] :
         {std::pair{2.0, 0.5}, std::pair{10.0, 0.6}, std::pair{10.0, 0.3}, std::pair{10.0, 0.1}}) {
      EXPECT_LE(run_both(c, shortest, share).slowdown(), 0.01) << network << " " << shortest << " " << share;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Configurations, Follow,
                         testing::Values(FollowCase{"edge-tpu", 8}, FollowCase{"edge-tpu", 28},
                                         FollowCase{"hpc-tpu", 8}, FollowCase{"hpc-tpu", 32}),
                         [](const auto& test) {
                           return fmt::format("{}_{}", std::string(test.param.accelerator).substr(0, 3),
                                              test.param.words);
                         });

TEST(FollowAlone, WithoutANeighborThePlanIsNotCorrected) {
  const Case c = make_case("scalesim/MobileNet", "edge-tpu", 20, Scheme::optimal, 0.02, 0.3);
  const auto alone = [](Seconds now) { return SimulatedAccelerator::Phase{1, now + Seconds{1}}; };
  SimulatedAccelerator plant(c.hardware, c.demands, alone);
  const FollowResult followed = *follow(c.plan, c.hardware, plant, 3, true);
  const auto schedule = plan(c.demands, c.hardware, {.scheme = Scheme::optimal, .slack = 0.02});
  EXPECT_EQ(followed.corrected, 0U);
  EXPECT_NEAR(followed.time.si(), 3 * schedule->simulated.si(), 1e-9 * followed.time.si());
  const Joules once = race_to_idle_energy(c.demands, c.hardware) * schedule->energy_ratio;
  EXPECT_NEAR(plant.energy().si(), 3 * once.si(), 1e-9 * plant.energy().si());
}

// A failing runner: the error is returned, and the clock is restored.
TEST(FollowAlone, ReturnsTheErrorOfTheRunner) {
  class Broken final : public LayerRunner {
   public:
    Result<Seconds> run(std::size_t layer, const LayerSetting&) override {
      if (layer == 2) return fail(Errc::device_lost, "the array has gone");
      return Seconds{1e-4};
    }
    Result<Seconds> finish() override { return ++finished, Seconds{0}; }
    int finished = 0;
  } broken;
  const Case c = make_case("scalesim/MobileNet", "edge-tpu", 20, Scheme::optimal, 0.02);
  const auto followed = follow(c.plan, c.hardware, broken, 3, true);
  ASSERT_FALSE(followed);
  EXPECT_EQ(followed.error().message, "the array has gone");
  EXPECT_EQ(broken.finished, 1);
}

}  // namespace
}  // namespace ergon::allocate
