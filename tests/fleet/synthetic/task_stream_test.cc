#include "fleet/synthetic/task_stream.h"

#include <cmath>
#include <cstdlib>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "base/statistics/moments.h"
#include "fleet/synthetic/random_stream.h"
#include "fleet/synthetic/small_fleet.h"

namespace ergon::fleet::synthetic {
namespace {

std::vector<RenderTask> tasks_of(const FleetPlan& plan, std::uint64_t host) {
  std::vector<RenderTask> tasks;
  TaskStream life(plan, host, 1);
  while (auto task = life.next()) tasks.push_back(*task);
  return tasks;
}

TEST(TaskStream, StepsAreNestedAndTasksDoNotOverlap) {
  const FleetPlan plan = small_plan(1, 5);
  for (std::uint64_t host = 0; host < 20; ++host) {
    Instant free;
    for (const RenderTask& task : tasks_of(plan, host)) {
      ASSERT_GT(task.begin, free);
      ASSERT_LE(task.begin, task.config_begin);
      ASSERT_LT(task.config_begin, task.config_end);
      ASSERT_LE(task.config_end, task.render_begin);
      ASSERT_LT(task.render_begin, task.kernels_begin);
      ASSERT_LT(task.kernels_begin, task.kernels_end);
      ASSERT_LT(task.kernels_end, task.render_end);
      ASSERT_LE(task.render_end, task.upload_begin);
      ASSERT_LT(task.upload_begin, task.tiling_begin);
      ASSERT_LT(task.tiling_begin, task.tiling_end);
      ASSERT_LT(task.tiling_end, task.upload_end);
      ASSERT_LE(task.upload_end, task.end);
      free = task.end;
    }
    EXPECT_LT(free, plan.end());
    EXPECT_GT(free - Instant{}, plan.duration - Seconds{200});
  }
}

TEST(TaskStream, TakesAsLongAsInTheStudy) {
  const FleetPlan plan = small_plan(1, 10);
  statistics::Moments config, render, upload, tiling, idle;
  std::uint64_t late = 0, tasks = 0;
  for (std::uint64_t host = 0; host < 100; ++host) {
    std::optional<Instant> ended;
    for (const RenderTask& task : tasks_of(plan, host)) {
      config.add((task.config_end - task.config_begin).si());
      render.add((task.render_end - task.render_begin).si());
      upload.add((task.upload_end - task.upload_begin).si());
      tiling.add((task.tiling_end - task.tiling_begin).si());
      if (ended) idle.add((task.begin - *ended).si());
      ended = task.end;
      late += task.upload_end - task.upload_begin > Seconds{15};
      ++tasks;
    }
  }
  EXPECT_NEAR(*config.mean(), 2.5e-3, 0.2e-3);
  EXPECT_NEAR(*render.mean(), 39.4, 1.5);  // of the study's faster half
  EXPECT_NEAR(*upload.mean(), 1.39, 0.1);
  EXPECT_NEAR(*tiling.mean(), 0.973, 0.01);
  EXPECT_NEAR(*idle.mean(), 2.39, 0.1);
  EXPECT_NEAR(static_cast<double>(late) / static_cast<double>(tasks), 0.016, 0.004);
}

TEST(TaskStream, TasksDoNotDependOnTheDurationOfThePlan) {
  const auto brief = tasks_of(small_plan(1, 1), 7), longer = tasks_of(small_plan(1, 2), 7);
  ASSERT_LT(brief.size(), longer.size());
  for (std::size_t i = 0; i < brief.size(); ++i) EXPECT_EQ(brief[i].end, longer[i].end);
}

TEST(TaskStream, SlowerGpusTakeLonger) {
  TaskStream nominal(small_plan(1, 1), 3, 1), slow(small_plan(1, 1), 3, 1.2);
  const RenderTask first = *nominal.next(), same = *slow.next();
  EXPECT_EQ(first.kernels_begin, same.kernels_begin);
  EXPECT_NEAR(((same.kernels_end - same.kernels_begin) / (first.kernels_end - first.kernels_begin)).si(), 1.2,
              1e-3);
}

TEST(HostTraits, HaveTheSharesOfTheStudy) {
  constexpr int kHosts = 200'000;
  int slow = 0, doubled = 0, two_loggers = 0, skewed = 0;
  for (std::uint64_t host = 0; host < kHosts; ++host) {
    const HostTraits traits = traits_of(11, host);
    slow += traits.slow;
    doubled += traits.doubled;
    two_loggers += traits.two_loggers;
    skewed += traits.skewed;
    EXPECT_FALSE(traits.doubled && traits.two_loggers);
  }
  // Five standard deviations of the count.
  const auto near = [](int count, double share) {
    const double expected = share * kHosts;
    return std::abs(count - expected) < 5 * std::sqrt(expected);
  };
  EXPECT_TRUE(near(slow, 526.0 / 1024)) << slow;
  EXPECT_TRUE(near(doubled, 4.0 / 1024)) << doubled;
  EXPECT_TRUE(near(two_loggers, 5.0 / 1024)) << two_loggers;
  EXPECT_TRUE(near(skewed, 0.01)) << skewed;
}

TEST(FleetTiles, AreUniqueAndOneIn256IsOfLevelEight) {
  std::set<std::tuple<int, std::int64_t, std::int64_t>> sensor_power;
  std::size_t eights = 0, fours = 0, tasks = 0;
  for (std::uint64_t host = 0; host < 1030; ++host) {
    for (std::uint64_t task = 0; task < 130; ++task, ++tasks) {
      const Tile tile = tile_of(host, task);
      EXPECT_TRUE(sensor_power.emplace(tile.level, tile.x, tile.y).second);
      eights += tile.level == 8;
      fours += tile.level == 4;
    }
  }
  EXPECT_EQ(fours, 1u);
  EXPECT_NEAR(static_cast<double>(eights) / static_cast<double>(tasks), 1.0 / 256, 2e-4);
}

TEST(FleetTiles, NeighborsAreSimilar) {
  statistics::Moments between_neighbors, all;
  for (std::int64_t y = 0; y < 256; ++y) {
    for (std::int64_t x = 0; x < 255; ++x) {
      const double here = content_of({12, x, y}, 5), beside = content_of({12, x + 1, y}, 5);
      EXPECT_GT(here, 0.3);
      EXPECT_LT(here, 2);
      all.add(here);
      between_neighbors.add(here - beside);
    }
  }
  EXPECT_NEAR(*all.mean(), 1, 0.08);
  EXPECT_LT(*between_neighbors.standard_deviation(), *all.standard_deviation() / 2);
}

TEST(RandomStream, MatchesPublishedSplitMix64) {
  // The published first number of SplitMix64 with seed 1234567.
  EXPECT_EQ(RandomStream::mix(1234567 + 0x9e3779b97f4a7c15), 6457827717110365317u);
  RandomStream random(1, Purpose::task, 2, 3);
  const std::uint64_t first = random.bits();
  EXPECT_EQ(first, RandomStream(1, Purpose::task, 2, 3).bits());
  std::set<std::uint64_t> others{first};
  for (std::uint64_t i = 0; i < 1000; ++i) others.insert(RandomStream(1, Purpose::task, 2, 4 + i).bits());
  EXPECT_EQ(others.size(), 1001u);
  statistics::Moments approximate_normal;
  for (int i = 0; i < 100'000; ++i) approximate_normal.add(random.approximate_normal());
  EXPECT_NEAR(*approximate_normal.mean(), 0, 0.02);
  EXPECT_NEAR(*approximate_normal.standard_deviation(), 1, 0.02);
}

}  // namespace
}  // namespace ergon::fleet::synthetic
