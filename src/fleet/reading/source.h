#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "fleet/reading/checkpoint_reader.h"
#include "fleet/reading/sample_reader.h"

namespace ergon::fleet {

// Rows as they were read, in parts of any size.
struct Batch {
  std::vector<std::vector<Checkpoint>> checkpoints;
  std::vector<std::vector<Sample>> samples;
  RowCounts checkpoint_counts, sample_counts;
};

// Where telemetry comes from, a stretch of time after the other.
class Source {
 public:
  virtual ~Source() = default;

  virtual bool done() const = 0;
  // Everything before this has been read, if rows come in the order of time.
  virtual Timestamp reached() const = 0;
  virtual Result<> read(Batch& batch) = 0;
  // Begins anew.
  virtual void rewind() = 0;

  virtual bool seems_ordered(Seconds lateness) const = 0;
  // How far it is, in bytes or whatever it counts.
  virtual std::size_t size() const = 0;
  virtual std::size_t position() const = 0;
  // The name of a task, from its place; its upper bits are the source's number.
  virtual std::string_view task_name(std::uint64_t place) const = 0;
  // Names that were looked up so far are not needed for now.
  virtual void forget() {}
  // What is worth saying of it when all is read.
  virtual std::vector<std::string> remarks() const { return {}; }
};

// Places of tasks hold the number of their source above the place in it.
inline constexpr int kPlaceBits = 48;

}  // namespace ergon::fleet
