#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "allocate/bill.h"
#include "allocate/demand.h"
#include "allocate/hardware.h"
#include "allocate/layer_times.h"
#include "allocate/scheme.h"
#include "allocate/setting.h"

namespace ergon::allocate {

// One line of what a run-time follows.
struct ScheduledLayer {
  Demand demand;
  Setting setting;
  bool switches = false;    // the layer before leaves another clock behind
  LayerTime planned;        // what the scheme promises
  LayerTime simulated;      // what the simulator says at this setting, the change of clock included
  LayerBill bill;           // as simulated, changes of clock not included
  double energy_ratio = 1;  // of the array, by work, to race to idle
  double energy_ratio_as_printed = 1;  // by eq. 6 of ARADA
};

// Shares of race to idle's energy of the array that are saved.
struct Saving {
  double layer_mean = 0;       // every layer counts the same, as in the paper
  double energy_weighted = 0;  // every joule counts the same
};

// How good a schedule is, proven.
struct Certificate {
  double lower_bound =
      0;  // no schedule over the same levels in the same time has a lower ratio to race to idle
  double dual_bound = 0;  // by the Lagrangian relaxation alone
  bool exact = false;     // the search was complete
};

struct Schedule {
  Scheme scheme = Scheme::race_to_idle;
  std::vector<ScheduledLayer> layers;
  std::size_t switches = 0;  // changes of clock, the way back after the last layer included
  Seconds race_to_idle;      // latencies
  Seconds planned, simulated;
  std::optional<Seconds> allowed;  // where there is a limit
  Saving by_work, as_printed;      // as the scheme sees it: ARADA's own count no energy of changes
  double bandwidth_reduction = 0;  // mean over layers
  double energy_ratio = 1;  // to race to idle: array, changes of clock, and memory where it is on the bill
  double memory_energy_ratio = 1;  // of the memory alone; 1 where it is not on the bill
  std::optional<Certificate> certificate;

  // Latency beyond what the scheme says, as a share of it.
  double lateness() const { return ((simulated - planned) / planned).si(); }
  double gap() const {
    if (!certificate) return 0;
    const double gap = energy_ratio - certificate->lower_bound;
    return gap > 1e-12 ? gap : 0;  // sums in another order
  }
};

// Whether changes of clock cost time and energy, and how a scheme sees its own time.
struct Evaluation {
  Scheme scheme;
  bool switches_cost = true;
  const LayerTimes* planned = nullptr;  // none: as simulated
};

// Layers at their settings, re-simulated one after the other.
Schedule evaluate(std::span<const Demand> demands, const Hardware& hardware,
                  std::span<const Setting> settings, const Evaluation& how);

}  // namespace ergon::allocate
