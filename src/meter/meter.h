#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "device/device.h"
#include "meter/measurement.h"
#include "meter/recorder.h"

namespace ergon::meter {

class Meter;

// A stretch of time whose energy is wanted. Opening and closing cost a few microseconds; what is known of the
// end comes later, as sensors lag behind. Windows may nest and overlap, and parts sum to the whole. Does not
// outlive its meter.
class Window {
 public:
  Window(Window&& other) noexcept;
  Window& operator=(Window&&) = delete;
  ~Window();

  // Ends here; later calls change nothing.
  void close();
  // Closes, waits for what the sensors have still to say (a fraction of a second to some seconds), and tells.
  // Once, this or reports(). Errors: a device was lost before it had said anything; somebody asked to stop.
  Result<Measurement> measurement(const std::stop_token& stop = {});
  // The same device by device, before it is put together.
  Result<std::vector<SpanReport>> reports(const std::stop_token& stop = {});

 private:
  friend class Meter;
  Window(Meter& meter, std::vector<SpanId> spans) : meter_(&meter), spans_(std::move(spans)) {}

  Meter* meter_;
  std::vector<SpanId> spans_;  // of each recorder
  bool closed_ = false;
};

// Watches devices on a thread of its own and measures the energy of windows.
//
//   auto meter = Meter::start(devices, clock);
//   Window window = (*meter)->open();
//   ... work ...
//   auto measured = window.measurement();  // measured->energy, +- measured->uncertainty
class Meter {
 public:
  using Options = Recorder::Options;

  // Devices and clock outlive the meter. Returns once windows can be opened: a fraction of a second, or some
  // seconds on GPUs whose readings are slow means. Errors: no device; one that has neither a power reading
  // nor an energy counter; one that does not answer; somebody asked to stop.
  static Result<std::unique_ptr<Meter>> start(std::vector<device::Device*> devices, Clock& clock,
                                              const Options& options = {}, const std::stop_token& stop = {});
  ~Meter();

  Window open();
  // What was read since the last call, of each device, if Options::keep_readings.
  std::vector<std::vector<TracePoint>> take_traces();
  const std::vector<std::unique_ptr<Recorder>>& recorders() const { return recorders_; }

 private:
  friend class Window;
  Meter(std::vector<std::unique_ptr<Recorder>> recorders, Clock& clock);
  void watch(const std::stop_token& stop);

  std::vector<std::unique_ptr<Recorder>> recorders_;
  Clock& clock_;
  std::jthread thread_;
};

}  // namespace ergon::meter
