// Event sets, as an H200 with driver 580 answers.

#include <atomic>

#include "machine.h"

namespace ergon::test {
namespace {

using Set = void*;
using Create = Return(Set*);
using Free = Return(Set);
using Register = Return(nvml::DeviceHandle, unsigned long long, Set);
using Supported = Return(nvml::DeviceHandle, unsigned long long*);
using Wait = Return(Set, void*, unsigned);

constexpr unsigned long long kXid = 0x8, kSingleBitEcc = 0x1;

Set new_set() {
  Set set = nullptr;
  EXPECT_EQ(symbol<Create>("nvmlEventSetCreate")(&set), Return::success);
  return set;
}

TEST(Events, SupportedTypesFollowTheBoard) {
  const Machine machine(R"({"devices": ["h200", "rtx2080ti"]})");
  unsigned long long types = 0;
  auto* const supported = symbol<Supported>("nvmlDeviceGetSupportedEventTypes");
  EXPECT_EQ(supported(machine.device(0), &types), Return::success);
  EXPECT_EQ(types, 0xff9fU);
  EXPECT_EQ(supported(machine.device(1), &types), Return::success);
  EXPECT_EQ(types & kSingleBitEcc, 0U);
  EXPECT_EQ(types & kXid, kXid);
  EXPECT_EQ(supported(machine.device(1), nullptr), Return::invalid_argument);
}

TEST(Events, RegistersSupportedTypesOnly) {
  const Machine machine(R"({"devices": ["h200", "rtx2080ti"]})");
  auto* const registers = symbol<Register>("nvmlDeviceRegisterEvents");
  const Set set = new_set();
  EXPECT_EQ(registers(machine.device(0), kXid | kSingleBitEcc, set), Return::success);
  EXPECT_EQ(registers(machine.device(0), 0, set), Return::success);
  EXPECT_EQ(registers(machine.device(0), 1ULL << 40, set), Return::not_supported);
  EXPECT_EQ(registers(machine.device(1), kSingleBitEcc, set), Return::not_supported);
  EXPECT_EQ(registers(machine.device(0), kXid, nullptr), Return::invalid_argument);
  EXPECT_EQ(symbol<Free>("nvmlEventSetFree")(set), Return::success);
  EXPECT_EQ(registers(machine.device(0), kXid, set), Return::invalid_argument);
}

TEST(Events, WaitsForTheTimeout) {
  const Machine machine("{}");
  unsigned long long data[4] = {};
  const Set set = new_set();
  EXPECT_EQ(symbol<Register>("nvmlDeviceRegisterEvents")(machine.device(), kXid, set), Return::success);
  for (const char* const name : {"nvmlEventSetWait", "nvmlEventSetWait_v2"}) {
    auto* const wait = symbol<Wait>(name);
    EXPECT_EQ(wait(set, data, 0), Return::timeout);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(wait(set, data, 50), Return::timeout);
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(50));
    EXPECT_EQ(wait(set, nullptr, 0), Return::invalid_argument);
    EXPECT_EQ(wait(nullptr, data, 0), Return::invalid_argument);
  }
  EXPECT_EQ(symbol<Free>("nvmlEventSetFree")(set), Return::success);
  EXPECT_EQ(symbol<Free>("nvmlEventSetFree")(set), Return::invalid_argument);
  EXPECT_EQ(symbol<Free>("nvmlEventSetFree")(nullptr), Return::invalid_argument);
  EXPECT_EQ(symbol<Create>("nvmlEventSetCreate")(nullptr), Return::invalid_argument);
}

// Other threads read meanwhile.
TEST(Events, AWaitEndsWhenAGpuIsLost) {
  const Machine machine(
      R"({"devices": ["h200", "h200"], "faults": [{"fault": "lost", "gpu": 1, "from": "300ms"}]})");
  const Set set = new_set();
  unsigned long long data[4] = {};
  auto* const registers = symbol<Register>("nvmlDeviceRegisterEvents");
  EXPECT_EQ(registers(machine.device(0), kXid, set), Return::success);
  EXPECT_EQ(registers(machine.device(1), kXid, set), Return::success);
  std::atomic<int> reads = 0;
  std::atomic<bool> done = false;
  std::thread reader([&] {
    while (!done) reads += machine.power_mw(0) > 0 ? 1 : 0;
  });
  EXPECT_EQ(symbol<Wait>("nvmlEventSetWait_v2")(set, data, 20'000), Return::gpu_is_lost);
  done = true;
  reader.join();
  EXPECT_GT(reads, 10);
  EXPECT_EQ(symbol<Free>("nvmlEventSetFree")(set), Return::success);
}

}  // namespace
}  // namespace ergon::test
