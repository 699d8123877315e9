#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "fleet/synthetic/event_stream.h"
#include "fleet/synthetic/gpu_simulation.h"

namespace ergon::fleet::synthetic {

// A row of the GPU file, with the resolution of nvidia-smi.
struct SampleRow {
  Instant at;                     // on the logger's clock
  std::int64_t power_hundredths;  // of a watt
  int temperature_celsius, busy_percent, memory_percent;
};

// A logger of a GPU.
struct LoggerId {
  std::uint64_t host = 0, gpu = 0, logger = 0;
};

// The samples of one logger and GPU in order of time. Memory holds the last few phases of the GPU.
class SampleStream {
 public:
  // `pace`: see TaskStream.
  SampleStream(const FleetPlan& plan, const LoggerId& source, double pace,
               const std::shared_ptr<const Board>& board);

  // Time of the next row on the logger's clock, in ns; kEndOfStream after the last.
  std::int64_t key() const { return read_at_ < end_ ? read_at_.ns + ahead_ns_ : kEndOfStream; }
  // The row at key(). Contract: key() is not kEndOfStream.
  SampleRow take();

  // Host, serial number and UUID as CSV fields.
  const std::string& names() const { return names_; }
  bool loses_row(double share) { return share > 0 && losses_.bernoulli(share); }

 private:
  PowerSensor sensor_;
  GpuSimulation life_;
  Instant read_at_, end_;
  std::int64_t ahead_ns_ = 0;
  std::string names_;
  RandomStream random_, losses_;
};

}  // namespace ergon::fleet::synthetic
