// Evaluations of published sweeps, if ../shared exists.

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "sweep/evaluation/evaluation.h"
#include "sweep/evaluation/observation_table.h"
#include "table/csv/read.h"

namespace ergon::sweep {
namespace {

std::filesystem::path published(const char* name) {
  return std::filesystem::path(ERGON_REPOSITORY) / "../shared/data/gpu" / name;
}

Result<Observations> read_published(const std::filesystem::path& file,
                                    const std::vector<std::string>& mappings) {
  const auto csv = table::read_csv(file, {});
  if (!csv) return csv.error();
  return observations_of(csv->table, mappings);
}

class PublishedA100 : public testing::Test {
 protected:
  void SetUp() override {
    const auto file = published("a100_sxm_clock_sweep.csv");
    if (!std::filesystem::exists(file)) GTEST_SKIP() << "no ../shared/data/gpu beside the repository";
    const auto observations = read_published(
        file, {"network=application", "clock=sm_app_clock", "power=power_usage", "time=run_time"});
    ASSERT_TRUE(observations) << observations.error().message;
    evaluation_ = evaluate(*observations);
  }
  SweepEvaluation evaluation_;
};

TEST_F(PublishedA100, TheMedianKneeIsBetween1110And1170MHz) {
  ASSERT_EQ(evaluation_.networks.size(), 14U);
  ASSERT_TRUE(evaluation_.medians.knee_mhz);
  EXPECT_GE(*evaluation_.medians.knee_mhz, 1110);
  EXPECT_LE(*evaluation_.medians.knee_mhz, 1170);
  const auto knees = std::count_if(evaluation_.networks.begin(), evaluation_.networks.end(),
                                   [](const NetworkEvaluation& one) { return one.knee.has_value(); });
  EXPECT_EQ(knees, 12);  // spmv and stream rise in steps
}

// The median over all applications is 1005 MHz. Three of them (GROMACS, LSTM, kmeans) hardly depend on the
// clock, so their optimum is random. The median of the others is 1080 MHz.
TEST_F(PublishedA100, MinimumEnergyIsAt1080MHzForClockBoundNetworks) {
  EXPECT_EQ(evaluation_.medians.best_energy_clock_mhz, 1005);
  EXPECT_EQ(evaluation_.time_bound_medians.networks, 11);
  EXPECT_EQ(evaluation_.time_bound_medians.best_energy_clock_mhz, 1080);
}

TEST(PublishedV100, MinimumEnergyIsAt945MHzForMostKernels) {
  const auto file = published("v100_clock_sweep.csv");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no ../shared/data/gpu beside the repository";
  const auto observations = read_published(file, {"network=benchmark+kernel+argNo", "clock=core_frequency",
                                                  "power=average_power", "time=time:ms"});
  ASSERT_TRUE(observations) << observations.error().message;
  const SweepEvaluation evaluation = evaluate(*observations);
  ASSERT_EQ(evaluation.networks.size(), 158U);
  const auto at_945 =
      std::count_if(evaluation.networks.begin(), evaluation.networks.end(),
                    [](const auto& one) { return one.energy && one.energy->clock == Hertz{945e6}; });
  EXPECT_EQ(at_945, 148);
  EXPECT_EQ(evaluation.medians.best_energy_clock_mhz, 945);
  // Ten clocks from 405 to 1380 MHz, times nearly inverse to them: Pearson's would find 86.
  EXPECT_EQ(evaluation.time_bound_medians.networks, 158);
  EXPECT_EQ(evaluation.time_bound_medians.best_energy_clock_mhz, 945);
}

}  // namespace
}  // namespace ergon::sweep
