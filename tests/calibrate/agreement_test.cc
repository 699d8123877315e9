// The bars that twins must meet on measured tables. The H200's own tables are part of the repository; the
// public ones are not, and their tests skip themselves without them.

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "calibrate/compare.h"
#include "device/twin/catalogue.h"

namespace ergon::calibrate {
namespace {

const std::string kOwn = std::string(ERGON_REPOSITORY) + "/data/reference";
const std::string kPublic = std::string(ERGON_REPOSITORY) + "/../shared/data";

Twins all_twins() {
  Twins twins;
  for (const std::string& name : device::device_names()) twins[name] = device::find_device(name).value();
  return twins;
}

const std::vector<Agreement>& agreements_in(const std::string& folder) {
  static std::map<std::string, std::vector<Agreement>> known;
  if (!known.contains(folder))
    known[folder] = agreements(compare(read_measured({folder}).value(), all_twins()));
  return known[folder];
}

struct Bar {
  const char* device;
  const char* table;
  const char* quantity;
  double most;
  bool held_back = true;  // there are rows that were not fitted
};

void expect_within(const std::string& folder, const Bar& bar) {
  for (const Agreement& each : agreements_in(folder)) {
    if (each.device != bar.device || each.table != bar.table || each.quantity != bar.quantity) continue;
    EXPECT_GT(each.rows_fitted, 0U);
    EXPECT_LE(each.mape_fitted, bar.most);
    if (!bar.held_back) return;
    EXPECT_GT(each.rows_held_back, 0U);
    EXPECT_LE(each.mape_held_back, bar.most);
    return;
  }
  FAIL() << "nothing was compared";
}

class OwnTables : public testing::TestWithParam<Bar> {};
TEST_P(OwnTables, AreMet) { expect_within(kOwn, GetParam()); }

class PublicTables : public testing::TestWithParam<Bar> {};
TEST_P(PublicTables, AreMet) {
  if (!std::filesystem::exists(kPublic + "/gpu")) GTEST_SKIP() << "needs the public tables in " << kPublic;
  expect_within(kPublic, GetParam());
}

std::string name_of(const testing::TestParamInfo<Bar>& each) {
  std::string name = std::string(each.param.device) + "_" + each.param.table + "_" + each.param.quantity;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// Power 12 %, time 20 %, energy 20 %; inference in two precisions and training.
INSTANTIATE_TEST_SUITE_P(H200, OwnTables,
                         testing::Values(Bar{"h200", "networks_infer", "power", 0.12},
                                         Bar{"h200", "networks_infer", "time", 0.20},
                                         Bar{"h200", "networks_infer", "energy", 0.20},
                                         Bar{"h200", "networks_infer_bf16", "power", 0.12},
                                         Bar{"h200", "networks_infer_bf16", "time", 0.20},
                                         Bar{"h200", "networks_infer_bf16", "energy", 0.20},
                                         Bar{"h200", "networks_train", "power", 0.12},
                                         Bar{"h200", "networks_train", "time", 0.20},
                                         Bar{"h200", "networks_train", "energy", 0.20},
                                         Bar{"h200", "networks_more", "gpu_time", 0.12},
                                         Bar{"h200", "networks_more", "power", 0.12}),
                         name_of);

// Over clock: power 3 %, time 5 %. A30 at its limit: energy 20 %. P40: 15 % of the highest reading where it
// met kernels, fitted and held back together (below). V100 and P100 under limits: slowdown 5 %.
INSTANTIATE_TEST_SUITE_P(Gpus, PublicTables,
                         testing::Values(Bar{"a100-sxm-80", "a100_sxm_clock_sweep", "power", 0.03},
                                         Bar{"a100-sxm-80", "a100_sxm_clock_sweep", "time", 0.05},
                                         Bar{"v100", "v100_clock_sweep", "power", 0.03},
                                         Bar{"v100", "v100_clock_sweep", "time", 0.05},
                                         Bar{"a30", "a30_2080ti_networks", "energy", 0.20},
                                         Bar{"a30", "a30_2080ti_networks", "time", 0.20},
                                         Bar{"v100", "training_batch_power_limit_v100", "slowdown", 0.05},
                                         Bar{"p100", "training_batch_power_limit_p100", "slowdown", 0.05},
                                         Bar{"h200", "h200_h100_a40_clock_sweep", "power", 0.03, false},
                                         Bar{"h100", "h200_h100_a40_clock_sweep", "power", 0.03, false},
                                         Bar{"a40", "h200_h100_a40_clock_sweep", "power", 0.05, false}),
                         name_of);

TEST(PublicTable, P40CellsThatMetKernelsAreWithin15Percent) {
  if (!std::filesystem::exists(kPublic + "/gpu")) GTEST_SKIP() << "needs the public tables in " << kPublic;
  for (const Agreement& each : agreements_in(kPublic)) {
    if (each.quantity != "power_maximum") continue;
    const auto fitted = static_cast<double>(each.rows_fitted),
               held = static_cast<double>(each.rows_held_back);
    EXPECT_GE(fitted + held, 60);
    EXPECT_LE((each.mape_fitted * fitted + each.mape_held_back * held) / (fitted + held), 0.15);
    return;
  }
  FAIL() << "nothing was compared";
}

TEST(OwnTable, EveryRowFromBatch16OnIsCompared) {
  const auto measured = read_measured({kOwn}).value();
  const auto all = compare(measured, all_twins());
  std::size_t energies = 0;
  for (const Comparison& each : all) energies += each.quantity == "energy" ? 1 : 0;
  EXPECT_EQ(energies, 102U);  // every row of the three tables at batch 16 and above
}

}  // namespace
}  // namespace ergon::calibrate
