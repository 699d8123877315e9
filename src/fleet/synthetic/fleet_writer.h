#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>

#include "fleet/synthetic/event_stream.h"
#include "fleet/synthetic/generate.h"
#include "fleet/synthetic/row_file.h"
#include "fleet/synthetic/sample_stream.h"
#include "fleet/synthetic/stream_merge.h"

namespace ergon::fleet::synthetic {

Error stopped();

// Writes the three files.
class FleetWriter {
 public:
  // Contract: the plan outlives the writer.
  static Result<FleetWriter> begin(const FleetPlan& plan, const std::filesystem::path& folder);

  // Writes all rows before `until`.
  Result<> checkpoints(StreamMerge<EventStream>& events, Instant until, const std::stop_token& stop);
  Result<> samples(StreamMerge<SampleStream>& samples, Instant until, const std::stop_token& stop);
  Result<GeneratedFleet> commit(GeneratedFleet facts);

 private:
  FleetWriter(const FleetPlan& plan, RowFile checkpoints, RowFile samples, RowFile tiles);

  const std::string& job_of(const Tile& tile) const;
  Result<> write_checkpoint(EventStream& host);
  Result<> write_tile(const EventStream& host);
  Result<> write_sample(SampleStream& logger);

  const FleetPlan& plan_;
  RowFile checkpoints_, samples_, tiles_;
  TimestampText event_time_, sample_time_;
  std::array<std::string, 3> jobs_;
  std::uint64_t lost_checkpoints_ = 0, lost_samples_ = 0;
};

}  // namespace ergon::fleet::synthetic
