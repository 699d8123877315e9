#include "fleet/synthetic/event_stream.h"

#include <algorithm>

#include "fleet/synthetic/identity.h"

namespace ergon::fleet::synthetic {
namespace {

constexpr std::int64_t kTimeStep = 1'000'000, kRanks = 8;
constexpr std::uint64_t kOfCheckpoints = 0;  // stream of lost rows within a host

std::int64_t key_of(const EventRow& event) {
  return event.at.ns / kTimeStep * kRanks + static_cast<std::int64_t>(event.name);
}

}  // namespace

std::string_view name_of(EventName name) {
  switch (name) {
    case EventName::render:
      return "Render";
    case EventName::saving_config:
      return "Saving Config";
    case EventName::tiling:
      return "Tiling";
    case EventName::total_render:
      return "TotalRender";
    case EventName::uploading:
      return "Uploading";
  }
  return "";
}

EventStream::EventStream(const FleetPlan& plan, std::uint64_t host, double pace)
    : seed_(plan.seed),
      host_(host),
      traits_(traits_of(plan.seed, host)),
      life_(plan, host, pace),
      host_name_(synthetic::host_name(plan.seed, host)),
      losses_(plan.seed, Purpose::losses, host, kOfCheckpoints) {
  begin_task();
}

std::int64_t EventStream::key() const { return task_ ? key_of(events_[at_]) : kEndOfStream; }

void EventStream::advance() {
  if (++at_ == kEventsOfTask) begin_task();
}

void EventStream::begin_task() {
  at_ = 0;
  task_ = life_.next();
  if (!task_) return;
  task_id_ = synthetic::task_id(seed_, host_, task_->number);
  const RenderTask& task = *task_;
  events_ = {{{task.begin, EventName::total_render, true},
              {task.config_begin, EventName::saving_config, true},
              {task.config_end, EventName::saving_config, false},
              {task.render_begin, EventName::render, true},
              {task.render_end, EventName::render, false},
              {task.upload_begin, EventName::uploading, true},
              {task.tiling_begin, EventName::tiling, true},
              {task.tiling_end, EventName::tiling, false},
              {task.upload_end, EventName::uploading, false},
              {task.end, EventName::total_render, false}}};
  std::stable_sort(events_.begin(), events_.end(),
                   [](const EventRow& a, const EventRow& b) { return key_of(a) < key_of(b); });
}

}  // namespace ergon::fleet::synthetic
