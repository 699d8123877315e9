#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "fleet/synthetic/event_stream.h"
#include "fleet/synthetic/gpu_life.h"

namespace ergon::fleet::synthetic {

// A row of the GPU file, as coarse as nvidia-smi shows it.
struct Sample {
  Instant at;                     // by the logger's clock
  std::int64_t power_hundredths;  // of a watt
  int temperature_celsius, busy_percent, memory_percent;
};

// Which GPU, and who reads it.
struct SampleSource {
  std::uint64_t host = 0, gpu = 0, logger = 0;
};

// What one logger reads from one GPU, in the order of time. It holds the GPU's last few phases.
class SampleStream {
 public:
  // `pace` as in HostLife.
  SampleStream(const Plan& plan, const SampleSource& source, double pace,
               const std::shared_ptr<const Board>& board);

  // The time of the row by the logger's clock; kNoMore behind the last.
  std::int64_t key() const { return read_at_ < end_ ? read_at_.ns + ahead_ns_ : kNoMore; }
  // Reads the row that key() announced. Contract: key() is not kNoMore.
  Sample take();

  // Host, serial number and UUID, as they stand in a row.
  const std::string& names() const { return names_; }
  bool loses_row(double share) { return share > 0 && losses_.happens(share); }

 private:
  PowerSensor sensor_;
  GpuLife life_;
  Instant read_at_, end_;
  std::int64_t ahead_ns_ = 0;
  std::string names_;
  Draws draws_, losses_;
};

}  // namespace ergon::fleet::synthetic
