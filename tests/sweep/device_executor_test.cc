// Runs on a simulated GPU with locked clocks, and their failures.

#include "sweep/device_executor.h"

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

using test::HookedEngine;
using test::SteeredTwin;

constexpr Hertz kLow{900e6}, kHigh{1200e6};  // of a V100
using Reasons = std::vector<std::string>;

// In memory if possible, because hundreds of journals are slow on a busy disk.
test::TemporaryFolder quick_folder() {
  if (::access("/dev/shm", W_OK | X_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 0);
  return {};
}

// A meter with given results.
class GivenMeter final : public profile::PowerMeter {
 public:
  explicit GivenMeter(Result<meter::Measurement> result, Seconds min_window = {})
      : result_(std::move(result)), min_window_(min_window) {}

  std::unique_ptr<profile::EnergyWindow> open() override { return std::make_unique<Window>(result_); }
  std::optional<Celsius> temperature() override { return std::nullopt; }
  Seconds min_window() const override { return min_window_; }
  Seconds padding() const override { return Seconds{0}; }

 private:
  class Window final : public profile::EnergyWindow {
   public:
    explicit Window(const Result<meter::Measurement>& result) : result_(result) {}
    void close() override {}
    Result<meter::Measurement> measurement(const std::stop_token&) override { return result_; }

   private:
    const Result<meter::Measurement>& result_;
  };

  Result<meter::Measurement> result_;
  Seconds min_window_;
};

struct World {
  test::TemporaryFolder folder = quick_folder();
  device::LeaseStore place{folder.path() / "state/leases", "boot-1"};
  std::unique_ptr<profile::TwinBench> twin =
      profile::TwinBench::open(device::find_device("v100").value(), Timestamp{}).value();
  SteeredTwin gpu{twin->twin()};
  HookedEngine engine{*twin};
  bool permitted = true, metered = true;
  profile::PowerMeter* other_watch = nullptr;  // instead of the twin's meter
  std::optional<graph::Content> content;
  DeviceExecutor::Settings settings;

  DeviceExecutor bench() {
    std::vector<profile::LoadedNetwork> networks;
    for (const char* name : {"resnet18", "alexnet"}) {
      networks.push_back({name, graph::zoo::build(**graph::zoo::find(name)).value(), content});
    }
    std::optional<DeviceExecutor::Control> control;
    if (permitted) control = DeviceExecutor::Control{place, device::ControlAllowed::by_user()};
    profile::PowerMeter* const watch = other_watch != nullptr ? other_watch : twin.get();
    return DeviceExecutor(gpu, engine, metered ? watch : nullptr, twin->clock(), control, std::move(networks),
                          settings);
  }
  Result<RunRow> run(const sweep::Run& what, const std::stop_token& stop = {}) {
    return bench().run(what, stop);
  }

  // Nothing is locked, and no journal is left.
  bool is_free() const {
    const auto journal = place.folder / device::journal_name(gpu.identity().uuid);
    return gpu.is_free() && read_file(journal).value_or("").empty();
  }
};

sweep::Run at(std::optional<Hertz> clock, std::int64_t batch = 8) {
  return {"resnet18", batch, Scenario::steady, clock, 1};
}

// Number of the engine run at which a window starts, counted without faults.
struct Course {
  int settled = 0, all = 0;
};
Course course_of(const sweep::Run& run) {
  World world;
  Course course;
  // The clock is read when it has settled, before the window, and after each of its segments.
  world.gpu.at_clock_read = [&](int read) -> Result<> {
    if (read == 2) course.settled = world.engine.runs;
    return {};
  };
  EXPECT_TRUE(world.run(run));
  course.all = world.engine.runs;
  return course;
}

TEST(DeviceExecutor, RunsAtTheRequestedClockAndRestoresIt) {
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

TEST(DeviceExecutor, TimeAndEnergyAreOfOneIteration) {
  World world;
  world.twin->rest(Seconds{5});
  const Timestamp before = world.twin->clock().wall_now();
  const RunRow row = world.run(at(kLow)).value();
  const auto network = graph::zoo::build(**graph::zoo::find("resnet18")).value();
  const auto workload =
      device::workload_of(network, 8, graph::Mode::inference, device::Precision::tf32).value();
  const device::Load load(workload, device::find_device("v100").value());
  EXPECT_NEAR((*row.time / load.at(kLow).time).si(), 1, 0.01);
  EXPECT_LT(*row.energy_uncertainty, *row.energy * 0.2);
  EXPECT_EQ(row.started_at, before);
}

TEST(DeviceExecutor, ListsItsClocks) {
  World world;
  const auto clocks = world.bench().clocks().value();
  EXPECT_TRUE(std::is_sorted(clocks.begin(), clocks.end()));
  EXPECT_NE(std::find(clocks.begin(), clocks.end(), kLow), clocks.end());
}

TEST(DeviceExecutor, TheDefaultClockChangesNothing) {
  World world;
  world.permitted = false;
  const RunRow row = world.run(at(std::nullopt)).value();
  EXPECT_TRUE(row.valid);
  ASSERT_TRUE(row.clock_observed);
  EXPECT_GT(*row.clock_observed, kHigh);
  EXPECT_EQ(world.gpu.writes, 0);
  EXPECT_FALSE(std::filesystem::exists(world.place.folder));
}

// The median of the readings; a change by another process is reported.
TEST(DeviceExecutor, TheObservedDefaultClockIsTheMedianReading) {
  World world;
  world.engine.at_run = [&](int run) -> Result<> {
    constexpr int kSoon = 10;
    if (run == kSoon) return world.twin->twin().lock_clock(Hertz{600e6});
    if (run == kSoon + 2) world.twin->twin().unlock_clock();
    return {};
  };
  const RunRow row = world.run(at(std::nullopt)).value();
  EXPECT_EQ(row.reasons, Reasons{"clock_changed"});
  ASSERT_TRUE(row.clock_observed);
  EXPECT_GT(*row.clock_observed, kHigh);
}

// The clock is reached late because of a throttle; that is waited for and not reported.
TEST(DeviceExecutor, StateBeforeTheWindowDoesNotInvalidateARow) {
  World world;
  world.gpu.further_reasons = device::EventReasons(device::EventReasons::kHardwareHeat);
  bool held = false;
  world.engine.at_run = [&](int) -> Result<> {
    if (!held) {
      held = true;
      return world.twin->twin().lock_clock(Hertz{600e6});
    }
    if (world.gpu.clock_reads < 3) return {};
    world.gpu.further_reasons = {};
    return world.twin->twin().lock_clock(kLow);
  };
  const RunRow row = world.run(at(kLow)).value();
  EXPECT_TRUE(row.valid) << row.reasons.front();
  EXPECT_EQ(row.clock_observed, kLow);
  EXPECT_EQ(std::count(row.event_reasons.begin(), row.event_reasons.end(), "hardware_heat"), 0);
}

TEST(DeviceExecutor, TheDefaultClockMayVaryByAStepOrUnderALimit) {
  struct Case {
    Hertz clock;
    bool capped, fine;
  };
  for (const Case& each : {Case{Hertz{1365e6}, false, true}, Case{Hertz{1200e6}, false, false},
                           Case{Hertz{1200e6}, true, true}}) {
    World world;
    if (each.capped) world.gpu.further_reasons = device::EventReasons(device::EventReasons::kPowerCap);
    world.engine.at_run = [&](int run) -> Result<> {
      return run == 10 ? world.twin->twin().lock_clock(each.clock) : Result<>();
    };
    EXPECT_EQ(world.run(at(std::nullopt))->valid, each.fine) << each.clock.si() << " " << each.capped;
  }
}

TEST(DeviceExecutor, TheDefaultClockMustBeReported) {
  World world;
  world.gpu.at_clock_read = [](int) -> Result<> { return fail(Errc::unsupported, "no clock"); };
  EXPECT_EQ(world.run(at(std::nullopt))->reasons, Reasons{"clock_unseen"});
}

TEST(DeviceExecutor, WithoutPermissionTheErrorNamesTheAlternative) {
  World world;
  world.permitted = false;
  const auto row = world.run(at(kLow));
  ASSERT_FALSE(row);
  EXPECT_EQ(row.error().kind, Errc::permission);
  EXPECT_NE(row.error().message.find("--allow-control"), std::string::npos);
  EXPECT_NE(row.error().message.find("--clocks default"), std::string::npos);

  World driver;
  driver.gpu.at_write = [](const auto&, int) -> Result<> { return fail(Errc::permission, "only root may"); };
  const auto refused = driver.run(at(kLow));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, Errc::permission);
  EXPECT_NE(refused.error().message.find("--clocks default"), std::string::npos);
  EXPECT_EQ(driver.engine.prepared, 0);

  World rigid;
  rigid.gpu.controllable = false;
  const auto cannot = rigid.run(at(kLow));
  ASSERT_FALSE(cannot);
  EXPECT_EQ(cannot.error().kind, Errc::unsupported);
  EXPECT_NE(cannot.error().message.find("--clocks default"), std::string::npos);
}

TEST(DeviceExecutor, ALeaseOfAnotherProcessIsRespected) {
  World world;
  const auto theirs =
      device::Lease::acquire(world.gpu, world.place, device::ControlAllowed::by_user()).value();
  const auto row = world.run(at(kLow));
  ASSERT_FALSE(row);
  EXPECT_EQ(row.error().kind, Errc::busy);
  EXPECT_NE(row.error().message.find("leased by"), std::string::npos);
  EXPECT_EQ(world.gpu.writes, 0);
}

TEST(DeviceExecutor, ARefusedClockGivesAnInvalidRow) {
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

// Another process locks another clock: early in the window, in its middle, and in its last segment.
TEST(DeviceExecutor, AClockChangeInTheWindowInvalidatesTheRow) {
  const Course course = course_of(at(kLow));
  ASSERT_GT(course.all, course.settled + 10);
  // One run after the window is padding.
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

TEST(DeviceExecutor, ATemporaryClockChangeIsDetected) {
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

// Between two segments, only the meter reads the clock.
TEST(DeviceExecutor, AChangeThatOnlyTheMeterReadIsDetected) {
  const Course course = course_of(at(kLow));
  World world;
  world.settings.duration = Seconds{4};
  world.engine.at_run = [&](int run) -> Result<> {
    if (run != course.settled + 3) return {};
    EXPECT_TRUE(world.twin->twin().lock_clock(Hertz{600e6}));
    world.twin->rest(Seconds{3});
    return world.twin->twin().lock_clock(kLow);
  };
  const RunRow row = world.run(at(kLow)).value();
  EXPECT_NE(std::find(row.reasons.begin(), row.reasons.end(), "clock_changed"), row.reasons.end());
  EXPECT_EQ(row.clock_observed, Hertz{600e6});
}

// The meter reads about once per second: in a short window, its readings may be from before.
TEST(DeviceExecutor, ClockReadingsOfTheMeterCountInLongWindowsOnly) {
  for (const bool is_long : {false, true}) {
    meter::Measurement measurement;
    measurement.energy = Joules{1};
    measurement.duration = Seconds{is_long ? 4.0 : 1.0};
    measurement.sources.emplace_back().report.device_state.clock_min = Hertz{600e6};
    World world;
    GivenMeter watch(measurement);
    world.other_watch = &watch;
    const RunRow row = world.run(at(kLow)).value();
    EXPECT_EQ(row.valid, !is_long);
    EXPECT_EQ(row.clock_observed, is_long ? Hertz{600e6} : kLow);
  }
}

TEST(DeviceExecutor, OneStepOfTheGridIsAnotherClock) {
  const Course course = course_of(at(kLow));
  for (const Hertz clock : {Hertz{892.5e6}, Hertz{907.5e6}}) {
    World world;
    world.engine.at_run = [&](int run) -> Result<> {
      return run == course.settled + 3 ? world.twin->twin().lock_clock(clock) : Result<>();
    };
    const RunRow row = world.run(at(kLow)).value();
    EXPECT_EQ(row.reasons, Reasons{"clock_changed"}) << clock.si();
    EXPECT_EQ(row.clock_observed, clock);
  }
}

TEST(DeviceExecutor, AClockLimitedByAPowerCapIsReported) {
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

TEST(DeviceExecutor, EventReasonsOfTheMeterAreInTheRow) {
  World world;
  world.gpu.tells_reasons = world.gpu.tells_heat = false;
  ASSERT_TRUE(world.twin->twin().set_limit(Watts{150}));
  const RunRow row = world.run(at(world.bench().clocks().value().back(), 64)).value();
  EXPECT_NE(std::find(row.event_reasons.begin(), row.event_reasons.end(), "power_cap"),
            row.event_reasons.end());
  EXPECT_TRUE(row.temperature);
}

// A power cap that does not change the clock does not invalidate a row; thermal slowdown does.
TEST(DeviceExecutor, WithoutAMeterEventReasonsOfTheDeviceInvalidateARow) {
  const std::tuple<device::EventReasons, Reasons> cases[] = {
      {device::EventReasons(device::EventReasons::kPowerCap), {}},
      {device::EventReasons(device::EventReasons::kHardwareHeat), {"throttled"}}};
  for (const auto& [given, reasons] : cases) {
    World world;
    world.metered = false;
    world.gpu.further_reasons = given;
    const RunRow row = world.run(at(kLow)).value();
    EXPECT_EQ(std::count(row.event_reasons.begin(), row.event_reasons.end(), given.names().front()), 1);
    EXPECT_EQ(row.reasons, reasons);
    EXPECT_EQ(row.valid, reasons.empty());
  }
}

TEST(DeviceExecutor, AnUnreportedClockInvalidatesTheRow) {
  World world;
  world.gpu.at_clock_read = [](int) -> Result<> { return fail(Errc::unsupported, "no clock"); };
  world.metered = false;
  const RunRow row = world.run(at(kLow)).value();
  EXPECT_EQ(row.reasons, Reasons{"clock_unseen"});
  EXPECT_FALSE(row.clock_observed);
  EXPECT_TRUE(row.time);
  // There is no wait for it.
  EXPECT_LT(world.twin->clock().now() - Instant{}, Seconds{1.9});
}

TEST(DeviceExecutor, AnEngineErrorGivesAnInvalidRow) {
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

// A failure after the window discards the measured time.
TEST(DeviceExecutor, AFailureAfterTheWindowLeavesNoValues) {
  const Course course = course_of(at(kLow));
  World world;
  world.engine.at_run = [&](int run) -> Result<> {
    return run == course.all ? fail(Errc::io, "at last") : Result<>();
  };
  const RunRow row = world.run(at(kLow)).value();
  EXPECT_EQ(row.reasons, Reasons{"failed"});
  EXPECT_FALSE(row.time || row.energy);
}

TEST(DeviceExecutor, ALostDeviceEndsTheSweep) {
  for (const Errc kind : {Errc::device_lost, Errc::cancelled}) {
    World world;
    world.engine.at_run = [&](int) -> Result<> { return fail(kind, "because"); };
    const auto row = world.run(at(std::nullopt));
    ASSERT_FALSE(row);
    EXPECT_EQ(row.error().kind, kind);
  }
}

TEST(DeviceExecutor, MissingEnergyIsNotZero) {
  meter::Measurement nothing;
  for (const auto& result : {Result<meter::Measurement>(nothing),
                             Result<meter::Measurement>(fail(Errc::unsupported, "no reading"))}) {
    World world;
    GivenMeter watch(result);
    world.other_watch = &watch;
    const RunRow row = world.run(at(kLow)).value();
    EXPECT_EQ(row.reasons, Reasons{"no_energy"});
    EXPECT_TRUE(row.time);
    EXPECT_FALSE(row.energy || row.power_max || row.power_mean || row.energy_uncertainty);
  }
  World lost;
  GivenMeter watch(fail(Errc::device_lost, "gone"));
  lost.other_watch = &watch;
  EXPECT_EQ(lost.run(at(kLow)).error().kind, Errc::device_lost);
  EXPECT_TRUE(lost.is_free());
}

// The row is marked simulated if the device, the engine or the meter is.
TEST(DeviceExecutor, SimulatedRowsAreMarked) {
  for (const int simulated : {0, 1, 2, 3}) {
    World world;
    world.gpu.admits_simulation = simulated == 1;
    world.engine.poses_as = world.twin->facts();
    world.engine.poses_as->simulated = simulated == 2;
    meter::Measurement measurement;
    measurement.energy = Joules{1};
    measurement.simulated = simulated == 3;
    GivenMeter watch(measurement);
    world.other_watch = &watch;
    EXPECT_EQ(world.run(at(kLow)).value().simulated, simulated != 0) << simulated;
  }
}

TEST(DeviceExecutor, ANetworkRunsWithItsWeights) {
  for (const bool own : {false, true}) {
    World world;
    if (own) world.content.emplace();
    ASSERT_TRUE(world.run(at(kLow)));
    EXPECT_EQ(world.engine.has_content, own);
  }
}

TEST(DeviceExecutor, AnExecutionIsSetupAndOnePrediction) {
  World world;
  // The second setup takes half a second; it is the measured one.
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

TEST(DeviceExecutor, AnExecutionTooShortForTheSensorIsInvalid) {
  World world;
  const RunRow row = world.run({"alexnet", 1, Scenario::execution, kLow, 1}).value();
  EXPECT_FALSE(row.valid);
  EXPECT_EQ(row.reasons, Reasons{"too_short"});
}

TEST(DeviceExecutor, WithoutAMeterThereIsTimeAndNoEnergy) {
  World world;
  world.metered = false;
  const RunRow row = world.run(at(kLow)).value();
  EXPECT_TRUE(row.valid);
  EXPECT_TRUE(row.time && row.clock_observed && row.temperature);
  EXPECT_FALSE(row.energy || row.power_max || row.power_mean || row.energy_uncertainty);
}

TEST(DeviceExecutor, AWindowHasTheRequestedDuration) {
  World world;
  world.settings.duration = Seconds{3};
  const RunRow row = world.run(at(kLow)).value();
  EXPECT_GE(row.time->si() * static_cast<double>(world.engine.iterations), 2.9);
}

// At least as long as the sensor requires, and 0.1 s without a sensor.
TEST(DeviceExecutor, AWindowHasAMinimumDuration) {
  for (const bool metered : {false, true}) {
    World world;
    meter::Measurement measurement;
    measurement.energy = Joules{1};
    GivenMeter watch(measurement, Seconds{0.7});
    world.other_watch = &watch;
    world.metered = metered;
    world.settings.duration = world.settings.warm_up = Seconds{0.001};
    const RunRow row = world.run(at(kLow)).value();
    EXPECT_GE(row.time->si() * static_cast<double>(world.engine.iterations), metered ? 0.68 : 0.098);
  }
}

// The clock is read in the middle of slow iterations too: after settling, before the window, and after two
// segments.
TEST(DeviceExecutor, AWindowHasAtLeastTwoSegments) {
  World world;
  world.metered = false;
  world.settings.duration = Seconds{0.1};
  const RunRow row = world.run(at(kLow, 512)).value();
  ASSERT_GT(*row.time, Seconds{0.1});
  EXPECT_EQ(world.gpu.clock_reads, 4);
}

TEST(DeviceExecutor, SettingsThatCannotBeRestoredAreNamed) {
  World world;
  world.gpu.at_write = [](const device::ControlValue& value, int) -> Result<> {
    return value.clocks ? Result<>() : fail(Errc::io, "the bus is broken");
  };
  const auto row = world.run(at(kLow));
  ASSERT_FALSE(row);
  EXPECT_EQ(row.error().kind, Errc::io);
  EXPECT_NE(row.error().message.find("gpu0: core_clock could not be restored to unlocked"), std::string::npos)
      << row.error().message;
  // The next lease restores it.
  world.gpu.at_write = nullptr;
  EXPECT_TRUE(world.run(at(kHigh)).value().valid);
  EXPECT_TRUE(world.is_free());
}

TEST(DeviceExecutor, AnEarlierStopRequestChangesNothing) {
  World world;
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(world.run(at(kLow), stop.get_token()).error().kind, Errc::cancelled);
  EXPECT_EQ(world.gpu.writes, 0);
  EXPECT_EQ(world.engine.prepared, 0);
}

TEST(DeviceExecutor, AStopRestoresTheClockFirst) {
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

// After any failure at any time, the device is restored, or the error result that it is not.
TEST(DeviceExecutor, TheDeviceIsRestoredAfterAnyFailure) {
  constexpr Errc kKinds[] = {Errc::unsupported, Errc::permission, Errc::not_found, Errc::invalid_input,
                             Errc::device_lost, Errc::io,         Errc::cancelled, Errc::out_of_memory};
  int rows = 0, errors = 0, left = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    World world;
    Random random(seed);
    world.settings.duration = Seconds{0.2};
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
        world.gpu.at_clock_read = [=](int now) { return failing(now, when); };
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
      EXPECT_NE(row.error().message.find("could not be restored"), std::string::npos) << seed;
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
