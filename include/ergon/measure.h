#pragma once

// Energy of pieces of a program: start a meter, begin a window, end it, ask for its measurement.
//
//   auto devices = ergon::select_devices();
//   auto meter = ergon::Meter::start(*devices);
//   ergon::Window window = meter->begin();
//   work();
//   auto measured = window.measurement();  // measured->energy.value, valid or not and why

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "ergon/device.h"
#include "ergon/estimate.h"
#include "ergon/export.h"
#include "ergon/result.h"
#include "ergon/units.h"

namespace ergon {

// Why a measurement is not valid, or a note about it.
struct Reason {
  std::string code;  // "too_short", "counter_disagrees", ...: docs/measure.md lists them
  std::string text;  // for people
};

// The part of one device in a measurement.
struct DeviceMeasurement {
  DeviceIdentity device;
  Estimate<Joules> energy;  // 95 % interval
  Watts mean_power, peak_power;
  std::string field;                          // the sensor that was read: "instant", "energy_counter", ...
  Seconds period;                             // between reads
  std::uint64_t samples = 0, dropped = 0;     // readings that were used; failed or implausible readings
  std::optional<double> counter_discrepancy;  // (integral of the readings - counter) / counter
  std::optional<Hertz> min_clock, max_clock;  // core clock, as observed
  std::optional<Celsius> min_temperature, max_temperature;
};

struct MeasurementDetails;  // of the library

// Energy of a window, corrected for the known gain and offset of the product's sensor.
struct Measurement {
  Estimate<Joules> energy;  // 95 % interval: gaps, noise, timing, and spread of sensors between boards
  Joules statistical;  // half of the 95 % interval without the spread between boards, to compare runs on one
  Seconds duration;
  Estimate<Watts> power;  // mean over the window: energy / duration
  Watts peak_power;       // sum of the devices' peaks
  bool valid = true;
  std::vector<Reason> reasons;  // why it is not valid
  std::vector<Reason> notes;    // remarks that do not affect validity
  std::vector<DeviceMeasurement> devices;
  bool simulated = false;                                  // a twin or fake-nvml was involved
  std::shared_ptr<const MeasurementDetails> details = {};  // for measurement_document()
};

struct MeterOptions {
  std::optional<Seconds> period = {};  // between reads; default: depends on the sensor
  // For many short windows that are waited for one by one: reads the driver's sample buffer more often, at up
  // to 2 % of a core.
  bool prompt = false;
};

// A time span whose energy is measured. Windows may nest and overlap; the energies of parts sum to the energy
// of the whole. A window may be ended and waited for on another thread than the one that began it, one at a
// time.
class ERGON_API Window {
 public:
  Window(Window&&) noexcept;
  Window& operator=(Window&&) noexcept;
  ~Window();

  // Takes microseconds. Later calls have no effect.
  void end();
  // Ends the window and waits until the sensors have covered it: a fraction of a second to some seconds.
  // Errors: a device was lost before its first reading; cancelled, after which it may be called again;
  // invalid_input at the second call.
  Result<Measurement> measurement(const std::stop_token& stop = {});
  // Ends the window. Whether measurement() would return without waiting; true at the latest 15 s after the
  // end.
  bool available();

 private:
  friend class Meter;
  struct State;
  explicit Window(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// Reads devices on a background thread and measures the energy of windows. Windows keep the meter running.
// Any thread may begin windows.
class ERGON_API Meter {
 public:
  // Returns when windows can begin: after a fraction of a second, or some seconds on GPUs whose readings are
  // long running means. Errors: no device; a device without power reading and energy counter; a device that
  // returns no readings; cancelled.
  static Result<Meter> start(const std::vector<Device>& devices, const MeterOptions& options = {},
                             const std::stop_token& stop = {});

  Meter(Meter&&) noexcept;
  Meter& operator=(Meter&&) noexcept;
  ~Meter();

  // Takes microseconds.
  Window begin();

 private:
  struct State;
  explicit Meter(std::shared_ptr<State> state);

  std::shared_ptr<State> state_;
};

}  // namespace ergon
