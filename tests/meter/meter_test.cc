// The meter with its thread in real time; long waits use an accelerated clock.

#include "meter/meter.h"

#include <algorithm>
#include <cmath>
#include <malloc.h>
#include <sys/resource.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "meter/accelerated_clock.h"
#include "meter/plain_device.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

std::unique_ptr<Meter> started(const std::vector<device::Device*>& devices, Clock& clock,
                               const Meter::Options& options = {}) {
  auto meter = Meter::start(devices, clock, options);
  EXPECT_TRUE(meter) << meter.error().message;
  return std::move(*meter);
}

void sleep(Clock& clock, Seconds time) { clock.sleep_until(clock.now() + time); }

Seconds cpu_time() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return Seconds{seconds(used.ru_utime) + seconds(used.ru_stime)};
}

TEST(Meter, MeasuresTheEnergyOfABoard) {
  SystemClock clock;
  PlainDevice gpu(clock, 200_W);
  const auto meter = started({&gpu}, clock);
  Window window = meter->open();
  sleep(clock, 0.3_s);
  const auto measured = window.measurement();
  ASSERT_TRUE(measured) << measured.error().message;
  EXPECT_GE(measured->duration, 0.3_s);
  EXPECT_NEAR(measured->mean.si(), 200, 6);
  EXPECT_NEAR(measured->energy.si(), 200 * measured->duration.si(), 6 * measured->duration.si());
  EXPECT_FALSE(measured->simulated);
}

TEST(Meter, AWindowEndsWhenItIsClosed) {
  SystemClock clock;
  PlainDevice gpu(clock);
  const auto meter = started({&gpu}, clock);
  Window window = meter->open();
  sleep(clock, 0.1_s);
  window.close();
  sleep(clock, 0.3_s);
  window.close();
  const auto measured = window.measurement();
  ASSERT_TRUE(measured);
  EXPECT_GE(measured->duration, 0.1_s);
  EXPECT_LT(measured->duration, 0.3_s);
}

TEST(Meter, WindowsOfManyThreadsAtOnce) {
  SystemClock clock;
  PlainDevice gpu(clock, 200_W);
  const auto meter = started({&gpu}, clock);
  std::atomic<int> right = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&, i] {
        for (int round = 0; round < 3; ++round) {
          Window outer = meter->open();
          sleep(clock, 10_ms * (1 + i % 3));
          Window inner = meter->open(), dropped = meter->open();
          sleep(clock, 60_ms);
          const auto inside = inner.measurement();
          const auto all = outer.measurement();
          if (inside && all && inside->energy < all->energy && std::fabs(inside->mean.si() - 200) < 20 &&
              std::fabs(all->mean.si() - 200) < 20)
            ++right;
        }
      });
    }
  }
  EXPECT_EQ(right, 8 * 3);
}

TEST(Meter, DevicesAreMeasuredTogether) {
  SystemClock clock;
  PlainDevice one(clock, 100_W), other(clock, 250_W);
  const auto meter = started({&one, &other}, clock);
  ASSERT_EQ(meter->recorders().size(), 2U);
  Window window = meter->open();
  sleep(clock, 0.3_s);
  const auto measured = window.measurement();
  ASSERT_TRUE(measured);
  ASSERT_EQ(measured->sources.size(), 2U);
  EXPECT_NEAR(measured->mean.si(), 350, 10);
  EXPECT_NEAR(measured->sources[1].mean.si(), 250, 8);
}

TEST(Meter, ReportsArePerDevice) {
  SystemClock clock;
  PlainDevice one(clock, 100_W), other(clock, 250_W);
  const auto meter = started({&one, &other}, clock);
  Window window = meter->open();
  sleep(clock, 0.2_s);
  const auto reports = window.reports();
  ASSERT_TRUE(reports);
  ASSERT_EQ(reports->size(), 2U);
  EXPECT_EQ(reports->at(0).begin, reports->at(1).begin) << "all devices of a window share the start";
  EXPECT_EQ(reports->at(0).end, reports->at(1).end);
}

TEST(Meter, AWindowMayBeDroppedOrMoved) {
  SystemClock clock;
  PlainDevice gpu(clock);
  const auto meter = started({&gpu}, clock);
  Window first = meter->open();
  Window second(std::move(first));
  sleep(clock, 0.1_s);
  { const Window gone = meter->open(); }
  EXPECT_TRUE(second.measurement());
}

TEST(Meter, DroppedWindowsAreForgotten) {
  SystemClock clock;
  PlainDevice gpu(clock);
  const auto meter = started({&gpu}, clock);
  const std::size_t before = ::mallinfo2().uordblks;
  for (int i = 0; i < 20'000; ++i) {
    Window window = meter->open();
    if (i % 2 == 0) window.close();
  }
  const std::size_t behind = ::mallinfo2().uordblks;
  EXPECT_LT(behind, before + 2'000'000) << "a hundred bytes each, for some seconds";
}

TEST(Meter, ReadsOncePerPeriod) {
  SystemClock clock;
  PlainDevice gpu(clock);
  const auto meter = started({&gpu}, clock, {.period = 25_ms});
  const std::uint64_t before = gpu.reads();
  const Seconds used = cpu_time();
  sleep(clock, 0.5_s);
  const auto reads = static_cast<double>(gpu.reads() - before);
  EXPECT_LE(reads, 26) << "20 if nothing were in the way";
  EXPECT_GE(reads, 8);
  EXPECT_LT(cpu_time() - used, 0.1_s) << "no busy loop";
}

TEST(Meter, ReadsTwicePerSensorPeriodByDefault) {
  SystemClock clock;
  PlainDevice gpu(clock);
  const auto meter = started({&gpu}, clock);
  EXPECT_EQ(meter->recorders()[0]->period(), 10_ms);
  const std::uint64_t before = gpu.reads();
  sleep(clock, 0.5_s);
  const auto reads = static_cast<double>(gpu.reads() - before);
  EXPECT_LE(reads, 65);
  EXPECT_GE(reads, 20);
}

TEST(Meter, OpenAndCloseAreFast) {
  SystemClock clock;
  PlainDevice gpu(clock);
  const auto meter = started({&gpu}, clock);
  std::vector<double> opening, closing;
  for (int i = 0; i < 1000; ++i) {
    const Instant began = clock.now();
    Window window = meter->open();
    const Instant opened = clock.now();
    window.close();
    const Instant closed = clock.now();
    opening.push_back((opened - began).si());
    closing.push_back((closed - opened).si());
    if (i % 100 == 0) sleep(clock, 5_ms);
  }
  const auto median = [](std::vector<double>& all) {
    std::nth_element(all.begin(), all.begin() + 500, all.end());
    return all[500];
  };
  EXPECT_LT(median(opening), 50e-6);
  EXPECT_LT(median(closing), 50e-6);
}

TEST(Meter, StopsQuickly) {
  SystemClock clock;
  PlainDevice gpu(clock);
  auto meter = started({&gpu}, clock);
  const Instant began = clock.now();
  meter.reset();
  EXPECT_LT(clock.now() - began, 0.5_s);
  const std::uint64_t reads = gpu.reads();
  sleep(clock, 0.05_s);
  EXPECT_EQ(gpu.reads(), reads) << "no further reads";
}

TEST(Meter, StopsQuicklyWithALongPeriod) {
  AcceleratedClock clock(20);
  PlainDevice gpu(clock);
  auto meter = started({&gpu}, clock, {.period = 2_s});
  sleep(clock, 0.2_s);
  const Instant began = clock.now();
  meter.reset();
  EXPECT_LT(clock.now() - began, 0.5_s);
}

TEST(Meter, NoDeviceIsAnError) {
  SystemClock clock;
  const auto meter = Meter::start({}, clock);
  ASSERT_FALSE(meter);
  EXPECT_EQ(meter.error().kind, Errc::not_found);
}

TEST(Meter, ADeviceWithoutReadingAndCounterIsAnError) {
  SystemClock clock;
  PlainDevice gpu(clock), blind(clock);
  blind.changed_capabilities() = {};
  const auto meter = Meter::start({&gpu, &blind}, clock);
  ASSERT_FALSE(meter);
  EXPECT_EQ(meter.error().kind, Errc::unsupported);
}

TEST(Meter, StartTimesOutWithoutReadings) {
  AcceleratedClock clock(100);
  PlainDevice gpu(clock);
  gpu.fails = true;
  const auto meter = Meter::start({&gpu}, clock);
  ASSERT_FALSE(meter);
  EXPECT_EQ(meter.error().kind, Errc::device_lost);
  EXPECT_NE(meter.error().message.find("gpu0"), std::string::npos);
}

TEST(Meter, ALostDeviceIsReportedAtOnce) {
  SystemClock clock;
  PlainDevice gpu(clock);
  gpu.fails = true;
  gpu.failing_with = Errc::device_lost;
  const Instant began = clock.now();
  const auto meter = Meter::start({&gpu}, clock);
  ASSERT_FALSE(meter);
  EXPECT_EQ(meter.error().message, "gpu0 does not answer");
  EXPECT_LT(clock.now() - began, 1_s);
}

TEST(Meter, AnExceptionEndsTheReadings) {
  SystemClock clock;
  PlainDevice gpu(clock);
  const auto meter = started({&gpu}, clock);
  Window window = meter->open();
  gpu.throws = true;
  sleep(clock, 0.1_s);
  const auto measured = window.measurement();
  ASSERT_FALSE(measured && measured->valid());
  ASSERT_TRUE(meter->recorders()[0]->failure());
  EXPECT_EQ(meter->recorders()[0]->failure()->message, "out of memory");
}

TEST(Meter, StartingCanBeInterrupted) {
  SystemClock clock;
  PlainDevice gpu(clock);
  gpu.fails = true;
  std::stop_source stop;
  std::jthread impatient([&] {
    sleep(clock, 0.05_s);
    stop.request_stop();
  });
  const Instant began = clock.now();
  const auto meter = Meter::start({&gpu}, clock, {}, stop.get_token());
  ASSERT_FALSE(meter);
  EXPECT_EQ(meter.error().kind, Errc::cancelled);
  EXPECT_LT(clock.now() - began, 1_s);
}

TEST(Meter, WaitingForAWindowCanBeInterrupted) {
  SystemClock clock;
  PlainDevice gpu(clock);
  const auto meter = started({&gpu}, clock);
  Window window = meter->open();
  sleep(clock, 0.05_s);
  gpu.fails = true;  // the window never becomes final
  std::stop_source stop;
  std::jthread impatient([&] {
    sleep(clock, 0.1_s);
    stop.request_stop();
  });
  const Instant began = clock.now();
  const auto measured = window.measurement(stop.get_token());
  ASSERT_FALSE(measured);
  EXPECT_EQ(measured.error().kind, Errc::cancelled);
  EXPECT_LT(clock.now() - began, 1_s);
}

TEST(Meter, ALossDuringAWindowReportsTheEnergyUpToIt) {
  SystemClock clock;
  PlainDevice gpu(clock, 200_W);
  const auto meter = started({&gpu}, clock);
  Window window = meter->open();
  sleep(clock, 0.3_s);
  gpu.failing_with = Errc::device_lost;
  gpu.fails = true;
  sleep(clock, 0.1_s);
  const auto measured = window.measurement();
  ASSERT_TRUE(measured) << measured.error().message;
  ASSERT_FALSE(measured->valid());
  EXPECT_EQ(measured->reasons[0].code, "device_lost");
  EXPECT_GT(measured->energy, 200_W * 0.2_s);
  Window later = meter->open();
  sleep(clock, 0.05_s);
  const auto nothing = later.measurement();
  ASSERT_FALSE(nothing) << "no readings for this device";
  EXPECT_EQ(nothing.error().kind, Errc::device_lost);
}

TEST(Meter, AReportTimesOutWithoutReadings) {
  AcceleratedClock clock(100);
  PlainDevice gpu(clock);
  const auto meter = started({&gpu}, clock);
  gpu.fails = true;
  sleep(clock, 1_s);
  Window window = meter->open();
  sleep(clock, 1_s);
  const Instant began = clock.now();
  const auto measured = window.measurement();
  EXPECT_FALSE(measured);
  EXPECT_LT(clock.now() - began, 60_s);
}

TEST(Meter, TracesArePerDevice) {
  SystemClock clock;
  PlainDevice one(clock, 100_W), other(clock, 250_W);
  const auto meter = started({&one, &other}, clock, {.keep_readings = true});
  sleep(clock, 0.1_s);
  const auto traces = meter->take_traces();
  ASSERT_EQ(traces.size(), 2U);
  ASSERT_FALSE(traces[0].empty());
  ASSERT_FALSE(traces[1].empty());
  EXPECT_NEAR(traces[0].back().power.si(), 100, 1);
  EXPECT_NEAR(traces[1].back().power.si(), 250, 1);
}

}  // namespace
}  // namespace ergon::meter
