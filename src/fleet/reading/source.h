#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "fleet/reading/checkpoint_reader.h"
#include "fleet/reading/sample_reader.h"

namespace ergon::fleet {

// Rows that were read, in parts of any size.
struct RowBatch {
  std::vector<std::vector<Checkpoint>> checkpoints;
  std::vector<std::vector<Sample>> samples;
  RowCounts checkpoint_counts, sample_counts;
};

// Source of telemetry, read in chunks that follow each other in time.
class TelemetrySource {
 public:
  virtual ~TelemetrySource() = default;

  virtual bool done() const = 0;
  // All rows before this time were read, if rows are ordered by time.
  virtual Timestamp reached() const = 0;
  virtual Result<> read(RowBatch& batch) = 0;
  // Starts again from the first row.
  virtual void rewind() = 0;

  virtual bool seems_ordered(Seconds lateness) const = 0;
  // Progress, in bytes or any other unit.
  virtual std::size_t size() const = 0;
  virtual std::size_t position() const = 0;
  // The name of the task with this Checkpoint::task_offset.
  virtual std::string_view task_name(std::uint64_t task_offset) const = 0;
  // Names returned by task_name() are no longer used; their memory may be released.
  virtual void release_names() {}
  // Warnings for the user, after all rows were read.
  virtual std::vector<std::string> warnings() const { return {}; }
};

// Task offsets hold the index of the source above these bits.
inline constexpr int kOffsetBits = 48;

}  // namespace ergon::fleet
