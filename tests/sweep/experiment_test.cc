#include "sweep/experiment.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/temporary_folder.h"
#include "sweep/clock_choice.h"

namespace ergon::sweep {
namespace {

// Every run takes one second; the `fails_at`-th fails.
class CountingExecutor final : public RunExecutor {
 public:
  const DeviceFacts& facts() const override { return facts_; }
  Result<std::vector<Hertz>> clocks() override {
    ++listed;
    return std::vector<Hertz>{Hertz{500e6}, Hertz{900e6}, Hertz{1300e6}};
  }
  Result<RunRow> run(const Run& run, const std::stop_token&) override {
    if (++begun == fails_at) return fail(Errc::device_lost, "fell off the bus");
    RunRow row;
    row.run = run;
    row.device = facts_.device;
    row.simulated = true;
    row.time = Seconds{1};
    row.valid = run.network != "bad";
    if (!row.valid) row.reasons = {"out_of_memory"};
    return row;
  }

  int begun = 0, fails_at = 0, listed = 0;

 private:
  DeviceFacts facts_{"D", true, "1a2b", 1};
};

Experiment small_experiment() {
  Experiment experiment;
  experiment.grid = {{"good", "bad"}, {Hertz{500e6}, Hertz{900e6}}, 3, 8, Scenario::execution};
  experiment.precision = device::Precision::fp16;
  experiment.seed = 7;
  return experiment;
}

TEST(Experiment, IsDescribedInFull) {
  const auto json = experiment_json(small_experiment(), CountingExecutor().facts());
  EXPECT_EQ(json["simulated"], true);
  const nlohmann::ordered_json expected = {{"device", "D"},
                                           {"model", "1a2b"},
                                           {"networks", {"good", "bad"}},
                                           {"clocks_mhz", {500.0, 900.0}},
                                           {"repetitions", 3},
                                           {"batch", 8},
                                           {"scenario", "execution"},
                                           {"precision", "fp16"},
                                           {"time_seconds", 1.0},
                                           {"warm_up_seconds", 0.2},
                                           {"seed", 7}};
  EXPECT_EQ(json["experiment"], expected);
}

TEST(Experiment, RunsInMemoryWithoutAFolder) {
  CountingExecutor executor;
  std::size_t total = 0, done = 0;
  const auto outcome = run_experiment(small_experiment(), executor, std::nullopt,
                                      {[&](std::size_t runs) { total = runs; }, [&] { ++done; }, {}})
                           .value();
  EXPECT_EQ(total, 12u);
  EXPECT_EQ(done, 12u);
  EXPECT_EQ(outcome.rows.size(), 12u);
  EXPECT_EQ(outcome.summary.runs, 12);
  EXPECT_EQ(outcome.summary.invalid, 6);
  EXPECT_EQ(outcome.facts.device, "D");
}

TEST(Experiment, ContinuesAfterAFailure) {
  const test::TemporaryFolder folder;
  const std::string path = (folder / "sweep").string();
  CountingExecutor failing;
  failing.fails_at = 6;
  const auto failed = run_experiment(small_experiment(), failing, SweepFolder{path, false}, {});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, Errc::device_lost);

  CountingExecutor executor;
  EXPECT_FALSE(run_experiment(small_experiment(), executor, SweepFolder{path, false}, {})) << "no resume";
  const auto outcome = run_experiment(small_experiment(), executor, SweepFolder{path, true}, {}).value();
  EXPECT_EQ(outcome.already_measured, 5);
  EXPECT_EQ(outcome.summary.runs, 7);
  EXPECT_EQ(outcome.rows.size(), 12u);
  Experiment other = small_experiment();
  other.precision = device::Precision::bf16;
  EXPECT_FALSE(run_experiment(other, executor, SweepFolder{path, true}, {})) << "another experiment";
}

TEST(ChosenClocks, TheDefaultClockDoesNotNeedAListOfClocks) {
  CountingExecutor executor;
  EXPECT_EQ(chosen_clocks(DefaultClock{}, executor).value(), std::vector<std::optional<Hertz>>{std::nullopt});
  EXPECT_EQ(executor.listed, 0);
  EXPECT_EQ(chosen_clocks(AllClocks{}, executor).value().size(), 3u);
  EXPECT_EQ(executor.listed, 1);
}

}  // namespace
}  // namespace ergon::sweep
