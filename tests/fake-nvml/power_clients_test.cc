// The power and energy calls of clients, in their order, on every generation of GPUs. nvml.h: field 185
// (average) "supported on Ampere (except GA100) or newer architectures", field 186 (instant) "supported on
// all architectures". On a real H200 field 185 and nvmlDeviceGetPowerUsage return the same number.

#include "machine.h"

namespace ergon::test {
namespace {

struct MeteredTwin {
  const char* twin;
  bool has_average, has_counter;

  friend std::ostream& operator<<(std::ostream& out, const MeteredTwin& g) { return out << g.twin; }
};

nvml::FieldValue field_value(const Machine& machine, unsigned id) {
  nvml::FieldValue value{.field = id};
  EXPECT_EQ(NVML(DeviceGetFieldValues)(machine.device(), 1, &value), Return::success);
  return value;
}

class PowerClients : public testing::TestWithParam<MeteredTwin> {
 protected:
  PowerClients() : machine_(R"({"time": "manual", "devices": [")" + std::string(GetParam().twin) + "\"]}") {
    const ErgonFakeNvmlLoad load = resnet();
    EXPECT_EQ(OWN(run)(0, &load), 0);
    EXPECT_EQ(OWN(advance)(10), 0);
  }

  unsigned long long energy_mj() const {
    unsigned long long energy = 0;
    EXPECT_EQ(NVML(DeviceGetTotalEnergyConsumption)(machine_.device(), &energy), Return::success);
    return energy;
  }
  // Gains of sensors differ by up to 5 %.
  void expect_true_power(unsigned power_mw) const {
    EXPECT_NEAR(power_mw / 1e3, machine_.truth().watts, 0.1 * machine_.truth().watts);
  }

  Machine machine_;
};

// Zeus (zeus.device.gpu.nvidia): energy by the counter from Volta on; else field 186 is polled, and every
// return code in nvmlReturn but success is raised.
TEST_P(PowerClients, ZeusMeasuresEnergy) {
  nvml::Architecture architecture{};
  ASSERT_EQ(NVML(DeviceGetArchitecture)(machine_.device(), &architecture), Return::success);
  EXPECT_EQ(architecture >= nvml::Architecture::volta, GetParam().has_counter);
  if (architecture >= nvml::Architecture::volta) {
    const unsigned long long before = energy_mj();
    OWN(advance)(1);
    expect_true_power(static_cast<unsigned>(energy_mj() - before));
  }
  const nvml::FieldValue instant = field_value(machine_, nvml::field::kPowerInstant);
  ASSERT_EQ(instant.status, Return::success);
  EXPECT_EQ(instant.value_type, nvml::ValueType::uint32);
  expect_true_power(instant.value.uint32);
}

// Zeus' getAveragePowerUsage raises "not supported" where there is no average.
TEST_P(PowerClients, ZeusReadsTheAverageWhereThereIsOne) {
  const nvml::FieldValue average = field_value(machine_, nvml::field::kPowerAverage);
  if (GetParam().has_average) {
    ASSERT_EQ(average.status, Return::success);
    expect_true_power(average.value.uint32);
  } else {
    EXPECT_EQ(average.status, Return::not_supported);
  }
}

// Kernel Tuner (observers/nvml.py) reads value.uiVal of field 186 without looking at nvmlReturn.
TEST_P(PowerClients, KernelTunerReadsPower) {
  nvml::EnableState persistent{};
  unsigned limit = 0;
  EXPECT_EQ(NVML(DeviceGetPowerManagementLimit)(machine_.device(), &limit), Return::success);
  EXPECT_EQ(NVML(DeviceGetPersistenceMode)(machine_.device(), &persistent), Return::success);
  expect_true_power(field_value(machine_, nvml::field::kPowerInstant).value.uint32);
}

// CodeCarbon (core/gpu_nvidia.py): the energy counter, and if that is not supported, power.
TEST_P(PowerClients, CodeCarbonFallsBackToPower) {
  unsigned long long energy = 0;
  const Return counter = NVML(DeviceGetTotalEnergyConsumption)(machine_.device(), &energy);
  EXPECT_EQ(counter, GetParam().has_counter ? Return::success : Return::not_supported);
  expect_true_power(machine_.power_mw());
}

// nvitop (api/device.py): power and limit; both must be numbers for "POWER / LIMIT".
TEST_P(PowerClients, NvitopReadsPowerAndLimit) {
  unsigned power = 0, limit = 0;
  EXPECT_EQ(NVML(DeviceGetPowerUsage)(machine_.device(), &power), Return::success);
  EXPECT_EQ(NVML(DeviceGetPowerManagementLimit)(machine_.device(), &limit), Return::success);
  EXPECT_LT(power, limit * 1.1);
}

TEST_P(PowerClients, PowerUsageIsTheAverageWhereThereIsOneAndElseInstant) {
  for (int i = 0; i < 20; ++i) {
    OWN(advance)(0.05);
    const unsigned same = GetParam().has_average ? nvml::field::kPowerAverage : nvml::field::kPowerInstant;
    EXPECT_EQ(machine_.power_mw(), field_value(machine_, same).value.uint32);
  }
}

INSTANTIATE_TEST_SUITE_P(Twins, PowerClients,
                         testing::Values(MeteredTwin{"p100", false, false}, MeteredTwin{"p40", false, false},
                                         MeteredTwin{"v100", false, true}, MeteredTwin{"v100s", false, true},
                                         MeteredTwin{"rtx2080ti", false, true},
                                         MeteredTwin{"rtx6000", false, true}, MeteredTwin{"a30", false, true},
                                         MeteredTwin{"a100-pcie-40", false, true},
                                         MeteredTwin{"a100-sxm-80", false, true},
                                         MeteredTwin{"a40", true, true}, MeteredTwin{"h100", true, true},
                                         MeteredTwin{"h200", true, true}));

// An average lags; the instant power of an A40 does not.
TEST(PowerFields, AverageAndInstantOfAnA40Differ) {
  const Machine machine(R"({"time": "manual", "devices": ["a40"]})");
  OWN(advance)(5);
  const unsigned idle_mw = machine.power_mw();
  const ErgonFakeNvmlLoad load = resnet();
  ASSERT_EQ(OWN(run)(0, &load), 0);
  OWN(advance)(0.35);
  const double now_mw = machine.truth().watts * 1e3;
  EXPECT_NEAR(field_value(machine, nvml::field::kPowerInstant).value.uint32, now_mw, 0.1 * now_mw);
  EXPECT_LT(field_value(machine, nvml::field::kPowerAverage).value.uint32, (idle_mw + now_mw) / 2);
}

// Yang, Adamek, Armour (2023): drivers have the power fields from 525 on.
TEST(PowerFields, AnOldDriverDoesNotKnowThem) {
  const Machine machine(R"({"driver": "470.57", "devices": ["h200"]})");
  EXPECT_EQ(field_value(machine, nvml::field::kPowerInstant).status, Return::invalid_argument);
  EXPECT_EQ(field_value(machine, nvml::field::kPowerAverage).status, Return::invalid_argument);
  EXPECT_EQ(field_value(machine, nvml::field::kTotalEnergy).status, Return::success);
}

// An H200 takes 3.5 ms to read its energy counter, by either way, and 1 us for power.
TEST(EnergyCounterLatency, IsThatOfTheGpu) {
  const Machine machine(R"({"devices": ["h200", "v100"]})");
  using Clock = std::chrono::steady_clock;
  const auto shortest_of = [&](const auto& call) {
    auto shortest = Clock::duration::max();
    for (int i = 0; i < 5; ++i) {
      const auto begin = Clock::now();
      call();
      shortest = std::min(shortest, Clock::now() - begin);
    }
    return shortest;
  };
  constexpr auto kLatency = std::chrono::microseconds(3500);
  EXPECT_GE(shortest_of([&] { machine.energy_mj(); }), kLatency);
  EXPECT_LT(shortest_of([&] { machine.energy_mj(1); }), kLatency);
  EXPECT_LT(shortest_of([&] { machine.power_mw(); }), kLatency);
  EXPECT_LT(shortest_of([&] { field_value(machine, nvml::field::kPowerInstant); }), kLatency);
  nvml::FieldValue energy{};
  EXPECT_GE(shortest_of([&] { energy = field_value(machine, nvml::field::kTotalEnergy); }), kLatency);
  EXPECT_EQ(energy.latency_us, 3500);
  EXPECT_EQ(field_value(machine, nvml::field::kPowerInstant).latency_us, 0);
}

TEST(EnergyCounterLatency, IsZeroInManualTime) {
  const Machine machine(R"({"time": "manual"})");
  EXPECT_EQ(field_value(machine, nvml::field::kTotalEnergy).latency_us, 0);
}

}  // namespace
}  // namespace ergon::test
