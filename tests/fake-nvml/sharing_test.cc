// Several processes that share one simulation.

#include <fstream>
#include <sstream>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "machine.h"
#include "support/process.h"

namespace ergon::test {
namespace {

using Json = nlohmann::json;

std::string fake_gpu(const std::string& arguments) {
  const ProcessResult result = run_shell(std::string(ERGON_PROGRAMS) + "/fake-gpu " + arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

TEST(FakeNvmlSharing, AllProcessesSeeALoad) {
  const Machine machine("{}");
  EXPECT_TRUE(machine.processes().empty());
  const double resting = machine.truth().watts;
  BackgroundProcess other({"run", "resnet50", "--batch", "64", "--for", "60s"});
  ASSERT_TRUE(eventually([&] { return machine.truth().running == 1; }));
  EXPECT_EQ(machine.processes(), std::vector<unsigned>{static_cast<unsigned>(other.pid())});
  EXPECT_GT(machine.truth().watts, resting + 100);
  nvml::Utilization rates{};
  EXPECT_EQ(NVML(DeviceGetUtilizationRates)(machine.device(), &rates), Return::success);
  EXPECT_GT(rates.gpu, 50U);
  EXPECT_GT(rates.memory, 0U);
  char name[200];
  EXPECT_EQ(NVML(SystemGetProcessName)(static_cast<unsigned>(other.pid()), name, sizeof name),
            Return::success);
  EXPECT_NE(std::string(name).find("fake-gpu"), std::string::npos);
  nvml::ProcessUtilizationSample samples[72];
  unsigned count = 0;
  EXPECT_EQ(NVML(DeviceGetProcessUtilization)(machine.device(), samples, &count, 0),
            Return::insufficient_size);
  EXPECT_EQ(NVML(DeviceGetProcessUtilization)(machine.device(), samples, &count, 0), Return::success);
  EXPECT_EQ(samples[0].pid, static_cast<unsigned>(other.pid()));
}

// The killed process is a zombie until this test waits for it.
TEST(FakeNvmlSharing, ALoadEndsWithItsProcess) {
  const Machine machine("{}");
  BackgroundProcess other({"run", "resnet50", "--batch", "64"});
  ASSERT_TRUE(eventually([&] { return machine.truth().running == 1; }));
  other.kill();
  EXPECT_TRUE(eventually([&] { return machine.truth().running == 0; }));
  EXPECT_TRUE(machine.processes().empty());
}

TEST(FakeNvmlSharing, TheNewestLoadRunsAndTheOthersWait) {
  const Machine machine(R"({"time": "manual"})");
  const ErgonFakeNvmlLoad load = resnet(64, 1000);
  ASSERT_EQ(OWN(run)(0, &load), 0);
  OWN(advance)(1);
  const double begun = machine.truth().iterations;
  EXPECT_GT(begun, 10);
  // Ten seconds of another process.
  const Json other = Json::parse(fake_gpu("run vgg16 --batch 8 --for 10s --json"));
  EXPECT_NEAR(other["seconds"], 10, 1e-6);
  EXPECT_GT(other["iterations"], 10);
  EXPECT_EQ(machine.truth().running, 1);
  OWN(advance)(600);
  EXPECT_EQ(machine.truth().running, 0);
  EXPECT_NEAR(machine.truth().iterations, 1000 + other["iterations"].get<double>(), 1.0);
}

// Two processes at the same time compute the same values, to the last digit.
TEST(FakeNvmlSharing, AllProcessesComputeTheSameState) {
  const Machine machine(R"({"time": "manual", "devices": [{"twin": "a40", "seed": 3}]})");
  const ErgonFakeNvmlLoad load = resnet(16);
  ASSERT_EQ(OWN(run)(0, &load), 0);
  for (int i = 0; i < 5; ++i) {
    OWN(advance)(0.137);
    const Json status = Json::parse(fake_gpu("status --json"));
    EXPECT_EQ(status["gpus"][0]["true_joules"].get<double>(), machine.truth().joules);
    EXPECT_EQ(status["gpus"][0]["iterations"].get<double>(), machine.truth().iterations);
    EXPECT_EQ(status["gpus"][0]["processes"][0]["pid"], getpid());
    fake_gpu("advance 50ms");
    EXPECT_NEAR(machine.truth().seconds, 0.187 * (i + 1), 1e-9);
  }
}

TEST(FakeNvmlSharing, ControlsAreSharedAndPersist) {
  const Machine machine("{}");
  EXPECT_EQ(NVML(DeviceSetGpuLockedClocks)(machine.device(), 900, 1200), Return::success);
  EXPECT_EQ(NVML(DeviceSetPowerManagementLimit)(machine.device(), 400'000), Return::success);
  NVML(Shutdown)();
  const Json status = Json::parse(fake_gpu("status --json"));
  EXPECT_EQ(status["gpus"][0]["locked_core"]["max_mhz"], 1200);
  EXPECT_EQ(status["gpus"][0]["limit_watts"], 400);
}

TEST(FakeNvmlSharing, AMeasuredRunMatchesItsTrueEnergy) {
  const Machine machine(R"({"time": "manual"})");
  const unsigned long long before = machine.energy_mj();
  const Json run = Json::parse(fake_gpu("run resnet50 --batch 64 --iterations 500 --json"));
  EXPECT_NEAR(run["iterations"], 500, 1e-6);
  fake_gpu("advance 100ms");
  const double counted = static_cast<double>(machine.energy_mj() - before) / 1e3;
  EXPECT_NEAR(counted, run["true_joules"].get<double>(), 100);  // counter delay and idle energy
  EXPECT_TRUE(run["simulated"]);
}

TEST(FakeNvmlSharing, TheProgramReportsErrors) {
  const Machine machine("{}");
  const auto output_of = [](const std::string& arguments) {
    const ProcessResult result = run_shell(std::string(ERGON_PROGRAMS) + "/fake-gpu " + arguments);
    return std::to_string(result.exit_code) + " " + result.err;
  };
  EXPECT_TRUE(output_of("run resnet5 --for 1s").starts_with("2 fake-gpu: unknown network \"resnet5\""));
  EXPECT_EQ(output_of("run resnet50 --gpu 3 --for 1s"),
            "1 fake-gpu: GPU index 3 is out of range; the scenario has 1 GPUs\n");
  EXPECT_EQ(output_of("run resnet50 --batch 100000000 --for 1s").substr(0, 33),
            "1 fake-gpu: resnet50 at batch 100");
  EXPECT_EQ(output_of("advance 3s"), "1 fake-gpu: time is not manual in this scenario\n");
  EXPECT_EQ(output_of("advance 3W").substr(0, 2), "2 ");
  EXPECT_EQ(output_of("dance").substr(0, 2), "2 ");
  EXPECT_EQ(output_of("status >/dev/full"), "1 fake-gpu: standard output could not be written\n");
}

}  // namespace
}  // namespace ergon::test
