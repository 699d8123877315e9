#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/twin/specification.h"
#include "predict/task.h"

namespace ergon::predict {

// How a network's time and power come from those of its operations.
//
// Kernels follow each other, the host asks for them meanwhile: the slower of the two sets the pace.
// Operations that are shorter than the host needs to ask for them were never seen without waiting, so what
// was learned of their time counts less and physics more; what they drew beyond an idle device is theirs all
// the same.

// Inside of a network, sorts of operations run unlike they do alone: what one has just written, the next
// finds in the cache, and hot ones cool down during others.
enum class Sort : std::uint8_t { convolution, product, move, turned };
Sort sort_of(const Task& task);

// One operation of a network, with what was learned of it.
struct Part {
  double count = 1;
  Sort sort = Sort::move;
  Seconds settled;                         // the physical estimate of one occurrence at the GPU's own clock
  Watts settled_power;                     // and what it would draw
  double time_ratio = 0, power_ratio = 0;  // learned: logarithms of truth over estimate
  Seconds host;                            // that the host needs for it
  std::optional<Watts> idle;               // what the device draws while this, alone, waits for the host
  double shift = 0;                        // of all of its sort inside of networks: a logarithm
  bool seen = false;                       // this very operation was among those learned from
};

// How far learned ratios are believed.
struct Trust {
  double learned = 1;  // of operations that keep the device busy
  double waiting = 1;  // less, by this share, of those that only wait for the host

  friend bool operator==(const Trust&, const Trust&) = default;
};

// By mode: a training iteration asks so much more of its host that other rows are worth believing.
using Trusts = std::map<graph::Mode, Trust>;

double believed(const Part& part, const Trust& trust);
// Of all its occurrences, without the shift.
Seconds kernel_time(const Part& part, const Trust& trust);
// How much of the time that kernels run, 0 to 1, is in operations that were seen.
double known_share(std::span<const Part> parts, const Trust& trust);

struct Portion {
  Seconds kernels;
  Joules energy;
};
struct Sums {
  Seconds kernels, host;
  Joules energy;                    // while kernels run
  Portion products, moves, turned;  // that are in these
};
// Shifts are not in it: they are what sums are compared with wholes for.
Sums sums_of(std::span<const Part> parts, const Trust& trust);
// Of a whole of which power is known with its waiting.
Sums sums_of(Seconds kernels, Seconds host, Watts power, const device::Specification& gpu);

// What whole networks need besides: logarithms of factors.
struct Correction {
  double kernels = 0, host = 0, power = 0;
  double products = 0, moves = 0, turned = 0;  // on top of the factor for all kernels

  double shift_of(Sort sort) const;
  friend bool operator==(const Correction&, const Correction&) = default;
};

struct Kind {
  graph::Mode mode = graph::Mode::inference;
  device::Precision precision = device::Precision::tf32;
  Host host = Host::python;
  friend auto operator<=>(const Kind&, const Kind&) = default;
};
Kind kind_of(const Condition& condition);

struct Corrections {
  std::map<Kind, Correction> kinds;
  double waiting = 0;  // of the power while nothing but the host works: logarithm of the factor
  Watts ceiling;       // no network was seen to draw more

  // Of the nearest kind that was seen in this mode: the same host, the same numbers, numbers as wide.
  Correction of(const Kind& kind) const;
};

// Whether the host sets the pace, or nearly does: the device waits for it time and again.
inline bool waits_for_host(Seconds kernels, Seconds host) { return host > kernels * 0.7; }

struct Whole {
  Seconds time, kernels, host;
  Watts power;
  Joules energy;

  bool waits() const { return waits_for_host(kernels, host); }
};
Whole whole_of(const Sums& sums, const Correction& correction, const Corrections& all,
               const device::Specification& gpu);

// A whole network that was measured, beside the sums of its operations.
struct Observation {
  std::string network;
  Kind kind;
  Sums sums;
  Seconds time;
  std::optional<Watts> power;
};
// Small corrections that explain many networks are preferred to large ones that explain a few.
Corrections fit_corrections(std::span<const Observation> observations, const device::Specification& gpu);

}  // namespace ergon::predict
