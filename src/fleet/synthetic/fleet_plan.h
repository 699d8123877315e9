#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "base/prices.h"
#include "base/result.h"
#include "base/timestamp.h"
#include "base/units.h"
#include "device/twin/specification.h"

namespace ergon::fleet::synthetic {

inline constexpr Timestamp kStudyStart{1'541'662'890'000'000'000};  // 2018-11-08T07:41:30Z

// A simulated fleet, written in the file formats of the TeraScope study: in November 2018, 1,024 GPUs
// rendered a city of a trillion pixels, tile by tile. The application logged its steps, and every host logged
// the output of nvidia-smi. Durations, shares and irregularities are those of the study's files; power,
// temperature and utilization come from a twin.
//
// Hosts. Each renders one task after another (task_stream.h), starting a few seconds after the beginning. It
// starts no task that would end in the last minute, in which only the loggers run. With several GPUs per
// host, all render the host's task. Half of the hosts are slow: their GPUs have slower memory, so that tiles
// take a tenth longer on the twin (board.h). Four of 1,024 hosts write every checkpoint twice; five run two
// loggers.
//
// GPUs. No context between tasks; an open context before the first and after the last kernel of a task; in
// between, bursts of kernels at changing load (gpu_simulation.h). A logger reads power, temperature and
// utilization every 2.017 s, with the resolution of nvidia-smi.
//
// Damage, on request only: lost rows, and loggers whose clock is ahead.
//
// Random numbers of a host depend on the seed and its index only: a host is the same among ten hosts and
// among ten thousand. Times are Instants since the start of the fleet, in whole milliseconds.
struct FleetPlan {
  std::uint64_t hosts = 1, gpus_per_host = 1;
  Seconds duration;
  std::uint64_t seed = 1;
  Timestamp start = kStudyStart;  // truncated to milliseconds
  double loss = 0;                // share of checkpoints and samples that are lost
  Seconds skew;                   // by which the loggers of 1 % of the hosts are ahead
  device::Specification device;

  Instant end() const { return Instant{} + duration; }
};

inline constexpr std::uint64_t kMaxHosts = 10'000'000, kMaxGpusPerHost = 64;
inline constexpr Seconds kMaxDuration{kSecondsPerHour * 24 * 3660}, kMaxSkew{kSecondsPerHour * 24};

// Errors: a value outside its range; a device without a power reading.
Result<> check(const FleetPlan& plan);

// `moment` + `by`, rounded to milliseconds.
Instant later(Instant moment, Seconds by);

}  // namespace ergon::fleet::synthetic
