#include "profile/profiler.h"

#include <gtest/gtest.h>

#include "graph/zoo/zoo.h"
#include "profile/fake_engine.h"

namespace ergon::profile {
namespace {

PlanItem item_of(const std::string& name = "resnet18") {
  PlanItem item;
  auto network = graph::zoo::build(**graph::zoo::find(name), {}).value();
  item.subject = {Subject::Kind::network, network.name, network.name, "", ""};
  item.network = std::make_shared<const graph::Network>(std::move(network));
  return item;
}

Row measured(FakeEngine& engine, ManualClock& clock, const ProfileMethod& method) {
  Profiler profiler(engine, nullptr, clock, method);
  return profiler.settle(profiler.measure(item_of(), {}).value(), {}).value();
}

TEST(Profiler, RunsForAtLeastTheRequestedTime) {
  ManualClock clock;
  FakeEngine engine(clock);
  for (const double each : {1e-6, 1e-3, 0.03, 0.7, 5.0}) {
    engine.each = Seconds{each};
    const Row row = measured(engine, clock, {});
    EXPECT_EQ(row.status, Status::measured);
    EXPECT_NEAR(row.time->si(), each, 1e-9 * each);
    EXPECT_GE(row.time->si() * static_cast<double>(row.iterations), 0.98) << each;
    EXPECT_GE(row.iterations, 2);
    EXPECT_EQ(row.instances, 3);
    EXPECT_TRUE(row.valid);
    EXPECT_FALSE(row.energy);
    EXPECT_FALSE(row.power);
  }
}

TEST(Profiler, NeverMeasuresLessThanATenthOfASecond) {
  ManualClock clock;
  FakeEngine engine(clock);
  ProfileMethod method;
  method.time = Seconds{0.001};
  const Row row = measured(engine, clock, method);
  EXPECT_GE(row.time->si() * static_cast<double>(row.iterations), 0.098);
}

TEST(Profiler, DetectsNonProportionalTime) {
  ManualClock clock;
  FakeEngine engine(clock);
  engine.besides = Seconds{0.02};  // per run, independent of its length
  const Row row = measured(engine, clock, {});
  EXPECT_GT(*row.proportion, 1.05);
  EXPECT_FALSE(row.valid);
  EXPECT_EQ(row.reasons, std::vector<std::string>{"not_proportional"});
}

// A twin without noise repeats exactly, up to the last bit of its clock.
TEST(Profiler, EqualRepetitionsHaveADeviationOfZero) {
  ManualClock clock;
  FakeEngine engine(clock);
  const double exact = engine.each.si();
  double factor = 1;
  engine.ran = [&](std::int64_t) {
    engine.each = Seconds{engine.each.si() == exact ? exact * factor : exact};
  };
  factor = 1 + 4e-16;
  EXPECT_EQ(measured(engine, clock, {}).time_deviation, Seconds{0});
  engine.each = Seconds{exact};
  factor = 1 + 1e-6;
  EXPECT_NEAR(measured(engine, clock, {}).time_deviation.value().si(), exact * 0.5e-6, exact * 0.05e-6);
}

TEST(Profiler, WarmsUpBeforeItMeasures) {
  ManualClock clock;
  FakeEngine engine(clock);
  std::int64_t all = 0;
  engine.ran = [&](std::int64_t iterations) { all += iterations; };
  ProfileMethod method;
  method.warm_up = Seconds{0.5};
  const Row row = measured(engine, clock, method);
  EXPECT_GE(all - row.iterations, 500);
}

TEST(Profiler, UnsupportedWorkGivesARow) {
  ManualClock clock;
  FakeEngine engine(clock);
  Profiler profiler(engine, nullptr, clock, {});
  const std::pair<Errc, Status> cases[] = {{Errc::out_of_memory, Status::out_of_memory},
                                           {Errc::unsupported, Status::unsupported},
                                           {Errc::io, Status::failed}};
  for (const auto& [kind, status] : cases) {
    engine.broken.clear();
    engine.breaking.clear();
    engine.broken.emplace("resnet18", Error{kind, "because"});
    const Row early = profiler.settle(profiler.measure(item_of(), {}).value(), {}).value();
    EXPECT_EQ(early.status, status);
    EXPECT_EQ(early.detail, "because");
    EXPECT_FALSE(early.valid);
    EXPECT_FALSE(early.time);
    engine.broken.clear();
    engine.breaking.emplace("resnet18", Error{kind, "later"});
    const Row late = profiler.settle(profiler.measure(item_of(), {}).value(), {}).value();
    EXPECT_EQ(late.status, status);
    EXPECT_EQ(late.detail, "later");
  }
}

TEST(Profiler, ALostDeviceEndsTheRun) {
  ManualClock clock;
  FakeEngine engine(clock);
  engine.breaking.emplace("resnet18", Error{Errc::device_lost, "gone"});
  Profiler profiler(engine, nullptr, clock, {});
  const auto pending = profiler.measure(item_of(), {});
  ASSERT_FALSE(pending);
  EXPECT_EQ(pending.error().kind, Errc::device_lost);
}

// An error before the window opens, such as writing the previous row, does not belong to this row.
// After a pause before the window the device is warmed up again, and only then.
TEST(Profiler, WarmsUpAgainAfterAPause) {
  const auto runs_with = [](Seconds pause) {
    ManualClock clock;
    FakeEngine engine(clock);
    int runs = 0;
    engine.ran = [&](std::int64_t) { ++runs; };
    Profiler profiler(engine, nullptr, clock, {});
    EXPECT_TRUE(profiler.measure(item_of(), {}, [&]() -> Result<> {
      clock.advance(pause);
      return {};
    }));
    return runs;
  };
  EXPECT_EQ(runs_with(Seconds{0.001}), runs_with(Seconds{0}));
  EXPECT_GT(runs_with(Seconds{0.1}), runs_with(Seconds{0}));
}

TEST(Profiler, ReturnsErrorsOfTheCallback) {
  ManualClock clock;
  FakeEngine engine(clock);
  Profiler profiler(engine, nullptr, clock, {});
  const auto pending = profiler.measure(item_of(), {}, [] { return Result<>(fail(Errc::io, "disk full")); });
  ASSERT_FALSE(pending);
  EXPECT_EQ(pending.error().kind, Errc::io);
  EXPECT_EQ(pending.error().message, "disk full");
}

TEST(Profiler, StopsOnRequest) {
  ManualClock clock;
  FakeEngine engine(clock);
  std::stop_source source;
  engine.ran = [&](std::int64_t) { source.request_stop(); };
  Profiler profiler(engine, nullptr, clock, {});
  const auto pending = profiler.measure(item_of(), source.get_token());
  ASSERT_FALSE(pending);
  EXPECT_EQ(pending.error().kind, Errc::cancelled);
}

// A power meter that records its window and reports 300 W.
class FakeWatch final : public PowerMeter {
 public:
  explicit FakeWatch(ManualClock& clock) : clock_(clock) {}

  std::optional<Instant> opened, closed;
  Seconds least{0.1}, reach{0.024};
  std::vector<Watts> readings;
  std::vector<meter::Reason> reasons;

  std::unique_ptr<EnergyWindow> open() override {
    opened = clock_.now();
    return std::make_unique<Window>(*this);
  }
  std::optional<Celsius> temperature() override { return Celsius{40}; }
  Seconds min_window() const override { return least; }
  Seconds padding() const override { return reach; }

 private:
  class Window final : public EnergyWindow {
   public:
    explicit Window(FakeWatch& watch) : watch_(watch) {}
    void close() override { watch_.closed = watch_.clock_.now(); }
    Result<meter::Measurement> measurement(const std::stop_token&) override {
      meter::Measurement measured;
      measured.duration = *watch_.closed - *watch_.opened;
      measured.energy = Watts{300} * measured.duration;
      measured.uncertainty = measured.energy * 0.05;
      measured.reasons = watch_.reasons;
      meter::DeviceMeasurement source;
      source.energy = source.report.energy.energy = measured.energy;
      source.report.readings = watch_.readings;
      measured.sources.push_back(std::move(source));
      return measured;
    }

   private:
    FakeWatch& watch_;
  };

  ManualClock& clock_;
};

TEST(MeteredProfiler, WorkRunsBeforeAndAfterTheWindow) {
  ManualClock clock;
  FakeEngine engine(clock);
  FakeWatch watch(clock);
  Seconds before, behind;
  engine.ran = [&](std::int64_t iterations) {
    const Seconds time = engine.each * static_cast<double>(iterations);
    if (!watch.opened) before = time;
    if (watch.closed) behind = behind + time;
  };
  ProfileMethod method;
  method.time = Seconds{0.1};
  Profiler profiler(engine, &watch, clock, method);
  ASSERT_TRUE(profiler.measure(item_of(), {}));
  EXPECT_GE(before.si(), 0.024);
  EXPECT_GE(behind.si(), 0.024);
  EXPECT_LT(behind.si(), 0.05);
}

TEST(MeteredProfiler, EnergyIsPerIterationAndOutlyingReadingsAreDropped) {
  ManualClock clock;
  FakeEngine engine(clock);
  FakeWatch watch(clock);
  watch.readings.assign(40, Watts{300});
  watch.readings.push_back(Watts{90});
  watch.reasons = {{"other_process", "also used by process 7"}};
  Profiler profiler(engine, &watch, clock, {});
  const Row row = profiler.settle(profiler.measure(item_of(), {}).value(), {}).value();
  EXPECT_NEAR(row.energy->si(), 300 * engine.each.si(), 1e-9);
  EXPECT_NEAR(row.energy_uncertainty->si(), 15 * engine.each.si(), 1e-9);
  EXPECT_EQ(row.power->si(), 300);
  EXPECT_EQ(row.readings, 40);
  EXPECT_EQ(row.readings_dropped, 1);
  EXPECT_FALSE(row.valid);
  EXPECT_EQ(row.reasons, std::vector<std::string>{"other_process"});
}

TEST(MeteredProfiler, RunsAsLongAsTheSensorNeeds) {
  ManualClock clock;
  FakeEngine engine(clock);
  FakeWatch watch(clock);
  watch.least = Seconds{3};
  Profiler profiler(engine, &watch, clock, {});
  ASSERT_TRUE(profiler.measure(item_of(), {}));
  EXPECT_GE((*watch.closed - *watch.opened).si(), 2.94);
}

TEST(Instances, ExceedTheCacheTwofold) {
  const Bytes cache{50e6};
  EXPECT_EQ(instances_for(Bytes{0}, cache), 1);
  EXPECT_EQ(instances_for(Bytes{10e6}, cache), 10);
  EXPECT_EQ(instances_for(Bytes{1e3}, cache), 64);
  // Weights larger than the cache rotate too, so that no part stays cached.
  EXPECT_EQ(instances_for(Bytes{400e6}, cache), 2);
}

}  // namespace
}  // namespace ergon::profile
