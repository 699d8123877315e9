#include "profile/test_bench/fake_gpu_engine.h"

#include <gtest/gtest.h>

#include "apps/measure/fake_host.h"
#include "device/twin/catalog.h"
#include "device/twin/estimate.h"
#include "device/twin/kernel.h"
#include "device/twin/twin.h"
#include "graph/content.h"
#include "graph/zoo/zoo.h"
#include "profile/test_bench/fake_driver.h"

namespace ergon::profile {
namespace {

using ergon::test::FakeDriver;

constexpr const char* kManual = R"("devices": ["v100"], "time": "manual")";

graph::Network network_of(const std::string& name, const graph::zoo::BuildOptions& wish = {}) {
  return graph::zoo::build(**graph::zoo::find(name), wish).value();
}

profile::RunCondition at_batch(std::int64_t batch) {
  profile::RunCondition condition;
  condition.batch = batch;
  return condition;
}

TEST(FakeGpuEngine, HasFacts) {
  FakeDriver driver(kManual);
  SystemClock clock;
  const auto engine = FakeGpuEngine::open(driver.gpu(), clock).value();
  EXPECT_EQ(engine->facts().engine, "fake-nvml");
  EXPECT_EQ(engine->facts().target, "gpu0");
  EXPECT_EQ(engine->facts().uuid, driver.gpu().identity().uuid);
  EXPECT_TRUE(engine->facts().simulated);
}

// The same load on the same twin, without the driver.
Seconds iteration_on_a_twin(const std::string& name, std::int64_t batch) {
  const auto gpu = device::find_device("v100").value();
  const auto workload =
      device::workload_of(network_of(name), batch, graph::Mode::inference, device::Precision::tf32).value();
  return device::Load(workload, gpu).at(gpu.core.max).time;
}

TEST(FakeGpuEngine, TakesTheTimeOfTheTwin) {
  FakeDriver driver(kManual);
  SystemClock clock;
  const auto engine = FakeGpuEngine::open(driver.gpu(), clock).value();
  for (const std::int64_t batch : {1, 16}) {
    const auto prepared = engine->prepare(network_of("resnet18"), at_batch(batch), {}).value();
    const double each = iteration_on_a_twin("resnet18", batch).si();
    for (const std::int64_t iterations : {1, 7, 100}) {
      const auto ran = prepared->run(iterations).value();
      EXPECT_EQ(ran.iterations, iterations);
      EXPECT_NEAR(ran.each().si(), each, 1e-4 * each) << batch << " x " << iterations;
    }
  }
  EXPECT_FALSE(driver.gpu().processes().value().empty());
}

TEST(FakeGpuEngine, RunsInRealTime) {
  FakeDriver driver(R"("devices": ["v100"])");
  SystemClock clock;
  const auto engine = FakeGpuEngine::open(driver.gpu(), clock).value();
  const auto prepared = engine->prepare(network_of("resnet18"), at_batch(8), {}).value();
  const double each = iteration_on_a_twin("resnet18", 8).si();
  const Instant begin = clock.now();
  const auto ran = prepared->run(100).value();
  const double passed = (clock.now() - begin).si();
  EXPECT_NEAR(ran.each().si(), each, 0.02 * each);
  EXPECT_GE(passed, 0.98 * 100 * each);
}

TEST(FakeGpuEngine, RunsOnlyZooNetworks) {
  FakeDriver driver(kManual);
  SystemClock clock;
  const auto engine = FakeGpuEngine::open(driver.gpu(), clock).value();
  const graph::Network usual = network_of("resnet18");
  EXPECT_TRUE(engine->check(usual, nullptr, {}));

  const graph::Content numbers;
  graph::Network unknown = usual;
  unknown.name = "resnet18b";
  graph::Network file = usual;
  file.family = "onnx";
  EXPECT_EQ(engine->check(usual, &numbers, {}).error().kind, Errc::unsupported);
  EXPECT_EQ(engine->check(unknown, nullptr, {}).error().kind, Errc::unsupported);
  EXPECT_EQ(engine->check(file, nullptr, {}).error().kind, Errc::unsupported);
  EXPECT_EQ(engine->check(network_of("resnet18", {.size = 128}), nullptr, {}).error().kind,
            Errc::unsupported);

  profile::PrepareOptions operation, replay;
  operation.block = true;
  replay.launch = profile::Launch::replay;
  for (const profile::PrepareOptions& each : {operation, replay}) {
    const auto prepared = engine->prepare(usual, {}, each);
    ASSERT_FALSE(prepared);
    EXPECT_EQ(prepared.error().kind, Errc::unsupported);
    EXPECT_NE(prepared.error().message.find("complete zoo networks"), std::string::npos);
  }
}

TEST(FakeGpuEngine, ReportsOutOfMemory) {
  FakeDriver driver(kManual);
  SystemClock clock;
  const auto engine = FakeGpuEngine::open(driver.gpu(), clock).value();
  EXPECT_EQ(engine->prepare(network_of("vgg16"), at_batch(8192), {}).error().kind, Errc::out_of_memory);
}

// Includes families with equal network names, and names with special characters.
TEST(FakeGpuEngine, SupportsAllZooNetworks) {
  FakeDriver driver(kManual);
  SystemClock clock;
  const auto engine = FakeGpuEngine::open(driver.gpu(), clock).value();
  for (const graph::zoo::Entry& entry : graph::zoo::entries()) {
    const auto network = graph::zoo::build(entry);
    ASSERT_TRUE(network) << entry.name;
    EXPECT_TRUE(engine->check(*network, nullptr, {})) << entry.family << "/" << entry.name;
  }
}

TEST(FakeGpuEngine, ProfilesRunOnItWithoutCuda) {
  const ergon::test::FakeHost host(R"("devices": ["v100"])");
  const auto ran = host.json(
      "ergon profile --device gpu0 --networks resnet18,caffe/alexnet --batch 4 --measure networks --duration "
      "300ms "
      "--out data --json -q");
  EXPECT_EQ(ran["simulated"], true) << ran.dump();
  EXPECT_EQ(ran["device"]["engine"], "fake-nvml");
  const auto rows = host.run("cut -d, -f1 data/networks.csv | sort");
  EXPECT_NE(rows.out.find("caffe/alexnet\n"), std::string::npos) << rows.out;
}

}  // namespace
}  // namespace ergon::profile
