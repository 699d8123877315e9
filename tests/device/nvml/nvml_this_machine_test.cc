// Tests with the real driver and GPU, if this machine has one. Reads everything, writes nothing.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/units_text.h"
#include "device/nvml/find.h"

namespace ergon::device {
namespace {

using namespace ergon::literals;
using namespace std::chrono_literals;

class NvmlThisMachine : public testing::Test {
 protected:
  void SetUp() override {
    auto found = nvml::find_devices("libnvidia-ml.so.1");
    if (!found) GTEST_SKIP() << found.error().message;
    if (found->devices.empty()) GTEST_SKIP() << "the driver has no GPU";
    gpu_ = std::move(found->devices[0]);
    if (gpu_->simulated()) GTEST_SKIP() << "the driver is fake-nvml";
  }

  // Checks that a supported reading works and records its value in the test results.
  template <typename T>
  std::optional<T> read(const std::string& name, bool supported, const Result<T>& answer) {
    EXPECT_EQ(supported, static_cast<bool>(answer)) << name << (answer ? "" : ": " + answer.error().message);
    if (!answer) {
      RecordProperty(name, answer.error().message);
      return std::nullopt;
    }
    if constexpr (requires { to_text(*answer); }) RecordProperty(name, to_text(*answer));
    return *answer;
  }

  std::unique_ptr<Device> gpu_;
};

TEST_F(NvmlThisMachine, ReadingsArePlausible) {
  const Capabilities& can = gpu_->capabilities();
  RecordProperty("product", gpu_->identity().name);
  EXPECT_TRUE(gpu_->identity().uuid.starts_with("GPU-"));
  const auto limits = read("power_limits", can.power_limit, gpu_->power_limits());
  for (const PowerField field : can.power) {
    const auto power = read(std::string(name_of(field)), true, gpu_->power(field));
    if (!power) continue;
    EXPECT_GT(*power, 3_W);
    EXPECT_TRUE(!limits || *power < limits->max * 1.5);
  }
  if (limits) {
    EXPECT_LE(limits->min, limits->current);
    EXPECT_LE(limits->current, limits->max);
  }
  const auto clocks =
      read("supported_clocks", can.supported_clocks, gpu_->supported_clocks(ClockDomain::core));
  const auto clock = read("core_clock", can.core_clock, gpu_->clock(ClockDomain::core));
  if (clocks && clock) {
    RecordProperty("clocks", static_cast<int>(clocks->size()));
    EXPECT_LE(*clock, clocks->back());
  }
  read("memory_clock", can.memory_clock, gpu_->clock(ClockDomain::memory));
  const auto temperature = read("temperature", can.temperature, gpu_->temperature());
  if (temperature) {
    EXPECT_GT(*temperature, 5_degC);
    EXPECT_LT(*temperature, 120_degC);
  }
  read("memory_temperature", can.memory_temperature, gpu_->memory_temperature());
  const auto utilization = read("utilization", can.utilization, gpu_->utilization());
  EXPECT_TRUE(!utilization || utilization->compute <= 1);
  const auto memory = read("memory", can.memory, gpu_->memory());
  if (memory) {
    RecordProperty("memory_total", to_text(memory->total));
    RecordProperty("memory_used", to_text(memory->used));
    EXPECT_LE(memory->used, memory->total);
  }
  const auto reasons = read("event_reasons", can.event_reasons, gpu_->event_reasons());
  if (reasons) RecordProperty("reasons", static_cast<int>(reasons->bits()));
  const auto processes = read("processes", can.processes, gpu_->processes());
  if (processes) RecordProperty("process_count", static_cast<int>(processes->size()));
  for (const auto& [name, has] :
       {std::pair{"set_power_limit", can.set_power_limit}, std::pair{"lock_core_clock", can.lock_core_clock},
        std::pair{"lock_memory_clock", can.lock_memory_clock},
        std::pair{"application_clocks", can.application_clocks}}) {
    RecordProperty(name, has);
  }
}

TEST_F(NvmlThisMachine, EnergyCounterAndPowerAgree) {
  const Capabilities& can = gpu_->capabilities();
  if (!can.energy_counter || !can.has(PowerField::usage)) GTEST_SKIP() << "no counter, or no power";
  const SystemClock clock;
  const auto first = gpu_->energy_counter();
  const Instant began = clock.now();
  double sum = 0;
  constexpr int kReadings = 30;
  for (int i = 0; i < kReadings; ++i) {
    std::this_thread::sleep_for(100ms);
    sum += gpu_->power(PowerField::usage).value_or(Watts{0}).si();
  }
  const auto second = gpu_->energy_counter();
  ASSERT_TRUE(first && second);
  const Watts mean = (*second - *first) / (clock.now() - began);
  RecordProperty("by_counter", to_text(mean));
  RecordProperty("by_power", to_text(Watts{sum / kReadings}));
  // Wide bounds: other processes may use the GPU, and readings differ by product.
  EXPECT_GT(mean.si(), 0.3 * sum / kReadings);
  EXPECT_LT(mean.si(), 3 * sum / kReadings);
}

TEST_F(NvmlThisMachine, SamplesAreRecent) {
  if (!gpu_->capabilities().has(PowerField::samples)) GTEST_SKIP() << "no samples";
  std::this_thread::sleep_for(1s);
  const auto samples = gpu_->power_samples({});
  ASSERT_TRUE(samples) << samples.error().message;
  ASSERT_FALSE(samples->empty());
  RecordProperty("samples", static_cast<int>(samples->size()));
  RecordProperty("spanning", to_text(samples->back().at - samples->front().at));
  const Seconds age = SystemClock().wall_now() - samples->back().at;
  RecordProperty("newest", to_text(age));
  EXPECT_GT(age, Seconds{-1});
  EXPECT_LT(age, 60_s);
  for (std::size_t i = 1; i < samples->size(); ++i) EXPECT_GE((*samples)[i].at, (*samples)[i - 1].at);
  const auto newer = gpu_->power_samples(samples->at(samples->size() / 2).at);
  ASSERT_TRUE(newer);
  for (const PowerSample& sample : *newer) EXPECT_GT(sample.at, samples->at(samples->size() / 2).at);
}

}  // namespace
}  // namespace ergon::device
