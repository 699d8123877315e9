#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "device/twin/twin_device.h"
#include "meter/faulty_device.h"
#include "meter/simulated_work.h"

namespace ergon::meter {

// A twin with a recorder, in simulated time. Changes by the caller happen before the first read.
class RecordedTwin {
 public:
  explicit RecordedTwin(const device::Specification& board, std::uint64_t seed = 1)
      : twin(board, seed), clock(twin), sound_(twin, TwinClock::epoch()), gpu(sound_) {
    twin.advance(Seconds{2});
  }
  explicit RecordedTwin(const std::string& name, std::uint64_t seed = 1)
      : RecordedTwin(device::device_called(name), seed) {}

  device::Twin twin;
  TwinClock clock;

 private:
  device::TwinDevice sound_;

 public:
  FaultyDevice gpu;
  std::unique_ptr<Recorder> recorder;

  // Starts the recorder and advances time until it is ready.
  void watch(const Recorder::Options& options = {}) {
    recorder = Recorder::create(gpu, clock, options).value();
    due_ = clock.now();
    const Instant patience = clock.now() + Seconds{10};
    while (!recorder->ready() && clock.now() < patience) read_once();
    ASSERT_TRUE(recorder->ready());
  }
  void pass(Seconds time) {
    const Instant end = clock.now() + time;
    while (due_ <= end) read_once();
    clock.sleep_until(end);
  }
  void read_once() {
    clock.sleep_until(due_);
    due_ = recorder->read();
  }

  SpanId open() { return recorder->open(clock.now()); }
  void close(SpanId id) { recorder->close(id, clock.now()); }
  // Advances time until the report is available.
  SpanReport report(SpanId id) {
    const Instant patience = clock.now() + Seconds{15};
    std::optional<SpanReport> report;
    while (!(report = recorder->report(id, clock.now() >= patience))) read_once();
    return *report;
  }
  Measurement measurement(SpanId id) { return measured({report(id)}); }

  std::shared_ptr<const device::Load> load(const std::string& network = "resnet50", std::int64_t batch = 64) {
    return device::load_on(twin.specification(), network, batch);
  }
  // A window around this much work.
  Measurement measure_work(Seconds time) {
    const SpanId id = open();
    twin.run(load());
    pass(time);
    twin.close_context();
    close(id);
    return measurement(id);
  }

 private:
  Instant due_;
};

// The codes of reasons or notes, in order.
inline std::vector<std::string> codes(const std::vector<Reason>& reasons) {
  std::vector<std::string> all;
  for (const Reason& reason : reasons) all.push_back(reason.code);
  return all;
}

inline bool has(const std::vector<Reason>& reasons, const std::string& code) {
  for (const Reason& reason : reasons) {
    if (reason.code == code) return true;
  }
  return false;
}

}  // namespace ergon::meter
