#include "device/machine/machine.h"

#include <gtest/gtest.h>

namespace ergon::device {
namespace {

class NamedDevice final : public Device {
 public:
  NamedDevice(std::string id, DeviceKind kind) : identity_{id, "UUID-" + id, id, kind} {}
  const Identity& identity() const override { return identity_; }
  const Capabilities& capabilities() const override { return capabilities_; }
  bool simulated() const override { return false; }

 private:
  Identity identity_;
  Capabilities capabilities_;
};

FoundDevices found(const std::vector<std::string>& ids, DeviceKind kind,
                   const std::vector<std::string>& problems = {}) {
  FoundDevices all;
  for (const std::string& id : ids) all.devices.push_back(std::make_unique<NamedDevice>(id, kind));
  for (const std::string& text : problems) all.problems.push_back(fail(Errc::not_found, "{}", text));
  return all;
}

FoundDevices gpus(const std::vector<std::string>& ids, const std::vector<std::string>& problems = {}) {
  return found(ids, DeviceKind::nvml, problems);
}
FoundDevices processors(const std::vector<std::string>& ids, const std::vector<std::string>& problems = {}) {
  return found(ids, DeviceKind::rapl, problems);
}

const std::vector<std::string> kNoDriver = {"no NVIDIA driver"};

std::string error_of(const Machine& machine, const std::vector<std::string>& names) {
  const auto selected = machine.select(names);
  return selected ? "selected" : selected.error().message;
}

TEST(Machine, ProcessorsDoNotNeedTheNvidiaDriver) {
  const Machine machine(gpus({}, kNoDriver), processors({"cpu0", "dram0"}));
  const auto selected = machine.select({"cpu0"});
  ASSERT_TRUE(selected) << selected.error().message;
  EXPECT_EQ(selected->front()->identity().id, "cpu0");
  EXPECT_EQ(machine.select({})->size(), 2U);
}

TEST(Machine, AMissingProcessorIsExplainedByRapl) {
  for (const char* const name : {"cpu0", "CPU1", "dram0", "cpu0-die1"}) {
    const std::string error = error_of(Machine(gpus({}, kNoDriver), processors({})), {name});
    EXPECT_EQ(error,
              std::string(name) +
                  ": no RAPL energy counters in /sys/class/powercap. Load their driver (sudo modprobe "
                  "intel_rapl_msr); virtual machines and containers often have none (docs/devices.md)");
    EXPECT_EQ(error, error_of(Machine(gpus({"gpu0"}), processors({})), {name})) << "a GPU changes nothing";
  }
  EXPECT_EQ(
      error_of(Machine(gpus({}, kNoDriver), processors({}, {"cpu0: only root can read this"})), {"cpu0"}),
      "cpu0: only root can read this");
}

TEST(Machine, AMissingGpuIsExplainedByTheDriver) {
  for (const char* const name : {"gpu0", "0"}) {
    EXPECT_EQ(error_of(Machine(gpus({}, kNoDriver), processors({"cpu0"})), {name}),
              std::string(name) + ": no NVIDIA driver");
    EXPECT_EQ(error_of(Machine(gpus({}), processors({"cpu0"})), {name}),
              std::string(name) + ": this machine has no NVIDIA GPU");
  }
}

TEST(Machine, UnknownNamesGetTheNearest) {
  const Machine machine(gpus({"gpu0"}), processors({"cpu0"}));
  EXPECT_EQ(error_of(machine, {"gpu1"}),
            "unknown device \"gpu1\" (did you mean \"gpu0\"?); expected gpu0, cpu0");
  EXPECT_EQ(error_of(machine, {"cpu3"}),
            "unknown device \"cpu3\" (did you mean \"cpu0\"?); expected gpu0, cpu0");
}

TEST(Machine, WithoutDevicesNamesAllReasons) {
  EXPECT_EQ(error_of(Machine(gpus({}, kNoDriver), processors({})), {}).substr(0, 50),
            "no NVIDIA driver; no RAPL energy counters in /sys/");
  EXPECT_EQ(error_of(Machine(gpus({}, kNoDriver), processors({}, {"only root can read it"})), {}),
            "no NVIDIA driver; only root can read it");
  EXPECT_EQ(error_of(Machine(gpus({}), processors({})), {}).substr(0, 32),
            "this machine has no NVIDIA GPU; ");
}

}  // namespace
}  // namespace ergon::device
