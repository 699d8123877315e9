#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "fleet/synthetic/random_stream.h"
#include "fleet/synthetic/task_stream.h"

namespace ergon::fleet::synthetic {

// Alphabetical, which is the order of rows at equal times.
enum class EventName : std::uint8_t { render, saving_config, tiling, total_render, uploading };
std::string_view name_of(EventName name);

struct EventRow {
  Instant at;
  EventName name = EventName::render;
  bool start = true;
};

// The key after the last row.
inline constexpr std::int64_t kEndOfStream = std::numeric_limits<std::int64_t>::max();

// The checkpoints of one host in order of time. Memory holds one task.
class EventStream {
 public:
  static constexpr std::size_t kEventsOfTask = 10;

  EventStream(const FleetPlan& plan, std::uint64_t host, double pace);

  // Sort key of the next row, by time and event name; kEndOfStream after the last.
  std::int64_t key() const;
  // Contract of all below: key() is not kEndOfStream.
  const EventRow& event() const { return events_[at_]; }
  const RenderTask& task() const { return *task_; }
  // Whether this is the task's first row.
  bool opens_task() const { return at_ == 0; }
  void advance();

  const HostTraits& traits() const { return traits_; }
  const std::string& host_name() const { return host_name_; }
  const std::string& task_id() const { return task_id_; }
  // Whether the next row is missing from the file, with probability `share`.
  bool loses_row(double share) { return share > 0 && losses_.bernoulli(share); }

 private:
  void begin_task();

  std::uint64_t seed_, host_;
  HostTraits traits_;
  TaskStream life_;
  std::optional<RenderTask> task_;
  std::array<EventRow, kEventsOfTask> events_;
  std::size_t at_ = 0;
  std::string host_name_, task_id_;
  RandomStream losses_;
};

}  // namespace ergon::fleet::synthetic
