#include "predict/samples/dataset_samples.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "predict/estimate/some_iterations.h"
#include "predict/learn/fit.h"
#include "predict/learn/plain_learner.h"
#include "predict/predictor.h"
#include "profile/plan.h"
#include "profile/runner.h"
#include "profile/twin/twin_bench.h"
#include "support/temporary_folder.h"

namespace ergon::predict {
namespace {

using namespace literals;
using graph::Mode;
using profile::Row;

Result<graph::Network> from_the_zoo(const std::string& name) {
  const auto entry = graph::zoo::find(name);
  if (!entry) return entry.error();
  return graph::zoo::build(**entry);
}

profile::ProfilePlan planned(const std::vector<std::string>& networks, const profile::ProfileGrid& grid) {
  std::vector<profile::LoadedNetwork> candidates;
  for (const std::string& name : networks)
    candidates.push_back({name, test::network_named(name), std::nullopt});
  return profile::plan(candidates, grid).value();
}

Row row_of(const profile::PlanItem& item) {
  Row row;
  row.subject = item.subject;
  row.condition = item.condition;
  row.launch = item.launch;
  row.requested_clock = item.clock;
  row.repeat = item.repeat;
  row.time = 2_ms;
  row.power = 100_W;
  row.energy = 0.3_J;
  row.host_time = 20_us;
  return row;
}

profile::DatasetContents contents_of(const profile::ProfilePlan& plan) {
  profile::DatasetContents contents;
  for (const profile::PlanItem& item : plan.items) contents.rows.push_back(row_of(item));
  contents.compositions = plan.compositions;
  return contents;
}

profile::ProfileGrid some_grid() {
  profile::ProfileGrid grid;
  grid.batches = {8};
  grid.modes = {Mode::inference, Mode::training};
  grid.precisions = {device::Precision::tf32, device::Precision::bf16};
  return grid;
}

TrainingData added(const profile::DatasetContents& contents, const FindNetwork& find = from_the_zoo) {
  TrainingData data;
  data.device = "a30";
  const auto done = add_dataset(contents, {"folder", "A30", 0, 0}, find, data);
  EXPECT_TRUE(done) << done.error().message;
  return data;
}

bool contains_text(const std::vector<std::string>& lines, const std::string& what) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.find(what) != std::string::npos; });
}

TEST(DatasetSamples, EveryRowFindsItsTaskAndIteration) {
  const auto contents = contents_of(planned({"resnet18", "mobilenet_v2"}, some_grid()));
  const TrainingData data = added(contents);
  EXPECT_TRUE(data.skipped.empty()) << data.skipped[0];
  EXPECT_EQ(data.operations.size() + data.networks.size(), contents.rows.size());
  EXPECT_EQ(data.networks.size(), 2U * 2 * 2);
  ASSERT_EQ(data.sources.size(), 1U);
  EXPECT_EQ(data.sources[0].name, "folder");
  EXPECT_EQ(data.sources[0].detail, "A30");
  EXPECT_EQ(data.sources[0].operations, static_cast<std::int64_t>(data.operations.size()));
  EXPECT_EQ(data.sources[0].networks, static_cast<std::int64_t>(data.networks.size()));
  for (const OperationSample& sample : data.operations) {
    EXPECT_EQ(sample.config.batch, 8);
    EXPECT_EQ(sample.time, 2_ms);
    EXPECT_EQ(sample.host, 20_us);
    EXPECT_FALSE(sample.kernels_only);
    EXPECT_FALSE(sample.clock);
    EXPECT_FALSE(sample.task.forward.empty() && sample.task.backward.empty()) << sample.task.kind;
  }
  for (const NetworkSample& sample : data.networks) {
    const Iteration expected = test::iteration_named(sample.iteration.network, sample.iteration.config);
    EXPECT_EQ(sample.iteration.tasks.size(), expected.tasks.size());
  }
}

TEST(DatasetSamples, PowerComesFromTheEnergyOfTheWindow) {
  auto contents = contents_of(planned({"alexnet"}, {}));
  contents.rows[0].energy.reset();
  const std::string id = contents.rows[0].subject.id;
  const TrainingData data = added(contents);
  std::size_t readings = 0;
  for (const OperationSample& sample : data.operations) {
    if (sample.task.id == id) {
      EXPECT_NEAR(sample.power->si(), 100, 1e-9);
      ++readings;
    } else {
      EXPECT_NEAR(sample.power->si(), 150, 1e-9);
    }
  }
  for (const NetworkSample& sample : data.networks) {
    if (sample.iteration.network == id) ++readings;
  }
  EXPECT_EQ(readings, 1U);
}

TEST(DatasetSamples, TakesTheMedianOfRepeats) {
  profile::ProfileGrid grid;
  grid.repeats = 3;
  grid.operations = false;
  auto contents = contents_of(planned({"alexnet"}, grid));
  ASSERT_EQ(contents.rows.size(), 3U);
  contents.rows[0].time = 9_ms;
  contents.rows[1].time = 3_ms;
  contents.rows[2].time = 4_ms;
  const TrainingData data = added(contents);
  ASSERT_EQ(data.networks.size(), 1U);
  EXPECT_EQ(data.networks[0].time, 4_ms);
  EXPECT_NEAR(data.networks[0].power->si(), 0.3 / 4e-3, 1e-9);
}

TEST(DatasetSamples, KeepsClocksSeparate) {
  profile::ProfileGrid grid;
  grid.clocks = {std::nullopt, 900_MHz};
  grid.operations = false;
  const TrainingData data = added(contents_of(planned({"alexnet"}, grid)));
  ASSERT_EQ(data.networks.size(), 2U);
  EXPECT_NE(data.networks[0].clock, data.networks[1].clock);
}

TEST(DatasetSamples, ReplayedOperationsAreKernelsOnlyAndReplayedNetworksAreNotUsed) {
  profile::ProfileGrid grid;
  grid.launches = {profile::Launch::replay};
  const TrainingData data = added(contents_of(planned({"alexnet"}, grid)));
  EXPECT_TRUE(data.networks.empty());
  EXPECT_FALSE(data.operations.empty());
  for (const OperationSample& sample : data.operations) {
    EXPECT_TRUE(sample.kernels_only);
    EXPECT_FALSE(sample.host);
  }
}

TEST(DatasetSamples, SkipsAndCountsUnusableRows) {
  auto contents = contents_of(planned({"alexnet"}, {}));
  contents.rows[0].valid = false;
  contents.rows[1].status = profile::Status::out_of_memory;
  contents.rows[2].time.reset();
  contents.rows[3].time = 0_s;
  const TrainingData data = added(contents);
  EXPECT_EQ(data.operations.size() + data.networks.size(), contents.rows.size() - 4);
  EXPECT_TRUE(contains_text(data.skipped, "4 rows"));
}

TEST(DatasetSamples, ReportsNetworksThatCannotBeBuilt) {
  const auto contents = contents_of(planned({"alexnet", "vgg11_bn"}, {}));
  const TrainingData data = added(contents, [](const std::string& name) -> Result<graph::Network> {
    if (name == "alexnet") return fail(Errc::not_found, "unknown");
    return from_the_zoo(name);
  });
  ASSERT_EQ(data.networks.size(), 1U);
  EXPECT_EQ(data.networks[0].iteration.network, "vgg11_bn");
  EXPECT_TRUE(contains_text(data.skipped, "alexnet: unknown"));
  EXPECT_TRUE(contains_text(data.skipped, "of conv: in no network"));
  EXPECT_LT(data.operations.size() + data.networks.size(), contents.rows.size());
  EXPECT_FALSE(data.operations.empty());
}

TEST(DatasetSamples, AddsSeveralFolders) {
  TrainingData data;
  const auto contents = contents_of(planned({"alexnet"}, {}));
  ASSERT_TRUE(add_dataset(contents, {"one", "", 0, 0}, from_the_zoo, data));
  const std::size_t once = data.operations.size();
  ASSERT_TRUE(add_dataset(contents, {"two", "", 0, 0}, from_the_zoo, data));
  EXPECT_EQ(data.operations.size(), 2 * once);
  EXPECT_EQ(data.sources.size(), 2U);
}

TEST(DatasetSamples, AnEmptyDatasetAddsNothing) {
  const TrainingData data = added({});
  EXPECT_TRUE(data.operations.empty());
  EXPECT_TRUE(data.networks.empty());
}

TEST(GroupOf, IgnoresBatchModeAndPrecision) {
  const auto groups = [](const WorkloadConfig& config) {
    std::set<std::string> all;
    for (const Task& task : test::iteration_named("resnet50", config).tasks) all.insert(group_of(task));
    return all;
  };
  const auto expected = groups({1, Mode::inference, device::Precision::fp32});
  EXPECT_EQ(groups({32, Mode::training, device::Precision::bf16}), expected);
  EXPECT_GT(expected.size(), 30U);
}

TEST(GroupOf, DistinguishesOperations) {
  for (const char* name : {"resnet50", "mobilenet_v2", "vit_b_16"}) {
    std::map<std::string, std::string> groups;
    for (const Task& task : test::iteration_named(name, {1, Mode::inference, {}}).tasks) {
      const auto [found, is_new] = groups.emplace(group_of(task), task.kind + " " + task.description);
      EXPECT_TRUE(is_new) << found->second << " and " << task.description;
    }
  }
}

// End to end: rows of a simulated board, dataset, samples, model, prediction.
TEST(DatasetSamples, OfASimulatedBoardPredictThatBoard) {
  const auto gpu = test::gpu_named("v100");
  profile::ProfileGrid grid;
  grid.batches = {32};
  const auto plan = planned({"alexnet", "vgg11_bn", "resnet18"}, grid);
  const ergon::test::TemporaryFolder folder;
  const std::string path = (folder / "rows").string();
  {
    auto bench = profile::TwinBench::open(gpu, {}, 5).value();
    profile::ProfileMethod method;
    method.time = 300_ms;
    profile::Profiler profiler(*bench, bench.get(), bench->clock(), method);
    auto dataset = profile::Dataset::open(path, {}).value();
    const auto session = dataset.begin_session(nlohmann::ordered_json::object()).value();
    const auto done =
        profile::run_plan(plan, bench->facts().uuid, profiler, dataset, bench->clock(), {}, {}, session);
    ASSERT_TRUE(done) << done.error().message;
    for (const auto& composition : plan.compositions) ASSERT_TRUE(dataset.append(composition));
  }
  TrainingData data;
  data.device = gpu.name;
  ASSERT_TRUE(add_dataset(profile::read_dataset(path).value(), {"rows", "", 0, 0}, from_the_zoo, data));
  EXPECT_GT(data.operations.size(), 30U);
  EXPECT_EQ(data.networks.size(), 3U);
  FitOptions options;
  options.folds = 3;
  const auto fitted = fit(data, gpu, test::PlainLearner(4), options);
  ASSERT_TRUE(fitted) << fitted.error().message;
  const auto& unseen = test::network_named("resnet34");
  const WorkloadConfig config{32, Mode::inference, device::Precision::tf32};
  const auto prediction = Predictor::with(gpu, fitted->model)->prepare(unseen, config)->predict({});
  const auto work = device::workload_of(unseen, 32, config.mode, config.precision).value();
  const auto truth = device::estimate(work, gpu, {}).value().state;
  EXPECT_NEAR((prediction.time.value / truth.activity.time).si(), 1, 0.05);
  EXPECT_NEAR((prediction.power.value / truth.power).si(), 1, 0.1);
}

}  // namespace
}  // namespace ergon::predict
