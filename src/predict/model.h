#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "predict/composition.h"
#include "predict/forecast.h"
#include "predict/forest.h"
#include "predict/known_operations.h"
#include "predict/sample.h"

namespace ergon::predict {

// What the host needs to ask for an operation, by its kind; where that was not seen, what is usual.
class HostCosts {
 public:
  void set(const std::string& operation, graph::Mode mode, Seconds cost) { costs_[{operation, mode}] = cost; }
  void set_usual(graph::Mode mode, Seconds cost) { usual_[mode] = cost; }
  Seconds of(const std::string& operation, graph::Mode mode) const;

  using Costs = std::map<std::pair<std::string, graph::Mode>, Seconds>;
  const Costs& costs() const { return costs_; }
  const std::map<graph::Mode, Seconds>& usual() const { return usual_; }

  // What the device draws while an operation, alone, waits for the host.
  void set_idle(graph::Mode mode, Watts power) { idle_[mode] = power; }
  std::optional<Watts> idle_in(graph::Mode mode) const;
  const std::map<graph::Mode, Watts>& idle() const { return idle_; }

 private:
  Costs costs_;
  std::map<graph::Mode, Seconds> usual_;
  std::map<graph::Mode, Watts> idle_;
};

// Half widths of intervals, as logarithms: the truth is within exp(-width) and exp(width) of the value nine
// times out of ten.
struct Widths {
  double time = 0.3, power = 0.3, energy = 0.3;

  Widths times(double factor) const { return {time * factor, power * factor, energy * factor}; }
};

// Of networks that keep the device busy, and of those that wait for their host.
struct WidthPair {
  Widths busy, waiting;

  const Widths& of(bool waits) const { return waits ? waiting : busy; }
};

// Of that host, or of the one that was seen.
Widths widths_in(const std::map<Host, WidthPair>& widths, Host host, bool waits);
// Between those of networks whose operations are not known, and of those whose are, by the share of the time.
Widths mixed(const Widths& unknown, const Widths& known, double share);

// Which operations were learned from, and of what size: bytes moved, least and most.
struct Seen {
  double least = 0, most = 0;
  std::int64_t rows = 0;
};
using Range = std::map<std::pair<std::string, graph::Mode>, Seen>;

// How well predictions met what was held back.
struct Score {
  std::string what;  // "networks, inference, time"
  std::int64_t rows = 0;
  double mape = 0;                  // mean of the absolute relative errors
  std::optional<double> r_squared;  // nothing where all rows measured the same, or nobody asked
  std::optional<double> coverage;   // of the 90 % intervals, where there are any
};

// What is known of a device beyond its twin.
struct Model {
  std::string device;
  Regime regime = Regime::learned;
  std::string learner;  // who grew the forests
  Forest time, power;   // logarithms of truth over physical estimate; empty in a calibrated one
  HostCosts hosts;
  Trusts trust;
  Corrections corrections;
  std::map<Host, WidthPair> widths;        // of networks whose operations are not known
  std::map<Host, WidthPair> known_widths;  // and of those whose are
  Range range;
  KnownOperations operations;
  std::vector<Score> scores;
  std::vector<Source> sources;

  bool simulated() const;  // some of its rows are
  Trust trust_in(graph::Mode mode) const;
  // The kinds of operations that were learned from.
  std::set<std::string> kinds() const;
  // For networks that spend so much of their time (0 to 1) in known operations.
  Widths widths_of(Host host, bool waits, double known) const;
};

}  // namespace ergon::predict
