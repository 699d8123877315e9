#pragma once

#include <algorithm>
#include <string>

#include "sweep/evaluation/noise.h"
#include "sweep/evaluation/observation.h"

namespace ergon::sweep {

struct SomeSweep {
  int clocks = 20, repetitions = 3;
  double time_share = 0;  // share of the time at the highest clock that depends on the clock
  double noise = 0.01;
  bool maxima = true, means = true;
};

// A network as in the paper: a power knee at 1200 MHz; `time_share` of the time depends on the clock.
inline void add(Observations& to, const std::string& network, double size, const SomeSweep& sweep,
                std::uint64_t seed) {
  Noise noise(seed);
  for (int i = 0; i < sweep.clocks; ++i) {
    const double mhz = 500 + 1000.0 * i / std::max(1, sweep.clocks - 1);
    for (int k = 0; k < sweep.repetitions; ++k) {
      Observation run;
      run.network = network;
      run.clock = Hertz{mhz * 1e6};
      run.time = Seconds{size * (1 - sweep.time_share + sweep.time_share * 1500 / mhz) *
                         (1 + sweep.noise * noise())};
      const double power = (50 + 0.03 * mhz + 0.25 * std::max(0.0, mhz - 1200)) * (1 + sweep.noise * noise());
      if (sweep.maxima) run.power_max = Watts{power};
      if (sweep.means) run.power_mean = Watts{0.8 * power};
      to.runs.push_back(run);
    }
  }
}

}  // namespace ergon::sweep
