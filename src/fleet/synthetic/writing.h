#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>

#include "fleet/synthetic/event_stream.h"
#include "fleet/synthetic/generate.h"
#include "fleet/synthetic/merge.h"
#include "fleet/synthetic/row_file.h"
#include "fleet/synthetic/sample_stream.h"

namespace ergon::fleet::synthetic {

Error stopped();

// The three files while they are written.
class Writing {
 public:
  // Contract: the plan outlives this.
  static Result<Writing> begin(const Plan& plan, const std::filesystem::path& folder);

  // Writes what lies before `until`.
  Result<> checkpoints(Merge<EventStream>& events, Instant until, const std::stop_token& stop);
  Result<> samples(Merge<SampleStream>& samples, Instant until, const std::stop_token& stop);
  Result<Generated> commit(Generated facts);

 private:
  Writing(const Plan& plan, RowFile checkpoints, RowFile samples, RowFile tiles);

  const std::string& job_of(const Tile& tile) const;
  Result<> write_checkpoint(EventStream& host);
  Result<> write_tile(const EventStream& host);
  Result<> write_sample(SampleStream& logger);

  const Plan& plan_;
  RowFile checkpoints_, samples_, tiles_;
  MomentText event_time_, sample_time_;
  std::array<std::string, 3> jobs_;
  std::uint64_t lost_checkpoints_ = 0, lost_samples_ = 0;
};

}  // namespace ergon::fleet::synthetic
