// Runs on a simulated GPU whose clock is locked through leases, and every way in which they can go wrong.

#include "sweep/device_bench.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/random.h"
#include "device/lease/journal_folder.h"
#include "graph/zoo/zoo.h"
#include "support/temporary_folder.h"
#include "sweep/steered_twin.h"

namespace ergon::sweep {
namespace {

using test::SteeredTwin;
using test::WatchedEngine;

constexpr Hertz kLow{900e6}, kHigh{1200e6};  // of a V100
using Reasons = std::vector<std::string>;

// In memory where there is such a folder: hundreds of journals are slow on a disk that is busy.
test::TemporaryFolder quick_folder() {
  if (::access("/dev/shm", W_OK | X_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 0);
  return {};
}

struct World {
  test::TemporaryFolder folder = quick_folder();
  device::LeasePlace place{folder.path() / "state/leases", "boot-1"};
  std::unique_ptr<profile::TwinBench> twin =
      profile::TwinBench::open(device::find_device("v100").value(), Timestamp{}).value();
  SteeredTwin gpu{twin->twin()};
  WatchedEngine engine{*twin};
  bool permitted = true, metered = true;
  DeviceBench::Settings settings;

  DeviceBench bench() {
    std::vector<profile::Candidate> networks;
    for (const char* name : {"resnet18", "alexnet"}) {
      networks.push_back({name, graph::zoo::build(**graph::zoo::find(name)).value(), std::nullopt});
    }
    std::optional<DeviceBench::Control> control;
    if (permitted) control = DeviceBench::Control{place, device::ControlAllowed::by_user()};
    return DeviceBench(gpu, engine, metered ? twin.get() : nullptr, twin->clock(), control,
                       std::move(networks), settings);
  }
  Result<RunRow> run(const sweep::Run& what, const std::stop_token& stop = {}) {
    return bench().run(what, stop);
  }

  // Nothing is locked, and nothing is left to be taken back.
  bool is_free() const {
    const auto journal = place.folder / device::journal_name(gpu.identity().uuid);
    return gpu.is_free() && read_file(journal).value_or("").empty();
  }
};

sweep::Run at(std::optional<Hertz> clock, std::int64_t batch = 8) {
  return {"resnet18", batch, Scenario::steady, clock, 1};
}

// The run of the engine with which a window begins: counted in a world where nothing is in the way.
struct Course {
  int settled = 0, all = 0;
};
Course course_of(const sweep::Run& run) {
  World world;
  Course course;
  // The clock is looked at when it has settled, before the window, and behind each of its segments.
  world.gpu.at_look = [&](int look) -> Result<> {
    if (look == 2) course.settled = world.engine.runs;
    return {};
  };
  EXPECT_TRUE(world.run(run));
  course.all = world.engine.runs;
  return course;
}

TEST(DeviceBench, RunsAtTheClockThatIsAskedForAndPutsItBack) {
  World world;
  const RunRow slow = world.run(at(kLow)).value();
  EXPECT_TRUE(world.is_free());
  const RunRow fast = world.run(at(kHigh)).value();
  EXPECT_TRUE(world.is_free());
  for (const RunRow& row : {slow, fast}) {
    EXPECT_TRUE(row.valid) << row.reasons.front();
    EXPECT_EQ(row.clock_observed, row.run.clock);
    EXPECT_TRUE(row.simulated);
    EXPECT_EQ(row.device, "Steered V100 GPU-5fb1");
    ASSERT_TRUE(row.time && row.energy && row.power_mean && row.power_max && row.energy_uncertainty);
    EXPECT_NEAR((*row.energy / *row.time / *row.power_mean).si(), 1, 0.02);
    EXPECT_GE(*row.power_max, *row.power_mean * 0.98);
    EXPECT_GT(*row.energy_uncertainty, Joules{0});
    EXPECT_TRUE(row.temperature);
    EXPECT_EQ(std::count(row.event_reasons.begin(), row.event_reasons.end(), "idle"), 0);
  }
  EXPECT_GT(*slow.time, *fast.time);
  EXPECT_LT(*slow.power_mean, *fast.power_mean);
  EXPECT_EQ(world.gpu.writes, 4);
}

TEST(DeviceBench, ListsItsClocks) {
  World world;
  const auto clocks = world.bench().clocks().value();
  EXPECT_TRUE(std::is_sorted(clocks.begin(), clocks.end()));
  EXPECT_NE(std::find(clocks.begin(), clocks.end(), kLow), clocks.end());
}

TEST(DeviceBench, AtItsOwnClockItWritesNothing) {
  World world;
  world.permitted = false;
  const RunRow row = world.run(at(std::nullopt)).value();
  EXPECT_TRUE(row.valid);
  ASSERT_TRUE(row.clock_observed);
  EXPECT_GT(*row.clock_observed, kHigh);
  EXPECT_EQ(world.gpu.writes, 0);
  EXPECT_FALSE(std::filesystem::exists(world.place.folder));
}

TEST(DeviceBench, WithoutPermissionItSaysWhatRemains) {
  World world;
  world.permitted = false;
  const auto row = world.run(at(kLow));
  ASSERT_FALSE(row);
  EXPECT_EQ(row.error().kind, Errc::permission);
  EXPECT_NE(row.error().message.find("--allow-control"), std::string::npos);
  EXPECT_NE(row.error().message.find("--clocks own"), std::string::npos);

  World driver;
  driver.gpu.at_write = [](const auto&, int) -> Result<> { return fail(Errc::permission, "only root may"); };
  const auto refused = driver.run(at(kLow));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, Errc::permission);
  EXPECT_NE(refused.error().message.find("--clocks own"), std::string::npos);
  EXPECT_EQ(driver.engine.prepared, 0);

  World rigid;
  rigid.gpu.controllable = false;
  const auto cannot = rigid.run(at(kLow));
  ASSERT_FALSE(cannot);
  EXPECT_EQ(cannot.error().kind, Errc::unsupported);
  EXPECT_NE(cannot.error().message.find("--clocks own"), std::string::npos);
}

TEST(DeviceBench, SomebodyElsesLeaseIsLeftAlone) {
  World world;
  const auto theirs =
      device::Lease::acquire(world.gpu, world.place, device::ControlAllowed::by_user()).value();
  const auto row = world.run(at(kLow));
  ASSERT_FALSE(row);
  EXPECT_EQ(row.error().kind, Errc::permission);
  EXPECT_NE(row.error().message.find("is leased by"), std::string::npos);
  EXPECT_EQ(world.gpu.writes, 0);
}

TEST(DeviceBench, AClockThatIsRefusedIsARow) {
  World world;
  for (const Errc kind : {Errc::invalid_input, Errc::unsupported}) {
    world.gpu.at_write = [&](const auto&, int) -> Result<> { return fail(kind, "no such clock"); };
    const RunRow row = world.run(at(kLow)).value();
    EXPECT_FALSE(row.valid);
    EXPECT_EQ(row.reasons, Reasons{"clock_refused"});
    EXPECT_FALSE(row.time || row.energy || row.power_max || row.clock_observed);
    EXPECT_EQ(world.engine.prepared, 0);
  }
  world.gpu.at_write = nullptr;
  EXPECT_TRUE(world.run(at(kLow)).value().valid);
  EXPECT_TRUE(world.is_free());
}

// Somebody locks another clock: early in the window, in its middle, and in its last segment.
TEST(DeviceBench, AClockThatChangesMeanwhileSpeaksAgainstTheRun) {
  const Course course = course_of(at(kLow));
  ASSERT_GT(course.all, course.settled + 10);
  // One behind the window keeps its edge from blurring.
  for (const int when : {course.settled + 1, (course.settled + course.all) / 2, course.all - 1}) {
    World world;
    world.engine.at_run = [&](int run) -> Result<> {
      return run == when ? world.twin->twin().lock_clock(kHigh) : Result<>();
    };
    const RunRow row = world.run(at(kLow)).value();
    EXPECT_FALSE(row.valid) << when;
    EXPECT_EQ(row.reasons, Reasons{"clock_changed"}) << when;
    EXPECT_EQ(row.clock_observed, kHigh) << when;
    EXPECT_TRUE(row.time && row.energy);
    EXPECT_TRUE(world.is_free());
  }
}

TEST(DeviceBench, AChangeThatIsTakenBackIsSeenToo) {
  const Course course = course_of(at(kLow));
  const int when = (course.settled + course.all) / 2;
  World world;
  world.engine.at_run = [&](int run) -> Result<> {
    if (run == when) return world.twin->twin().lock_clock(Hertz{600e6});
    if (run == when + 2) return world.twin->twin().lock_clock(kLow);
    return {};
  };
  const RunRow row = world.run(at(kLow)).value();
  EXPECT_EQ(row.reasons, Reasons{"clock_changed"});
  EXPECT_EQ(row.clock_observed, Hertz{600e6});
}

TEST(DeviceBench, AStepOfTheGridIsToleratedAndTwoAreNot) {
  const Course course = course_of(at(kLow));
  for (const auto& [clock, fine] : {std::pair{Hertz{892.5e6}, true}, std::pair{Hertz{885e6}, false}}) {
    World world;
    world.engine.at_run = [&](int run) -> Result<> {
      return run == course.settled + 3 ? world.twin->twin().lock_clock(clock) : Result<>();
    };
    const RunRow row = world.run(at(kLow)).value();
    EXPECT_EQ(row.valid, fine) << clock.si();
    EXPECT_EQ(row.clock_observed, clock);
  }
}

TEST(DeviceBench, APowerCapThatHoldsTheClockDownIsSaidAndNotAveragedAway) {
  World world;
  ASSERT_TRUE(world.twin->twin().set_limit(Watts{150}));
  const Hertz highest = world.bench().clocks().value().back();
  const RunRow row = world.run(at(highest, 64)).value();
  EXPECT_FALSE(row.valid);
  EXPECT_NE(std::find(row.reasons.begin(), row.reasons.end(), "clock_not_reached"), row.reasons.end());
  EXPECT_NE(std::find(row.event_reasons.begin(), row.event_reasons.end(), "power_cap"),
            row.event_reasons.end());
  ASSERT_TRUE(row.clock_observed);
  EXPECT_LT(*row.clock_observed, highest * 0.95);
  EXPECT_TRUE(row.time && row.energy);
  EXPECT_TRUE(world.is_free());
}

TEST(DeviceBench, AClockThatNobodyTellsIsNotTakenForGranted) {
  World world;
  world.gpu.at_look = [](int) -> Result<> { return fail(Errc::unsupported, "no clock"); };
  world.metered = false;
  const RunRow row = world.run(at(kLow)).value();
  EXPECT_EQ(row.reasons, Reasons{"clock_unseen"});
  EXPECT_FALSE(row.clock_observed);
  EXPECT_TRUE(row.time);
}

TEST(DeviceBench, WhatTheEngineCannotRunIsARow) {
  const std::pair<Errc, std::string> cases[] = {
      {Errc::out_of_memory, "out_of_memory"}, {Errc::unsupported, "unsupported"}, {Errc::io, "failed"}};
  for (const auto& [kind, code] : cases) {
    World world;
    world.engine.at_prepare = [&, kind = kind](int) -> Result<> { return fail(kind, "because"); };
    for (const auto& clock : {std::optional(kLow), std::optional<Hertz>()}) {
      const RunRow row = world.run(at(clock)).value();
      EXPECT_FALSE(row.valid);
      EXPECT_EQ(row.reasons, Reasons{code});
      EXPECT_FALSE(row.time || row.energy);
      EXPECT_TRUE(world.is_free());
    }
  }
  World world;
  EXPECT_EQ(world.run({"vgg16", 1, Scenario::steady, kLow, 1}).error().kind, Errc::not_found);
}

TEST(DeviceBench, AnExecutionIsSettingUpAndOnePrediction) {
  World world;
  // Setting up takes half a second the second time, which is the one that counts.
  world.engine.at_prepare = [&](int time) -> Result<> {
    if (time == 2) world.twin->clock().sleep_until(world.twin->clock().now() + Seconds{0.5});
    return {};
  };
  const RunRow row = world.run({"resnet18", 1, Scenario::execution, kLow, 1}).value();
  EXPECT_EQ(world.engine.prepared, 2);
  ASSERT_TRUE(row.time && row.energy);
  EXPECT_NEAR(row.time->si(), 0.5, 0.1);
  EXPECT_EQ(row.clock_observed, kLow);
  EXPECT_TRUE(world.is_free());

  World changed;
  changed.engine.at_prepare = [&](int time) -> Result<> {
    if (time != 2) return {};
    auto locked = changed.twin->twin().lock_clock(Hertz{600e6});
    changed.twin->clock().sleep_until(changed.twin->clock().now() + Seconds{0.5});
    return locked;
  };
  const RunRow against = changed.run({"resnet18", 1, Scenario::execution, kLow, 1}).value();
  EXPECT_NE(std::find(against.reasons.begin(), against.reasons.end(), "clock_changed"),
            against.reasons.end());
  EXPECT_EQ(against.clock_observed, Hertz{600e6});
}

TEST(DeviceBench, AnExecutionTooShortForTheSensorSaysSo) {
  World world;
  const RunRow row = world.run({"alexnet", 1, Scenario::execution, kLow, 1}).value();
  EXPECT_FALSE(row.valid);
  EXPECT_EQ(row.reasons, Reasons{"too_short"});
}

TEST(DeviceBench, WithoutAMeterThereIsTimeAndNoEnergy) {
  World world;
  world.metered = false;
  const RunRow row = world.run(at(kLow)).value();
  EXPECT_TRUE(row.valid);
  EXPECT_TRUE(row.time && row.clock_observed && row.temperature);
  EXPECT_FALSE(row.energy || row.power_max || row.power_mean || row.energy_uncertainty);
}

TEST(DeviceBench, AWindowIsAsLongAsAskedFor) {
  World world;
  world.settings.time = Seconds{3};
  const RunRow row = world.run(at(kLow)).value();
  EXPECT_GE(row.time->si() * static_cast<double>(world.engine.iterations), 2.9);
}

TEST(DeviceBench, WhatCannotBePutBackIsNamed) {
  World world;
  world.gpu.at_write = [](const device::ControlValue& value, int) -> Result<> {
    return value.clocks ? Result<>() : fail(Errc::io, "the bus is broken");
  };
  const auto row = world.run(at(kLow));
  ASSERT_FALSE(row);
  EXPECT_EQ(row.error().kind, Errc::io);
  EXPECT_NE(row.error().message.find("gpu0: core_clock could not be set back to unlocked"), std::string::npos)
      << row.error().message;
  // The next lease takes it back.
  world.gpu.at_write = nullptr;
  EXPECT_TRUE(world.run(at(kHigh)).value().valid);
  EXPECT_TRUE(world.is_free());
}

TEST(DeviceBench, StopsAtOnceAndPutsBackFirst) {
  const Course course = course_of(at(kLow));
  for (int when = 1; when < course.all; when += 3) {
    World world;
    std::stop_source stop;
    world.engine.at_run = [&](int run) -> Result<> {
      if (run == when) stop.request_stop();
      return {};
    };
    const auto row = world.run(at(kLow), stop.get_token());
    EXPECT_TRUE(world.is_free());
    if (when < course.all - 1) {
      ASSERT_FALSE(row) << when;
      EXPECT_EQ(row.error().kind, Errc::cancelled);
      EXPECT_LE(world.engine.runs, when + 1);
    }
  }
}

// Whatever fails, and whenever: the device is as before, or the error says that it is not.
TEST(DeviceBench, IsAsBeforeWhateverFails) {
  constexpr Errc kKinds[] = {Errc::unsupported, Errc::permission, Errc::not_found, Errc::invalid_input,
                             Errc::device_lost, Errc::io,         Errc::cancelled, Errc::out_of_memory};
  int rows = 0, errors = 0, left = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    World world;
    Random random(seed);
    world.settings.time = Seconds{0.2};
    const Errc kind = kKinds[random.below(std::size(kKinds))];
    const auto early = static_cast<int>(random.below(2)) + 1;
    const auto when = static_cast<int>(random.below(8)) + 1;
    const auto failing = [kind](int now, int then) -> Result<> {
      return now == then ? fail(kind, "something") : Result<>();
    };
    switch (random.below(4)) {
      case 0:
        world.engine.at_run = [=](int now) { return failing(now, when); };
        break;
      case 1:
        world.engine.at_prepare = [=](int now) { return failing(now, early); };
        break;
      case 2:
        world.gpu.at_look = [=](int now) { return failing(now, when); };
        break;
      default:
        world.gpu.at_write = [=](const auto&, int now) { return failing(now, early); };
    }
    const Scenario scenario = random.below(2) == 0 ? Scenario::steady : Scenario::execution;
    const std::optional<Hertz> clock = random.below(8) == 0 ? std::nullopt : std::optional(kLow);
    const auto row = world.run({"resnet18", 4, scenario, clock, 1});
    row ? ++rows : ++errors;
    if (!world.is_free()) {
      ++left;
      ASSERT_FALSE(row) << seed;
      EXPECT_EQ(row.error().kind, Errc::io) << seed;
      EXPECT_NE(row.error().message.find("could not be set back"), std::string::npos) << seed;
    }
    if (row && !row->time) {
      EXPECT_FALSE(row->valid) << seed;
    }
  }
  EXPECT_GT(rows, 20);
  EXPECT_GT(errors, 20);
  EXPECT_GT(left, 0);
}

}  // namespace
}  // namespace ergon::sweep
