#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "allocate/demand.h"
#include "allocate/hardware.h"
#include "allocate/layer_energy.h"
#include "allocate/layer_setting.h"
#include "allocate/layer_times.h"
#include "allocate/scheme.h"

namespace ergon::allocate {

// Shares of time or energy up to this are rounding.
inline constexpr double kNegligible = 1e-6;

// One layer of a schedule.
struct ScheduledLayer {
  LayerDemand demand;
  LayerSetting setting;
  bool switches = false;               // the previous layer ends at another clock
  LayerTime planned;                   // as the scheme assumes
  LayerTime simulated;                 // from the simulator at this setting, switch included
  EnergySplit energy;                  // as simulated, without switches
  double energy_ratio = 1;             // of the array, by work, relative to race to idle
  double energy_ratio_as_printed = 1;  // by eq. 6 of ARADA
};

// Saved share of the array's energy at race to idle.
struct Saving {
  double layer_mean = 0;       // unweighted mean over layers, as in the paper
  double energy_weighted = 0;  // weighted by energy
};

// Proven lower bound on the energy of comparable schedules.
struct Certificate {
  double lower_bound = 0;  // energy ratio to race to idle; over the same levels in the same time
  double dual_bound = 0;   // bound of the Lagrangian relaxation alone
  bool exact = false;      // complete search: the bound is reached
};

struct Schedule {
  Scheme scheme = Scheme::race_to_idle;
  std::vector<ScheduledLayer> layers;
  std::size_t switches = 0;  // including the return to the highest clock after the last layer
  Seconds race_to_idle;      // latency of race to idle
  Seconds planned, simulated;
  std::optional<Seconds> allowed;  // time limit, if there is one
  Saving by_work, as_printed;      // by the scheme's own accounting: ARADA's schemes ignore switch energy
  double bandwidth_reduction = 0;  // mean over layers
  double energy_ratio = 1;         // to race to idle: array, switches and, if enabled, memory
  double memory_energy_ratio = 1;  // of the memory alone; 1 if memory energy is not included
  std::optional<Certificate> certificate;

  // Simulated latency beyond the planned latency, as a share of it.
  double slowdown() const { return ((simulated - planned) / planned).si(); }
  bool meets_planned_latency() const { return slowdown() <= kNegligible; }
  // Simulated latency beyond race to idle's, as a share of it.
  double slowdown_to_race_to_idle() const { return (simulated / race_to_idle).si() - 1; }
  double gap() const {
    if (!certificate) return 0;
    const double gap = energy_ratio - certificate->lower_bound;
    return gap > 1e-12 ? gap : 0;  // rounding
  }
};

// How a schedule is evaluated.
struct ScheduleEvaluation {
  Scheme scheme;
  bool switches_cost = true;
  const LayerTimes* planned = nullptr;  // null: as simulated
};

// Simulates the layers one after the other at their settings.
Schedule evaluate(std::span<const LayerDemand> demands, const Hardware& hardware,
                  std::span<const LayerSetting> settings, const ScheduleEvaluation& how);

}  // namespace ergon::allocate
