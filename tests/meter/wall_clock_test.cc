// Samples of the driver's buffer have wall-clock timestamps, and the wall clock may be set.

#include <gtest/gtest.h>

#include "meter/recorded_twin.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

// Time of a twin with a wall clock that was set by an offset.
class SetClock final : public Clock {
 public:
  explicit SetClock(device::Twin& twin) : twins_(twin) {}

  Instant now() const override { return twins_.now(); }
  Timestamp wall_now() const override { return {twins_.wall_now().ns + set_by_ns}; }
  void sleep_until(Instant due) override { twins_.sleep_until(due); }

  std::int64_t set_by_ns = 0;

 private:
  TwinClock twins_;
};

// A driver with wall-clock timestamps; samples already in the buffer keep theirs.
class StampedDevice final : public device::Device {
 public:
  StampedDevice(device::Twin& twin, const SetClock& clock)
      : sound_(twin, TwinClock::epoch()), clock_(clock) {}

  const device::Identity& identity() const override { return sound_.identity(); }
  const device::Capabilities& capabilities() const override { return sound_.capabilities(); }
  bool simulated() const override { return true; }
  Result<std::vector<device::PowerSample>> power_samples(Timestamp since) override {
    auto fresh = sound_.power_samples(newest_);
    if (!fresh) return fresh;
    for (device::PowerSample sample : *fresh) {
      newest_ = sample.at;
      sample.at.ns += clock_.set_by_ns;
      buffer_.push_back(sample);
    }
    if (buffer_.size() > 120) buffer_.erase(buffer_.begin(), buffer_.end() - 120);
    std::vector<device::PowerSample> newer;
    for (const device::PowerSample& sample : buffer_) {
      if (sample.at > since) newer.push_back(sample);
    }
    return newer;
  }
  Result<Joules> energy_counter() override { return sound_.energy_counter(); }
  Result<device::PowerLimits> power_limits() override { return sound_.power_limits(); }

 private:
  device::TwinDevice sound_;
  const SetClock& clock_;
  Timestamp newest_;
  std::vector<device::PowerSample> buffer_;
};

// Measures two seconds of work after the wall clock was set.
void expect_measured_after_setting_by(Seconds by) {
  device::Twin twin(device::device_called("h200"), 1);
  SetClock clock(twin);
  StampedDevice gpu(twin, clock);
  const auto recorder = Recorder::create(gpu, clock, {}).value();
  Instant due = clock.now();
  const auto pass = [&](Seconds time) {
    const Instant end = clock.now() + time;
    while (due <= end) clock.sleep_until(due), due = recorder->read();
    clock.sleep_until(end);
  };
  pass(3_s);
  ASSERT_TRUE(recorder->ready());
  clock.set_by_ns += static_cast<std::int64_t>(by.si() * 1e9);
  pass(3_s);
  const Joules before = twin.true_energy();
  const SpanId id = recorder->open(clock.now());
  twin.run(device::load_on(twin.specification()));
  pass(2_s);
  twin.close_context();
  const Joules truth = twin.true_energy() - before;
  recorder->close(id, clock.now());
  pass(5_s);
  const auto report = recorder->report(id);
  ASSERT_TRUE(report) << "the window is not final";
  EXPECT_NEAR(report->energy.energy.si(), truth.si(), 0.03 * truth.si());
}

TEST(WallClock, NotSet) { expect_measured_after_setting_by(0_s); }
TEST(WallClock, SetForward) { expect_measured_after_setting_by(3600_s); }
TEST(WallClock, SlewedALittle) { expect_measured_after_setting_by(-0.003_s); }
TEST(WallClock, SetBack) { expect_measured_after_setting_by(-3600_s); }

}  // namespace
}  // namespace ergon::meter
