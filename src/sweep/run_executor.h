#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "sweep/run.h"

namespace ergon::sweep {

// Minimum duration of a steady run, and of the warm-up before it, if nothing else is asked for.
inline constexpr Seconds kDefaultDuration{1}, kDefaultWarmUp{0.2};

// Executes runs on a device: locks the clock, waits until the device reaches it, runs the network while power
// is measured, and restores the clock.
class RunExecutor {
 public:
  virtual ~RunExecutor() = default;

  struct DeviceFacts {
    std::string device;  // name in rows
    bool simulated = false;
    std::string model = {};  // digest of the parameters of a simulated device; empty otherwise
    int max_parallel_runs = 1;
  };
  virtual const DeviceFacts& facts() const = 0;
  // Supported clocks, ascending.
  virtual Result<std::vector<Hertz>> clocks() = 0;
  // Problems of this run alone are reported in its row: a refused clock, a network that does not fit. Errors
  // end the sweep: no permission; the device is lost or cannot be restored; a stop request. On return the
  // device has its previous clocks, unless the error says otherwise.
  virtual Result<RunRow> run(const Run& run, const std::stop_token& stop) = 0;
};

}  // namespace ergon::sweep
