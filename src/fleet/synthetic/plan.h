#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "base/result.h"
#include "base/timestamp.h"
#include "base/units.h"
#include "device/twin/specification.h"

namespace ergon::fleet::synthetic {

inline constexpr Timestamp kStudyBegan{1'541'662'890'000'000'000};  // 2018-11-08T07:41:30Z

// A fleet that never was, in the files of a study that did take place: in November 2018 1,024 GPUs rendered a
// city of a trillion pixels, tile by tile, while the application wrote down its steps and every host logged
// what nvidia-smi said. Durations, shares and quirks here are those of that study's files (TeraScope); power,
// temperature and utilisation are a twin's.
//
// Hosts. Each renders tasks one after another (host_life.h), from a few seconds after the beginning on; it
// takes no task that would end in the last minute, in which only the loggers go on. With several GPUs all
// render the host's task. Half of the hosts are slow, with slower memory on their GPUs: the twin makes their
// tiles last a tenth longer (board.h). Four hosts of 1,024 write every checkpoint twice, five others run two
// loggers.
//
// GPUs. Bare between tasks, with a context open before the first and after the last kernel of a task, and in
// between bursts of kernels at changing load (gpu_life.h). A logger reads power, temperature and utilisation
// every 2.017 s, as coarse as nvidia-smi shows them.
//
// Damage. Rows can be lost, and some hosts' loggers can run ahead; neither happens unless asked for.
//
// A host draws from generators of its own, by seed and host number: it is the same among ten hosts and among
// ten thousand. Moments are Instants since the fleet's beginning, in whole milliseconds.
struct Plan {
  std::uint64_t hosts = 1, gpus_per_host = 1;
  Seconds lasts;
  std::uint64_t seed = 1;
  Timestamp start = kStudyBegan;  // of the fleet's first moment; what is below a millisecond is dropped
  double loss = 0;                // the share of rows, of checkpoints and of samples, that are lost
  Seconds skew;                   // by which the loggers of one host in a hundred run ahead
  device::Specification device;

  Instant end() const { return Instant{} + lasts; }
};

inline constexpr std::uint64_t kMostHosts = 10'000'000, kMostGpusPerHost = 64;
inline constexpr Seconds kLongestPlan{3600.0 * 24 * 3660}, kMostSkew{3600.0 * 24};

// Errors: no hosts or no time, more than the above, times that no timestamp can hold, a device without a
// power reading.
Result<> check(const Plan& plan);

// `moment`, so much later, in whole milliseconds.
Instant later(Instant moment, Seconds by);

}  // namespace ergon::fleet::synthetic
