#include "profile/test_bench/profile_run.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "graph/builder.h"
#include "graph/zoo/zoo.h"
#include "support/temporary_folder.h"

namespace ergon::profile {
namespace {

LoadedNetwork zoo_network(const std::string& name) {
  return {name, graph::zoo::build(*graph::zoo::find(name).value()).value(), {}};
}

ProfileRequest on(const std::string& device) {
  ProfileRequest request;
  request.device = device;
  request.grid.operations = false;
  request.method.time = kMinTime;
  return request;
}

struct ProfileRunTest : ::testing::Test {
  SystemClock clock;
  std::vector<std::string> notes;
  ergon::test::TemporaryFolder folder;
  TestBench::Host host{clock, {}, [this](std::string_view note) { notes.emplace_back(note); }};

  std::string path() const { return (folder / "data").string(); }
  Result<ProfileRun> prepared(const ProfileRequest& request, const std::string& network = "squeezenet1_1") {
    return ProfileRun::prepare(request, {zoo_network(network)}, host);
  }
};

TEST(ProfileRequestCheck, ProcessorsHaveNoClocksAndGpusNeedPermission) {
  ProfileRequest request = on("cpu");
  EXPECT_TRUE(check(request)) << "default clock";
  request.grid.clocks = {std::nullopt, Hertz{9e8}};
  EXPECT_EQ(check(request).error().kind, Errc::invalid_input);
  EXPECT_EQ(check(request).error().message,
            "--clocks: a processor has no clocks to lock; use a GPU or a twin");
  request.device = "gpu0";
  EXPECT_EQ(check(request).error().kind, Errc::permission);
  request.allow_control = true;
  EXPECT_TRUE(check(request));
  request.device = "a30";
  request.allow_control = false;
  EXPECT_TRUE(check(request)) << "a twin";
}

TEST(ProfileRequestCheck, RejectsOperationTypesWithoutOperationsAndShortRows) {
  ProfileRequest request = on("a30");
  request.grid.operation_types = {"conv"};
  EXPECT_EQ(check(request).error().message, "--operation-types needs --measure operations");
  request.grid.operations = true;
  EXPECT_TRUE(check(request));
  request.method.time = Seconds{0.05};
  EXPECT_EQ(check(request).error().message, "--duration: 50 ms is too short (minimum: 100 ms)");
}

// Of a network in int8: a twin does not model its speed.
TEST_F(ProfileRunTest, WarnsOfDataTypesThatAreNotModeledOrSupported) {
  graph::Builder b("onnx", "whole");
  const auto x = b.input("x", "Input", graph::Shape::batch_of({128, 512}), graph::ElementType::int8);
  const LoadedNetwork whole{
      "whole", b.finish({b.add("dense", "MatMul", graph::Dense{1024, false}, {x})}).value(), {}};
  const auto run = ProfileRun::prepare(on("a30"), {whole}, host);
  ASSERT_TRUE(run) << run.error().message;
  const std::string warning = "the speed of int8 operations is not modeled; computed as tf32";
  EXPECT_EQ(run->warnings(), std::vector{warning});
  EXPECT_EQ(notes, std::vector{"warning: " + warning});

  ProfileRequest request = on("v100");
  request.grid.precisions = {device::Precision::bf16};
  const auto both = ProfileRun::prepare(request, {whole, zoo_network("squeezenet1_1")}, host);
  ASSERT_TRUE(both) << both.error().message;
  EXPECT_EQ(both->warnings(), (std::vector<std::string>{
                                  "whole: the speed of int8 operations is not modeled; computed as bf16",
                                  "v100 does not support bf16: the arithmetic is fp32, storage is 16 bits"}));
  EXPECT_TRUE(prepared(on("a30"))->warnings().empty());
}

TEST_F(ProfileRunTest, MeasuresWhatTheDatasetDoesNotContain) {
  ProfileRequest request = on("a30");
  request.grid.batches = {8, 1, 8};
  request.grid.precisions = {device::Precision::tf32, device::Precision::fp32, device::Precision::tf32};
  auto run = prepared(request);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->rows(), 4u) << "duplicates count once";
  EXPECT_TRUE(run->facts().simulated);
  {
    auto dataset = Dataset::open(path(), {}).value();
    int rows = 0;
    const auto result = run->measure(dataset, [&](const Row&) { ++rows; });
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(rows, 4);
    EXPECT_EQ(result->networks.size(), 4u);
    EXPECT_EQ(result->summary.rows.at(Status::measured), 4);
    EXPECT_FALSE(result->summary.none_valid());
    EXPECT_TRUE(result->restored);
  }
  auto dataset = Dataset::open(path(), {.resume = true}).value();
  const auto again = prepared(request)->measure(dataset, {});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->summary.already_measured, 4);
  EXPECT_TRUE(again->networks.empty());
  EXPECT_TRUE(read_dataset(path())->simulated());
}

TEST_F(ProfileRunTest, RecordsDeviceAndMethod) {
  ProfileRequest request = on("v100");
  request.seed = 7;
  request.overlap = true;
  auto run = prepared(request).value();
  auto dataset = Dataset::open(path(), {}).value();
  ASSERT_TRUE(run.measure(dataset, {}));
  const auto json = nlohmann::json::parse(read_file(path() + "/provenance.json").value());
  const std::string text = json.dump();
  EXPECT_NE(text.find("\"overlap\":true"), std::string::npos) << text;
  EXPECT_NE(text.find("\"seed\":7"), std::string::npos) << text;
  EXPECT_NE(text.find("\"least_seconds\":0.1"), std::string::npos) << text;
  EXPECT_NE(text.find("\"engine\":\"twin\""), std::string::npos) << text;
}

TEST_F(ProfileRunTest, ChecksClocksBeforeAnythingIsMeasured) {
  ProfileRequest request = on("a30");
  request.grid.clocks = {Hertz{9e8}, Hertz{5e9}};
  const auto run = prepared(request);
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().message.find("5 GHz"), std::string::npos) << run.error().message;
}

TEST_F(ProfileRunTest, FailsForUnknownDevicesAndTypes) {
  EXPECT_EQ(prepared(on("a31")).error().kind, Errc::unknown_name);
  ProfileRequest request = on("a30");
  request.grid.operations = true;
  request.grid.operation_types = {"atention"};
  EXPECT_EQ(prepared(request).error().kind, Errc::unknown_name);
}

}  // namespace
}  // namespace ergon::profile
