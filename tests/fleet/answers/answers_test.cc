#include "fleet/answers/answers.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "fleet/fleet_files.h"

namespace ergon::fleet {
namespace {

using test::FleetFiles;

const Finding* finding(const FleetAnswers& answers, std::string_view id) {
  for (const Finding& each : answers.findings) {
    if (each.id == id) return &each;
  }
  return nullptr;
}

// Hosts with tasks of 40 s and a little noise, one after another, work from the tenth second on.
struct FleetShape {
  int hosts = 20, tasks = 12;
  double slow_by = 0;  // of the second half of the hosts
  double noise = 0.5;  // of tasks, in seconds
  int skewed = -1;     // this host's samplers run ahead
  double skew = 0;
  int slow_host = -1;  // this one takes a quarter longer
  int straggler = -1;  // this host's last task takes ten times as long
};

FleetFiles fleet_of(const FleetShape& shape) {
  FleetFiles files;
  Random random(7);
  for (int host = 0; host < shape.hosts; ++host) {
    const std::string name = fmt::format("h{:02}", host);
    const bool slow = host >= shape.hosts / 2;
    std::int64_t at = 1'000;
    for (int task = 0; task < shape.tasks; ++task) {
      double seconds = 40 * (1 + (slow ? shape.slow_by : 0)) + shape.noise * random.normal();
      if (host == shape.slow_host) seconds *= 1.25;
      if (host == shape.straggler && task + 1 == shape.tasks) seconds *= 10;
      const auto length = static_cast<std::int64_t>(seconds * 1e3);
      files.event(at, at + length, name, "Whole", fmt::format("{}-{}", name, task));
      const auto ahead = static_cast<std::int64_t>(host == shape.skewed ? shape.skew * 1e3 : 0);
      const auto phase = static_cast<std::int64_t>(random.uniform() * 2'000);
      for (std::int64_t t = at + phase; t < at + length + 4'000; t += 2'000) {
        const bool busy = t >= at + 10'000 && t < at + length - 4'000;
        files.sample(t + ahead, name,
                     busy ? fmt::format("200,60,90,{}", slow && shape.slow_by > 0 ? 50 : 40) : "40,40,0,0");
      }
      at += length + 4'000;
    }
  }
  return files;
}

TEST(Answers, FindsTwoPopulationsAndWhatTheyCost) {
  FleetShape shape;
  shape.slow_by = 0.1;
  const FleetAnswers answers = answers_of(fleet_of(shape).tally());
  ASSERT_EQ(answers.populations.groups.size(), 2U);
  EXPECT_EQ(answers.populations.groups[0].gpus, 10U);
  EXPECT_NEAR(answers.populations.groups[0].task_seconds, 40, 0.3);
  EXPECT_NEAR(answers.populations.groups[1].task_seconds, 44, 0.3);
  EXPECT_GT(answers.populations.separation, 2);
  const Finding* slow = finding(answers, "slow_population");
  ASSERT_NE(slow, nullptr);
  // Four seconds more of 200 W for each of 120 tasks.
  EXPECT_NEAR(slow->saving_energy->si(), 120 * 4 * 200, 5000);
  EXPECT_NEAR(slow->saving_time->si(), 120 * 4, 30);
  // Between the groups memory goes with duration; within them it does not vary.
  EXPECT_GT(answers.correlations[3].pooled.value_or(0), 0.9);
}

TEST(Answers, OnePopulationIsOne) {
  const FleetAnswers answers = answers_of(fleet_of({}).tally());
  EXPECT_EQ(answers.populations.groups.size(), 1U);
  EXPECT_FALSE(answers.populations.clear);
  EXPECT_EQ(finding(answers, "slow_population"), nullptr);
  EXPECT_EQ(finding(answers, "skew"), nullptr);
  EXPECT_EQ(finding(answers, "busy_outside"), nullptr);
}

TEST(Answers, SeesClocksThatDisagree) {
  for (const double seconds : {6.0, -5.0}) {
    FleetShape shape;
    shape.skewed = 3;
    shape.skew = seconds;
    const FleetAnswers answers = answers_of(fleet_of(shape).tally());
    ASSERT_NE(finding(answers, "skew"), nullptr) << seconds;
    for (const HostAnswer& host : answers.host_list) {
      EXPECT_EQ(host.skew.has_value(), host.name == "h03") << host.name;
      EXPECT_NEAR(host.skew.value_or(Seconds{seconds}).si(), seconds, 1) << host.name;
    }
  }
}

// A minute and a half is more than can be told. (Tasks that are all alike would hide it: a clock that is off
// by a whole task looks right.)
TEST(Answers, AClockThatIsFarOffIsNamedWithoutAnAmount) {
  FleetShape shape;
  shape.skewed = 3;
  shape.skew = 98;
  shape.noise = 8;
  shape.tasks = 40;
  const FleetAnswers answers = answers_of(fleet_of(shape).tally());
  EXPECT_NE(finding(answers, "skew_unclear"), nullptr);
  for (const HostAnswer& host : answers.host_list) {
    EXPECT_FALSE(host.skew) << host.name;
    EXPECT_EQ(host.skew_unclear, host.name == "h03") << host.name;
  }
}

TEST(Answers, AHostThatIsSlowAmongItsLikeIsAnOutlier) {
  FleetShape shape;
  shape.slow_host = 4;
  const FleetAnswers answers = answers_of(fleet_of(shape).tally());
  const Finding* slow = finding(answers, "slow_hosts");
  ASSERT_NE(slow, nullptr);
  EXPECT_NE(slow->detail.find("1 host, h04 first"), std::string::npos) << slow->detail;
  for (const HostAnswer& host : answers.host_list)
    EXPECT_EQ(host.z.value_or(0) > 3.5, host.name == "h04") << host.name;
}

// Between 100 and 200 W, 2 s apart, 200 J to 400 J may have gone by: a uniform share.
TEST(Answers, EnergySaysWhatMayHaveHappenedBetweenSamples) {
  FleetFiles files;
  files.sample(0, "h", "100,50,50,30");
  files.sample(2'000, "h", "200,50,50,30");
  files.event(0, 2'000, "h", "Work");
  const FleetAnswers answers = answers_of(files.tally());
  EXPECT_DOUBLE_EQ(answers.events[0].energy.si(), 300);
  EXPECT_NEAR(answers.events[0].energy_sigma.si(), 100 * 2 / std::sqrt(12.0), 1e-9);
}

TEST(Answers, NamesStragglersAndWhatTheyCost) {
  FleetShape shape;
  shape.straggler = 5;
  const FleetAnswers answers = answers_of(fleet_of(shape).tally());
  ASSERT_EQ(answers.stragglers.size(), 1U);
  EXPECT_EQ(answers.stragglers[0].event.task, "h05-11");
  EXPECT_NEAR(answers.stragglers[0].times_median, 10, 0.5);
  const Finding* late = finding(answers, "stragglers");
  ASSERT_NE(late, nullptr);
  EXPECT_NEAR(late->saving_time->si(), 360, 10);
}

TEST(Answers, TheNearestSampleMisleadsAndIsSaidTo) {
  const FleetAnswers answers = answers_of(fleet_of({}).tally());
  ASSERT_EQ(answers.events.size(), 1U);
  EXPECT_DOUBLE_EQ(*answers.events[0].nearest[2], 0);
  EXPECT_DOUBLE_EQ(*answers.events[0].nearest_unused, 1);
  EXPECT_GT(answers.events[0].interval[2]->value, 50);
  EXPECT_NE(finding(answers, "nearest_misleads"), nullptr);
}

TEST(Answers, SaysWhyRowsHaveNoPartner) {
  FleetFiles files;
  files.row(0, "a", "Work", "START", "crosses");
  files.row(5'000, "b", "Work", "STOP", "crosses");
  files.row(1'000, "a", "Work", "STOP", "no start");
  files.row(2'000, "a", "Work", "START", "no stop");
  files.event(3'000, 4'000, "a", "Work", "fine");
  files.row(9'000, "b", "Work", "START", "runs");
  const FleetAnswers answers = answers_of(files.tally());
  EXPECT_EQ(answers.paired, 1U);
  EXPECT_EQ(answers.unpaired.cross_hosts, 1U);
  EXPECT_EQ(answers.unpaired.start_missing, 1U);
  EXPECT_EQ(answers.unpaired.stop_missing, 1U);
  EXPECT_EQ(answers.unpaired.still_running, 1U);
  EXPECT_EQ(answers.unpaired.rows(), 5U);
  EXPECT_EQ(answers.tasks, 5U);
  EXPECT_NE(finding(answers, "unpaired"), nullptr);
}

TEST(Answers, AnEmptyJoinIsExplained) {
  FleetFiles files;
  files.event(0, 60'000, "h", "Work");
  for (const char* second : {"00", "20", "40", "59"})
    files.samples.push_back(fmt::format("2018-11-08 09:00:{},h,1,GPU-a,100,50,50,30", second));
  const FleetAnswers answers = answers_of(files.tally());
  const Finding* empty = finding(answers, "empty_join");
  ASSERT_NE(empty, nullptr);
  EXPECT_NE(empty->detail.find("Times of samples name no zone: one 2:00 further ahead of UTC"),
            std::string::npos)
      << empty->detail;
  EXPECT_FALSE(answers.events[0].interval[0]);
  EXPECT_FALSE(answers.events[0].nearest[0]);
  EXPECT_FALSE(answers.events[0].energy_each);
  // Nothing is known of the events' energy, so there is nothing to save.
  EXPECT_EQ(finding(answers, "idle_outside"), nullptr);
}

// Where GPUs of a host vanish, what is left of their events is in no mean.
TEST(Answers, PartsOfEventsAreInNoMean) {
  FleetFiles files;
  files.steady(0, 110'000, 2'000, "h", 100);
  files.event(0, 50'000, "h", "Work", "a");
  files.event(100'000, 200'000, "h", "Work", "b");
  const FleetAnswers answers = answers_of(files.tally());
  EXPECT_EQ(answers.events[0].part_covered, 1U);
  EXPECT_DOUBLE_EQ(answers.events[0].energy_each->si(), 5000);
  EXPECT_DOUBLE_EQ(answers.events[0].energy.si(), 6000);
  EXPECT_NE(finding(answers, "partly_sampled"), nullptr);

  FleetFiles two;
  for (int i = 0; i <= 50; ++i) {
    two.sample(i * 2'000, "h", "100,50,50,30", "GPU-0");
    if (i < 26) two.sample(i * 2'000, "h", "100,50,50,30", "GPU-1");
  }
  two.event(10'000, 40'000, "h", "Work", "a");
  two.event(60'000, 90'000, "h", "Work", "b");
  const FleetAnswers vanished = answers_of(two.tally());
  EXPECT_DOUBLE_EQ(vanished.events[0].interval[0]->value, 200);
  EXPECT_DOUBLE_EQ(vanished.events[0].energy_each->si(), 6000);
  EXPECT_EQ(vanished.events[0].part_covered, 1U);
}

// Twenty steps at the same moments on many hosts, without names of tasks: which are kept is no matter of
// chance.
TEST(Answers, EqualStragglersAreKeptInOneOrder) {
  FleetFiles files;
  for (int host = 0; host < 60; ++host) {
    for (int step = 0; step < 4; ++step)
      files.event(step * 100'000, step * 100'000 + (step == 3 ? 90'000 : 1'000), fmt::format("h{:02}", host),
                  "Work", "");
  }
  const Tally tally = files.tally();
  std::reverse(files.checkpoints.begin(), files.checkpoints.end());
  EXPECT_EQ(files.tally().longest, tally.longest);
  ASSERT_EQ(tally.longest.size(), kLongestKept);
}

TEST(Answers, AGpuThatVanishesIsNamed) {
  FleetFiles files;
  files.steady(0, 60'000, 2'000, "h", 100);
  files.event(1'000, 50'000, "h", "Work", "a");
  files.event(200'000, 300'000, "h", "Work", "b");
  const FleetAnswers answers = answers_of(files.tally());
  EXPECT_NE(finding(answers, "vanished"), nullptr);
  EXPECT_EQ(answers.events[0].uncovered, 1U);
  EXPECT_DOUBLE_EQ(answers.events[0].energy_each->si(), 4900);
}

TEST(Answers, OtherMeansOfGpusCanBeGiven) {
  FleetFiles files;
  std::vector<GpuMeans> means;
  for (int host = 0; host < 10; ++host) {
    const std::string name = fmt::format("h{}", host);
    files.event(0, 1'000 * (host + 1), name, "Work", name);
    means.push_back({name, fmt::format("GPU-{}", host), {1.0 * host, 5.0, -1.0 * host, std::nullopt}});
  }
  const FleetAnswers answers = answers_of(files.tally(), means);
  EXPECT_NEAR(*answers.correlations[0].pooled, 1, 1e-12);
  EXPECT_FALSE(answers.correlations[1].pooled);
  EXPECT_NEAR(*answers.correlations[2].pooled, -1, 1e-12);
}

}  // namespace
}  // namespace ergon::fleet
