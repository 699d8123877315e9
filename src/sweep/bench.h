#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "sweep/run.h"

namespace ergon::sweep {

// A device with everything a run needs: it locks the clock, lets it settle, looks whether it is there, runs
// the network while the power is watched, and puts the clock back.
class Bench {
 public:
  virtual ~Bench() = default;

  struct Facts {
    std::string device;  // as in rows
    bool simulated = false;
    std::string model = {};  // of a simulated one, a digest of all it is made of
    int at_once = 1;  // runs that may be under way at a time: simulated devices are as many as one likes
  };
  virtual const Facts& facts() const = 0;
  // That can be asked for, ascending.
  virtual Result<std::vector<Hertz>> clocks() = 0;
  // What goes wrong with this run alone is said by its row: a clock that is refused, a network that does not
  // fit. Errors end the sweep: no permission, the device is lost or cannot be put back, somebody asked to
  // stop. Before it returns the device is as it was, unless the error says otherwise.
  virtual Result<RunRow> run(const Run& run, const std::stop_token& stop) = 0;
};

}  // namespace ergon::sweep
