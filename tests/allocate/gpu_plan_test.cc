// Schedules for GPUs: against exhaustive search, against direct sums, and against each other.

#include "allocate/gpu/gpu_plan.h"

#include <algorithm>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "allocate/gpu_works.h"

namespace ergon::allocate {
namespace {

using namespace literals;

GpuSchedule planned(const GpuWork& work, GpuScheme scheme, double slack, Seconds switch_time) {
  return plan(work, scheme, {.slack = slack, .switch_time = switch_time, .limits = {}}).value();
}

// The lowest energy of all combinations of clocks within the budget, around the ring.
double least_by_trying(const GpuWork& work, const graph::Network& network, double budget,
                       Seconds switch_time) {
  const std::size_t steps = work.steps().size(), clocks = work.clocks().size();
  // The cost of a step does not depend on the others: tabulated, and checked against the twin.
  std::vector<std::vector<StepCost>> alone(clocks);
  for (std::size_t level = 0; level < clocks; ++level) {
    for (std::size_t step = 0; step < steps; ++step) alone[level].push_back(work.at_level(step, level));
    const StepCost sum = added_up(work, network, std::vector<Hertz>(steps, work.clocks()[level]), Seconds{0});
    StepCost mine;
    for (const StepCost& cost : alone[level]) mine.time += cost.time, mine.energy += cost.energy;
    EXPECT_NEAR(mine.time.si(), sum.time.si(), 1e-12 * sum.time.si());
    EXPECT_NEAR(mine.energy.si(), sum.energy.si(), 1e-12 * sum.energy.si());
  }
  double least = std::numeric_limits<double>::infinity();
  std::vector<std::size_t> levels(steps, 0);
  for (;;) {
    double time = 0, energy = 0, changes = 0;
    for (std::size_t i = 0; i < steps; ++i) {
      time += alone[levels[i]][i].time.si();
      energy += alone[levels[i]][i].energy.si();
      changes += levels[i] == levels[(i + steps - 1) % steps] ? 0 : 1;
    }
    time += changes * switch_time.si();
    energy += changes * switch_time.si() * work.switch_power().si();
    if (time <= budget * (1 + 1e-12)) least = std::min(least, energy);
    std::size_t at = 0;
    while (at < steps && ++levels[at] == clocks) levels[at++] = 0;
    if (at == steps) return least;
  }
}

TEST(GpuPlan, OptimalEqualsExhaustiveSearch) {
  const auto network = tiny_network();
  int changed = 0, locked = 0;
  for (const char* const gpu : {"a100-sxm-80", "v100"}) {
    for (const graph::Mode mode : {graph::Mode::inference, graph::Mode::training}) {
      const Hertz step = mode == graph::Mode::training ? 600_MHz : 300_MHz;
      const GpuWork work = work_on(gpu, network, {.batch = 64, .mode = mode, .clock_step = step});
      ASSERT_LE(work.clocks().size(), 5U);
      ASSERT_GE(work.clocks().size(), 3U);
      for (const double slack : {0.0, 0.02, 0.1, 0.5}) {
        for (const Seconds switch_time : {0_s, 1_us, 20_us, 20_ms}) {
          const Seconds budget = budget_of(work, slack);
          const GpuSchedule found = planned(work, GpuScheme::optimal, slack, switch_time);
          const double least = least_by_trying(work, network, budget.si(), switch_time);
          EXPECT_NEAR(found.energy.si(), least, 1e-9 * least)
              << gpu << " slack " << slack << " change " << switch_time.si();
          EXPECT_LE(found.time.si(), budget.si() * (1 + 1e-9));
          ASSERT_TRUE(found.lower_bound);
          EXPECT_NEAR(found.lower_bound->si(), least, 1e-9 * least);
          (found.switches > 0 ? changed : locked) += 1;
        }
      }
    }
  }
  // Both kinds must occur for the test to be meaningful.
  EXPECT_GT(changed, 5);
  EXPECT_GT(locked, 5);
}

struct GpuCase {
  const char* gpu;
  const char* network;
  graph::Mode mode;
};
const std::vector<GpuCase> kGpuCases = {
    {"a100-sxm-80", "resnet50", graph::Mode::inference},
    {"v100", "mobilenet_v2", graph::Mode::training},
    {"h200", "vit_b_16", graph::Mode::inference},
};

// Schemes that guarantee the time of race to idle plus slack.
const std::set<GpuScheme> kWithinBudget{GpuScheme::race_to_idle, GpuScheme::one_clock, GpuScheme::greedy,
                                        GpuScheme::optimal};

TEST(GpuPlan, SchedulesMatchDirectSumsMeetTheirBudgetAndImproveOnEachOther) {
  for (const GpuCase& c : kGpuCases) {
    const auto network = zoo_network(c.network);
    const GpuWork work = work_on(c.gpu, network, {.batch = 32, .mode = c.mode});
    for (const double slack : {0.0, 0.02, 0.1}) {
      for (const Seconds switch_time : {0_s, 5_us, 20_ms}) {
        const double budget = budget_of(work, slack).si();
        std::vector<GpuSchedule> all;
        for (const GpuScheme scheme : all_gpu_schemes()) {
          all.push_back(planned(work, scheme, slack, switch_time));
          const GpuSchedule& each = all.back();
          const std::string which = std::string(c.network) + " " + std::string(name_of(scheme));
          const StepCost sum =
              added_up(work, network, each.clocks, scheme == GpuScheme::ideal ? 0_s : switch_time);
          EXPECT_NEAR(each.time.si(), sum.time.si(), 1e-10 * sum.time.si()) << which;
          EXPECT_NEAR(each.energy.si(), sum.energy.si(), 1e-10 * sum.energy.si()) << which;
          if (kWithinBudget.contains(scheme)) {
            EXPECT_LE(each.time.si(), budget * (1 + 1e-9)) << which;
          }
          for (const Hertz clock : each.clocks) {
            EXPECT_GE(clock, work.gpu().core.min);
            EXPECT_LE(clock, work.top());
          }
        }
        const auto energy = [&](GpuScheme scheme) {
          return all[static_cast<std::size_t>(scheme)].energy.si();
        };
        const double best = energy(GpuScheme::optimal) * (1 - 1e-12);
        EXPECT_LE(best, energy(GpuScheme::one_clock));
        EXPECT_LE(best, energy(GpuScheme::greedy));
        EXPECT_LE(energy(GpuScheme::one_clock), energy(GpuScheme::race_to_idle));
        EXPECT_LE(all.back().lower_bound->si(), all.back().energy.si());
      }
    }
  }
}

TEST(GpuPlan, OneClockIsTheBestSingleClockWithinTheBudget) {
  const GpuWork work = work_on("a100-sxm-80", zoo_network("resnet50"), {.batch = 32});
  const double budget = budget_of(work, 0.05).si();
  const GpuSchedule found = planned(work, GpuScheme::one_clock, 0.05, 20_ms);
  EXPECT_EQ(found.switches, 0U);
  int cheaper_and_late = 0;
  for (const Hertz clock : work.clocks()) {
    const GpuSchedule other =
        evaluate(work, GpuScheme::one_clock, std::vector<Hertz>(work.steps().size(), clock), 20_ms);
    if (other.time.si() <= budget) {
      EXPECT_GE(other.energy.si(), found.energy.si() * (1 - 1e-12));
    } else {
      cheaper_and_late += other.energy < found.energy ? 1 : 0;
    }
  }
  EXPECT_GT(cheaper_and_late, 0);
}

// Clocks at twice the distance are a subset, and a longer switch time allows no schedule that a shorter one
// does not.
TEST(GpuPlan, MoreChoicesNeverCostMore) {
  const auto network = tiny_network();
  for (const char* const gpu : {"a100-sxm-80", "v100"}) {
    Joules before{std::numeric_limits<double>::infinity()};
    for (const Hertz step : {480_MHz, 240_MHz, 120_MHz, 60_MHz}) {
      const GpuWork work = work_on(gpu, network, {.batch = 64, .clock_step = step});
      const GpuSchedule found = planned(work, GpuScheme::optimal, 0.05, 0_s);
      EXPECT_LE(found.energy, before * (1 + 1e-9)) << gpu << " " << step.si();
      before = found.energy;
    }
    const GpuWork work = work_on(gpu, network, {.batch = 64, .clock_step = 120_MHz});
    before = Joules{0};
    for (const Seconds switch_time : {0_s, 100_ns, 1_us, 5_us, 20_us, 100_us, 20_ms}) {
      const GpuSchedule found = planned(work, GpuScheme::optimal, 0.05, switch_time);
      EXPECT_GE(found.energy, before * (1 - 1e-9)) << gpu << " " << switch_time.si();
      before = found.energy;
    }
    before = Joules{std::numeric_limits<double>::infinity()};
    for (const double slack : {0.0, 0.01, 0.05, 0.2, 1.0}) {
      const GpuSchedule found = planned(work, GpuScheme::optimal, slack, 1_us);
      EXPECT_LE(found.energy, before * (1 + 1e-9)) << gpu << " " << slack;
      before = found.energy;
    }
  }
}

TEST(GpuPlan, AradaSchemesLowerTheClockOfMemoryBoundOperations) {
  const GpuWork work = work_on("a100-sxm-80", zoo_network("resnet50"), {.batch = 64});
  const Seconds switch_time = 50_us;
  const GpuSchedule ideal = planned(work, GpuScheme::ideal, 0, switch_time);
  const GpuSchedule honest = planned(work, GpuScheme::vf_oh, 0, switch_time);
  const GpuSchedule levels = planned(work, GpuScheme::vf_oh_q, 0, switch_time);
  int lowered = 0, left_alone = 0;
  for (std::size_t step = 0; step < work.steps().size(); ++step) {
    const Seconds at_top = work.at(step, work.top()).time;
    EXPECT_LE(work.at(step, ideal.clocks[step]).time.si(), at_top.si() * (1 + kNoLonger) * (1 + 1e-12));
    if (work.steps()[step].bound != device::Bound::memory) {
      EXPECT_EQ(ideal.clocks[step], work.top());
      continue;
    }
    const bool long_enough = at_top > switch_time;
    EXPECT_EQ(honest.clocks[step], long_enough ? ideal.clocks[step] : work.top());
    (long_enough ? lowered : left_alone) += 1;
    EXPECT_GE(levels.clocks[step], honest.clocks[step]);
    EXPECT_LT(levels.clocks[step] - honest.clocks[step], work.gpu().core.step);
    EXPECT_NE(std::find(work.clocks().begin(), work.clocks().end(), levels.clocks[step]),
              work.clocks().end());
  }
  EXPECT_GT(lowered, 0);
  EXPECT_GT(left_alone, 0);
  // With a switch longer than every operation, no clock is lowered.
  EXPECT_EQ(planned(work, GpuScheme::vf_oh, 0, 1_s).clocks,
            planned(work, GpuScheme::race_to_idle, 0, 1_s).clocks);
}

TEST(GpuPlan, ClockRunsSplitTheScheduleAtSwitches) {
  const GpuWork work = work_on("a100-sxm-80", zoo_network("resnet50"), {.batch = 64});
  const GpuSchedule schedule = planned(work, GpuScheme::vf_oh_q, 0, 1_us);
  std::size_t next = 0;
  Seconds time;
  const auto runs = clock_runs(work, schedule);
  for (const ClockRun& run : runs) {
    EXPECT_EQ(run.first, next);
    for (std::size_t i = 0; i < run.count; ++i) EXPECT_EQ(schedule.clocks[next + i], run.clock);
    next += run.count;
    time += run.time;
  }
  EXPECT_EQ(next, work.steps().size());
  const Seconds changing = 1_us * static_cast<double>(schedule.switches);
  EXPECT_NEAR((time + changing).si(), schedule.time.si(), 1e-12);
  const bool wraps = schedule.clocks.front() != schedule.clocks.back();
  EXPECT_EQ(schedule.switches, runs.size() - 1 + (wraps ? 1 : 0));
}

TEST(GpuScheme, NamesRoundTrip) {
  for (const GpuScheme scheme : all_gpu_schemes()) EXPECT_EQ(gpu_scheme_of(name_of(scheme)).value(), scheme);
  EXPECT_EQ(gpu_scheme_of("optimal-split").error().message,
            "optimal-split is for arrays: a GPU kernel runs at one clock; use optimal");
  EXPECT_EQ(gpu_scheme_of("One-Clock").value(), GpuScheme::one_clock);
  EXPECT_EQ(gpu_scheme_of("best").error().kind, Errc::unknown_name);
}

}  // namespace
}  // namespace ergon::allocate
