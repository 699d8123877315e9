#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "device/rapl/find.h"
#include "device/rapl/powercap_tree.h"

namespace ergon::device {
namespace {

using test::OrdinaryUser;
using test::PowercapTree;

std::vector<std::string> ids(const FoundDevices& found) {
  std::vector<std::string> ids;
  for (const auto& device : found.devices) ids.push_back(device->identity().id);
  return ids;
}

using Names = std::vector<std::string>;

TEST(Rapl, ListsPackagesAndMemoriesOfAServer) {
  const PowercapTree tree("two-socket-server");
  const FoundDevices found = tree.find();
  EXPECT_TRUE(found.problems.empty());
  ASSERT_EQ(ids(found), (Names{"cpu0", "dram0", "cpu1", "dram1"}));
  for (const auto& device : found.devices) {
    EXPECT_EQ(device->identity().kind, DeviceKind::rapl);
    EXPECT_FALSE(device->simulated());
    EXPECT_TRUE(device->capabilities().energy_counter);
    EXPECT_TRUE(device->capabilities().power.empty());
    EXPECT_EQ(device->power(PowerField::usage).error().kind, Errc::unsupported);
  }
  EXPECT_EQ(found.devices[2]->identity().name, "Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz");
  EXPECT_EQ(found.devices[3]->identity().name, "memory of package 1");
  EXPECT_DOUBLE_EQ(found.devices[0]->energy_counter()->si(), 184467.440737);
  EXPECT_DOUBLE_EQ(found.devices[3]->energy_counter()->si(), 61230.998877);
}

TEST(Rapl, CountsNothingTwiceOnALaptop) {
  // Not core and uncore (parts of the package), not psys (contains it), and the package only once.
  const PowercapTree tree("laptop");
  const FoundDevices found = tree.find();
  EXPECT_TRUE(found.problems.empty());
  EXPECT_EQ(ids(found), Names{"cpu0"});
}

TEST(Rapl, PrefersRegistersToTheMappedCopy) {
  const PowercapTree tree("laptop");
  const FoundDevices found = tree.find();
  tree.set("intel-rapl:0", 55'102'334'218 + 3'000'000);
  tree.set("intel-rapl-mmio:0", 55'102'334'218 + 9'000'000);
  EXPECT_DOUBLE_EQ(found.devices.at(0)->energy_counter()->si(), 55105.334218);
}

TEST(Rapl, FallsBackToTheMappedCopy) {
  const PowercapTree tree("laptop");
  tree.write("intel-rapl:0", "energy_uj", "");
  const FoundDevices found = tree.find();
  EXPECT_EQ(ids(found), Names{"cpu0"});
  EXPECT_TRUE(found.problems.empty());
}

TEST(Rapl, ReadsAmdProcessors) {
  const PowercapTree tree("amd");
  const FoundDevices found = tree.find();
  EXPECT_EQ(ids(found), Names{"cpu0"});
  EXPECT_EQ(found.devices.at(0)->identity().name, "package 0");  // the processor name is unknown
}

TEST(Rapl, ListsDiesOfAPackage) {
  const PowercapTree tree("two-socket-server");
  for (const auto& [zone, name] :
       {std::pair{"intel-rapl:0", "package-0-die-0\n"}, std::pair{"intel-rapl:1", "package-0-die-1\n"}}) {
    tree.write(zone, "name", name);
  }
  const FoundDevices found = tree.find();
  ASSERT_EQ(ids(found), (Names{"cpu0-die0", "dram0-die0", "cpu0-die1", "dram0-die1"}));
  EXPECT_TRUE(found.devices[3]->identity().uuid.ends_with("-package-0-die-1-dram"));
}

TEST(Rapl, FollowsTheLinksOfARealTree) {
  namespace fs = std::filesystem;
  const PowercapTree tree("two-socket-server");
  const test::TemporaryFolder linked;
  for (const auto& entry : fs::directory_iterator(tree.path())) {
    fs::create_symlink(entry.path(), linked / entry.path().filename().string());
  }
  EXPECT_EQ(rapl::find_devices({linked.path(), "", ""}).devices.size(), 4u);
}

TEST(Rapl, AMachineWithoutCountersHasNoProblems) {
  const test::TemporaryFolder empty;
  for (const auto& powercap : {empty.path(), empty / "absent"}) {
    const FoundDevices found = rapl::find_devices({powercap, "", ""});
    EXPECT_TRUE(found.devices.empty());
    EXPECT_TRUE(found.problems.empty());
  }
}

TEST(Rapl, UuidsDependOnTheMachineAndHideItsId) {
  const PowercapTree tree("two-socket-server");
  const std::string uuid = tree.find().devices.at(1)->identity().uuid;
  EXPECT_EQ(uuid, tree.find().devices.at(1)->identity().uuid);
  EXPECT_TRUE(uuid.starts_with("RAPL-"));
  EXPECT_TRUE(uuid.ends_with("-package-0-dram"));
  EXPECT_EQ(uuid.find("3f1b7ad0"), std::string::npos);

  tree.write("", "machine-id", "3f1b7ad0c29e4d6c8f5502aa9be1d735\n");
  EXPECT_NE(tree.find().devices.at(1)->identity().uuid, uuid);
  for (const char* none : {"", "\n", "uninitialized\n"}) {
    tree.write("", "machine-id", none);
    EXPECT_EQ(tree.find().devices.at(1)->identity().uuid, "RAPL-package-0-dram");
  }
}

TEST(Rapl, HandlesTwoWraps) {
  const PowercapTree tree("amd");
  const FoundDevices found = tree.find();
  Device& cpu = *found.devices.at(0);
  constexpr std::uint64_t kRange = 65'532'610'987;
  const double start = cpu.energy_counter()->si();
  EXPECT_DOUBLE_EQ(start, 15.008811);
  tree.set("intel-rapl:0", kRange);
  EXPECT_DOUBLE_EQ(cpu.energy_counter()->si(), 65532.610987);
  tree.set("intel-rapl:0", 0);
  EXPECT_DOUBLE_EQ(cpu.energy_counter()->si(), 65532.610988);
  tree.set("intel-rapl:0", 40'000'000'000);
  EXPECT_DOUBLE_EQ(cpu.energy_counter()->si(), 105532.610988);
  tree.set("intel-rapl:0", 2'000'000);
  EXPECT_DOUBLE_EQ(cpu.energy_counter()->si(), 2 * 65532.610988 + 2);
}

TEST(Rapl, AConstantCounterIsNotAnError) {
  const PowercapTree tree("amd");
  const FoundDevices found = tree.find();
  for (int i = 0; i < 3; ++i) {
    const auto energy = found.devices.at(0)->energy_counter();
    ASSERT_TRUE(energy);
    EXPECT_DOUBLE_EQ(energy->si(), 15.008811);
  }
}

TEST(Rapl, InvalidContentIsAProblemOfOneDomain) {
  const PowercapTree tree("two-socket-server");
  tree.write("intel-rapl:0", "energy_uj", "lots\x1b of it\n");
  tree.write("intel-rapl:0:0", "energy_uj", "-5\n");
  tree.write("intel-rapl:1", "max_energy_range_uj", "");
  tree.write("intel-rapl:1:0", "energy_uj", "65712999614\n");  // exceeds its range
  const FoundDevices found = tree.find();
  EXPECT_TRUE(found.devices.empty());
  ASSERT_EQ(found.problems.size(), 4u);
  for (const Error& problem : found.problems) EXPECT_EQ(problem.kind, Errc::invalid_input) << problem.message;
  EXPECT_TRUE(found.problems[0].message.starts_with("cpu0: ")) << found.problems[0].message;
  EXPECT_NE(found.problems[0].message.find("\"lots? of it\""), std::string::npos)
      << found.problems[0].message;

  tree.write("intel-rapl:0", "name", "packages\n");
  tree.write("intel-rapl:1", "name", "package-first\n");
  EXPECT_TRUE(tree.find().problems.empty());  // no folder has a known name
}

TEST(Rapl, InvalidContentWhileMeasuringLosesNoEnergy) {
  const PowercapTree tree("amd");
  const FoundDevices found = tree.find();
  for (const char* garbage : {"", "x", "65532610988", "99999999999999999999"}) {
    tree.write("intel-rapl:0", "energy_uj", garbage);
    EXPECT_EQ(found.devices.at(0)->energy_counter().error().kind, Errc::invalid_input) << garbage;
  }
  tree.set("intel-rapl:0", 16'008'811);
  EXPECT_DOUBLE_EQ(found.devices.at(0)->energy_counter()->si(), 16.008811);
}

TEST(Rapl, AMissingCounterIsALostDevice) {
  const PowercapTree tree("two-socket-server");
  const FoundDevices found = tree.find();
  tree.remove("intel-rapl:1");
  const auto energy = found.devices.at(2)->energy_counter();
  ASSERT_FALSE(energy);
  EXPECT_EQ(energy.error().kind, Errc::device_lost);
  EXPECT_TRUE(energy.error().message.starts_with("cpu1: ")) << energy.error().message;
  EXPECT_TRUE(found.devices.at(0)->energy_counter());
}

TEST(Rapl, UnreadableCountersAreOneProblemWithInstructions) {
  const PowercapTree tree("two-socket-server");
  tree.close("intel-rapl:0");
  tree.close("intel-rapl:1:0");
  const OrdinaryUser user;
  const FoundDevices found = tree.find();
  EXPECT_EQ(ids(found), (Names{"dram0", "cpu1"}));
  ASSERT_EQ(found.problems.size(), 1u);
  EXPECT_EQ(found.problems[0].kind, Errc::permission);
  const std::string& message = found.problems[0].message;
  EXPECT_TRUE(message.starts_with("cpu0, dram1: ")) << message;
  EXPECT_NE(message.find("sudo chmod a+r " + (tree.path() / "intel-rapl*:*/energy_uj").string()),
            std::string::npos)
      << message;
}

TEST(Rapl, TheInstructionsWork) {
  const PowercapTree tree("laptop");
  tree.close("intel-rapl:0");
  tree.close("intel-rapl-mmio:0");
  std::string advice;
  {
    const OrdinaryUser user;
    const FoundDevices found = tree.find();
    ASSERT_EQ(found.problems.size(), 1u);
    const std::string& message = found.problems[0].message;
    const auto begin = message.find("chmod"), end = message.find(" (docs");
    ASSERT_LT(begin, end) << message;
    advice = message.substr(begin, end - begin);
  }
  ASSERT_EQ(std::system(advice.c_str()), 0) << advice;
  const OrdinaryUser user;
  EXPECT_EQ(ids(tree.find()), Names{"cpu0"});
}

TEST(Rapl, ACounterMayBecomeUnreadable) {
  const PowercapTree tree("amd");
  const FoundDevices found = tree.find();
  tree.close("intel-rapl:0");
  const OrdinaryUser user;
  EXPECT_EQ(found.devices.at(0)->energy_counter().error().kind, Errc::permission);
}

TEST(Rapl, TheCounterNeverDecreasesWithManyThreads) {
  const PowercapTree tree("amd");
  const FoundDevices found = tree.find();
  Device& cpu = *found.devices.at(0);
  constexpr std::uint64_t kModulus = 65'532'610'988, kStep = 21'000'000'123;
  std::atomic<bool> done = false;
  std::atomic<int> faults = 0;
  std::vector<std::jthread> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      for (Joules last; !done;) {
        const auto energy = cpu.energy_counter();
        if (!energy || *energy < last) ++faults;
        if (energy) last = *energy;
      }
    });
  }
  std::uint64_t truth = 15'008'811;
  for (int i = 0; i < 50; ++i) {
    truth += kStep;
    tree.set("intel-rapl:0", truth % kModulus);
    ASSERT_TRUE(cpu.energy_counter());  // read often enough for every wrap
  }
  done = true;
  readers.clear();
  EXPECT_EQ(faults, 0);
  EXPECT_DOUBLE_EQ(cpu.energy_counter()->si(), static_cast<double>(truth) / 1e6);
}

}  // namespace
}  // namespace ergon::device
