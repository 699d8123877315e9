#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "fleet/synthetic/draws.h"
#include "fleet/synthetic/host_life.h"

namespace ergon::fleet::synthetic {

// In alphabetical order, which is that of rows at the same time.
enum class EventName : std::uint8_t { render, saving_config, tiling, total_render, uploading };
std::string_view name_of(EventName name);

struct Event {
  Instant at;
  EventName name = EventName::render;
  bool start = true;
};

// Before the first row and behind the last.
inline constexpr std::int64_t kNoMore = std::numeric_limits<std::int64_t>::max();

// The checkpoints of one host in the order of time. It holds one task.
class EventStream {
 public:
  static constexpr std::size_t kEventsOfTask = 10;

  EventStream(const Plan& plan, std::uint64_t host, double pace);

  // Ascending, and by time and name over all hosts; kNoMore behind the last.
  std::int64_t key() const;
  // Contract of all below: key() is not kNoMore.
  const Event& event() const { return events_[at_]; }
  const RenderTask& task() const { return *task_; }
  // Whether this is the task's first row.
  bool opens_task() const { return at_ == 0; }
  void advance();

  const HostTraits& traits() const { return traits_; }
  const std::string& host_name() const { return host_name_; }
  const std::string& task_id() const { return task_id_; }
  // Whether the next row is lost on the way to the file.
  bool loses_row(double share) { return share > 0 && losses_.happens(share); }

 private:
  void begin_task();

  std::uint64_t seed_, host_;
  HostTraits traits_;
  HostLife life_;
  std::optional<RenderTask> task_;
  std::array<Event, kEventsOfTask> events_;
  std::size_t at_ = 0;
  std::string host_name_, task_id_;
  Draws losses_;
};

}  // namespace ergon::fleet::synthetic
