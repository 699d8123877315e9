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

// A time span whose energy is measured. Opening and closing take a few microseconds. The result is available
// later, because sensors lag. Windows may nest and overlap; the energies of parts sum to the energy of the
// whole. Lifetime: within that of its meter.
class Window {
 public:
  Window(Window&& other) noexcept;
  Window& operator=(Window&&) = delete;
  ~Window();

  // Ends the window. Later calls have no effect.
  void close();
  // Closes the window and waits until the sensors have covered it: a fraction of a second to some seconds.
  // May be called again after it was cancelled, otherwise once. Errors: a device was lost before its first
  // reading; cancelled.
  Result<Measurement> measurement(const std::stop_token& stop = {});
  // The same per device, uncorrected.
  Result<std::vector<SpanReport>> reports(const std::stop_token& stop = {});
  // Closes the window. Whether reports() would return without waiting, as it does some seconds after the
  // window was closed in any case.
  bool available();

 private:
  friend class Meter;
  Window(Meter& meter, std::vector<SpanId> spans) : meter_(&meter), spans_(std::move(spans)) {}

  Meter* meter_;
  // Takes the report of the next device, if there is one.
  bool take_report();

  std::vector<SpanId> spans_;        // one per recorder
  std::vector<SpanReport> reports_;  // of the first recorders
  std::optional<Instant> closed_;
};

// Reads devices on a background thread and measures the energy of windows.
//
//   auto meter = Meter::start(devices, clock);
//   Window window = (*meter)->open();
//   ... work ...
//   auto measured = window.measurement();  // measured->energy, +- measured->uncertainty
class Meter {
 public:
  using Options = Recorder::Options;

  // Devices and clock outlive the meter. Returns when windows can be opened: after a fraction of a second, or
  // some seconds on GPUs whose readings are long running means. Errors: no device; a device without power
  // reading and energy counter; a device that returns no readings; cancelled.
  static Result<std::unique_ptr<Meter>> start(const std::vector<device::Device*>& devices, Clock& clock,
                                              const Options& options = {}, const std::stop_token& stop = {});
  ~Meter();

  Window open();
  // The readings of each device since the last call. Empty unless Options::keep_readings.
  std::vector<std::vector<TracePoint>> take_traces();
  const std::vector<std::unique_ptr<Recorder>>& recorders() const { return recorders_; }

 private:
  friend class Window;
  Meter(std::vector<std::unique_ptr<Recorder>> recorders, Clock& clock);
  void read_devices(const std::stop_token& stop);
  void end_readings(const char* why) const;

  std::vector<std::unique_ptr<Recorder>> recorders_;
  Clock& clock_;
  std::jthread thread_;
};

}  // namespace ergon::meter
