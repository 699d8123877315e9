#pragma once

// Measures networks by running them: on the processor, on a GPU of this machine, or on a twin in simulated
// time.
//
//   auto profiler = ergon::Profiler::open("gpu0");
//   auto profile = profiler->run(*network, {.batch = 32});  // profile->time.value, profile->energy

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "ergon/device.h"
#include "ergon/estimate.h"
#include "ergon/export.h"
#include "ergon/measure.h"
#include "ergon/network.h"
#include "ergon/result.h"
#include "ergon/units.h"

namespace ergon {

struct ProfilerOptions {
  bool measure_energy = true;                  // false: only time is measured
  std::optional<ControlAllowed> control = {};  // needed to lock a clock of a GPU
  std::uint64_t seed = 1;                      // of random weights, and of a twin's sensor noise
};

// How a network is run.
struct ProfileRequest {
  std::optional<std::int64_t> batch = {};  // absent: the network's default batch, or 1
  Mode mode = Mode::inference;
  std::optional<Precision> precision = {};  // absent: the network's; tf32 for float32
  std::optional<Hertz> clock = {};          // core clock to lock, GPUs and twins only; absent: default clock
  Seconds duration{1};                      // minimum; longer if the power sensor needs it
  Seconds warm_up{0.2};
};

// Measurement of repeated iterations. Values are per iteration; the intervals are 95 %.
struct NetworkProfile {
  std::string network, device;  // the device by product name
  std::int64_t batch = 1;
  Precision precision = Precision::tf32;
  Estimate<Seconds> time;  // from the deviation between segments of the run
  // Absent if no energy was measured; `notes` says why. Power is the mean over the run, energy / time.
  std::optional<Estimate<Watts>> power;
  std::optional<Estimate<Joules>> energy, energy_per_sample;
  std::optional<Seconds> host_time;           // launch time on the host, without waiting for the device
  std::optional<Hertz> min_clock, max_clock;  // core clock, as observed
  std::optional<Celsius> temperature_before, temperature_after;
  std::int64_t iterations = 0;
  bool valid = true;
  std::vector<std::string> reasons;  // why it is not valid: codes of docs/profile.md
  std::vector<std::string> notes;
  std::string engine;      // "libtorch", "twin"
  bool simulated = false;  // by a twin or fake-nvml
};

// A device with an engine that runs networks and a meter that reads its power. Not thread-safe.
class ERGON_API Profiler {
 public:
  // `device`: "cpu" for this processor; "gpu0", a number or a UUID for a GPU; otherwise a twin, by name or
  // .json file. The processor and real GPUs need libergon_torch.so, which is loaded now ($ERGON_TORCH names
  // another file). Errors: unknown_name; unsupported without libergon_torch.so or without CUDA.
  static Result<Profiler> open(const std::string& device, const ProfilerOptions& options = {});

  Profiler(Profiler&&) noexcept;
  Profiler& operator=(Profiler&&) noexcept;
  ~Profiler();

  // Runs the network with random weights, or those of its ONNX file. Locks the requested clock and restores
  // it afterwards. Errors: unsupported operations (named); out_of_memory; a clock that the device does not
  // support, or that may not be locked (permission); device_lost; cancelled.
  Result<NetworkProfile> run(const Network& network, const ProfileRequest& request = {},
                             const std::stop_token& stop = {});

 private:
  struct State;
  explicit Profiler(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace ergon
