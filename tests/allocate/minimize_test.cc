// The optimizer against exhaustive search.

#include "allocate/minimize.h"

#include <limits>
#include <optional>

#include <gtest/gtest.h>

#include "allocate/arada_networks.h"
#include "allocate/choices.h"
#include "allocate/plan.h"
#include "base/random.h"

namespace ergon::allocate {
namespace {

// The lowest energy of all combinations within the budget, from the definition of the problem.
std::optional<double> least_by_trying(const Problem& problem) {
  std::optional<double> least;
  std::vector<std::uint32_t> choices(problem.layers.size(), 0);
  for (;;) {
    double time = 0, energy = 0;
    std::uint32_t clock = problem.top;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      const LayerChoice& choice = problem.layers[i][choices[i]];
      const bool changes = clock != LayerChoice::kAnywhere && clock != choice.enters;
      time += (changes ? choice.time_after_switch : choice.time).si();
      energy += (changes ? choice.energy_after_switch : choice.energy).si();
      if (changes) energy += problem.switch_energy.si();
      clock = choice.leaves;
    }
    if (clock != LayerChoice::kAnywhere && clock != problem.top) {
      time += problem.switch_time.si();
      energy += problem.switch_energy.si();
    }
    if (time <= problem.budget.si() * (1 + 1e-12) && (!least || energy < *least)) least = energy;
    std::size_t at = 0;
    while (at < choices.size() && ++choices[at] == problem.layers[at].size()) choices[at++] = 0;
    if (at == choices.size()) return least;
  }
}

Problem random_problem(Random& random) {
  Problem problem;
  problem.levels = 2 + static_cast<std::uint32_t>(random.below(3));
  problem.top = problem.levels - 1;
  problem.switch_time = Seconds{random.uniform()};
  problem.switch_energy = Joules{random.below(2) == 0 ? random.uniform() : 1e-3 * random.uniform()};
  double fastest = 0, slowest = 0;
  const std::size_t layers = 1 + random.below(6);
  const bool close = random.below(2) == 0;  // nearly equal energies
  for (std::size_t i = 0; i < layers; ++i) {
    std::vector<LayerChoice> choices;
    double quickest = 1e9, longest = 0;
    for (std::uint32_t level = 0; level < problem.levels; ++level) {
      for (std::uint64_t variants = 1 + random.below(2); variants > 0; --variants) {
        LayerChoice choice{.enters = level, .leaves = level};
        if (random.below(4) == 0) choice.leaves = problem.top;
        if (random.below(8) == 0) choice.leaves = LayerChoice::kAnywhere;
        // Integers cause ties, which also occur in practice: equal layers, equal levels.
        const double time =
            static_cast<double>(1 + random.below(8)) * (random.below(2) == 0 ? 1 : random.uniform() + 0.1);
        choice.time = Seconds{time};
        choice.time_after_switch = Seconds{time + random.uniform()};
        choice.energy = close
                            ? Joules{1 + 1e-3 * random.uniform()}
                            : Joules{static_cast<double>(1 + random.below(9)) + 4 * level * random.uniform()};
        choice.energy_after_switch = choice.energy + Joules{0.1 * random.uniform()};
        quickest = std::min(quickest, time);
        longest = std::max(longest, time);
        choices.push_back(choice);
      }
    }
    fastest += quickest;
    slowest += longest;
    problem.layers.push_back(std::move(choices));
  }
  problem.budget = Seconds{fastest + (slowest - fastest) * 1.2 * random.uniform()};
  return problem;
}

TEST(Minimize, EqualsExhaustiveSearchOnRandomProblems) {
  Random random(21);
  int solved = 0, infeasible = 0, gaps = 0;
  for (int i = 0; i < 2000; ++i) {
    const Problem problem = random_problem(random);
    const auto least = least_by_trying(problem);
    const auto found = minimize_energy(problem);
    ASSERT_EQ(static_cast<bool>(found), least.has_value()) << "problem " << i;
    if (!least) {
      ++infeasible;
      continue;
    }
    ++solved;
    EXPECT_TRUE(found->exact);
    EXPECT_NEAR(found->path.energy.si(), *least, 1e-9 * *least) << "problem " << i;
    EXPECT_NEAR(found->lower_bound.si(), *least, 1e-9 * *least) << "problem " << i;
    EXPECT_LE(found->dual_bound.si(), *least * (1 + 1e-9));
    EXPECT_LE(found->path.time.si(), problem.budget.si() * (1 + 1e-9));
    const Path again = path_of(problem, found->path.choices);
    EXPECT_EQ(again.energy, found->path.energy);
    gaps += found->dual_bound.si() < *least * (1 - 1e-6) ? 1 : 0;
  }
  // All three kinds must occur for the test to be meaningful.
  EXPECT_GT(solved, 1000);
  EXPECT_GT(infeasible, 10);
  EXPECT_GT(gaps, 300);
}

// With very few labels the bound still holds and the schedule still fits.
TEST(Minimize, ATruncatedSearchReportsAValidBound) {
  Random random(22);
  int cut = 0;
  for (int i = 0; i < 2000; ++i) {
    const Problem problem = random_problem(random);
    const auto least = least_by_trying(problem);
    const auto found = minimize_energy(problem, {.labels = 1});
    ASSERT_EQ(static_cast<bool>(found), least.has_value());
    if (!least) continue;
    EXPECT_LE(found->lower_bound.si(), *least * (1 + 1e-9)) << "problem " << i;
    EXPECT_GE(found->lower_bound.si(), found->dual_bound.si() * (1 - 1e-9)) << "problem " << i;
    EXPECT_GE(found->path.energy.si(), *least * (1 - 1e-9)) << "problem " << i;
    EXPECT_LE(found->path.time.si(), problem.budget.si() * (1 + 1e-9)) << "problem " << i;
    if (found->exact) {
      EXPECT_NEAR(found->path.energy.si(), *least, 1e-9 * *least) << "problem " << i;
    } else {
      ++cut;
    }
  }
  EXPECT_GT(cut, 50);
}

// The nine networks, eight layers and four levels each, on all eleven configurations, with and without slack.
TEST(Minimize, EqualsExhaustiveSearchOnNetworks) {
  int binding = 0;
  for (const char* const name : {"edge-tpu", "hpc-tpu"}) {
    const auto accelerator = systolic::find_accelerator(name);
    for (const auto& [memory, words] : accelerator->calibrated_words_per_cycle) {
      Hardware hardware = arada_hardware(name, static_cast<double>(words));
      hardware.clock_step = hardware.clock / 4;
      const double slack = words % 3 == 0 ? 0 : words % 3 == 1 ? 0.02 : 0.05;
      for (const std::string& network : kAradaNetworks) {
        auto demands = demands_of_network(network, hardware);
        demands.resize(8);
        const Seconds budget = race_to_idle_time(demands, hardware.clock) * (1 + slack);
        const SimulatedTimes times(hardware);
        const Choices choices = choices_of(demands, hardware, times, all_levels(hardware), budget);
        ASSERT_EQ(choices.problem.levels, 4U);
        const auto found = minimize_energy(choices.problem);
        ASSERT_TRUE(found);
        const auto least = least_by_trying(choices.problem);
        ASSERT_TRUE(least);
        EXPECT_NEAR(found->path.energy.si(), *least, 1e-12 * *least) << network << " " << memory;
        EXPECT_TRUE(found->exact);
        binding += found->path.energy > found->dual_bound ? 1 : 0;
      }
    }
  }
  EXPECT_GT(binding, 20);
}

TEST(Minimize, FailsIfNoScheduleFits) {
  Problem problem{.layers = {{LayerChoice{0, 0, Seconds{2}, Seconds{2}, Joules{1}, Joules{1}}}},
                  .budget = Seconds{1}};
  const auto found = minimize_energy(problem);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "the fastest schedule takes 2 s; 1 s are allowed");
}

}  // namespace
}  // namespace ergon::allocate
