#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "fleet/account/activity.h"
#include "fleet/account/event.h"
#include "fleet/account/gpu_history.h"
#include "fleet/account/gpu_sums.h"

namespace ergon::fleet {

// Events of a host that are not finished yet, by START, outer events before inner ones. Events are numbered
// from the first event of the host.
struct EventQueue {
  std::deque<Event> events;
  std::uint64_t first = 0;  // number of events.front()

  std::uint64_t end() const { return first + events.size(); }
  const Event& operator[](std::uint64_t number) const { return events[number - first]; }
};

// Joins the samples of one GPU with the events of its host. Every metric is interpolated linearly between two
// samples, unless they are further apart than `gap`: then it is unknown. A metric that a sample lacks is
// interpolated from the neighboring samples. Time advances from one sample, START or STOP to the next; the
// result is bit-identical however the time is divided into calls.
class GpuTimeline {
 public:
  explicit GpuTimeline(Seconds gap, std::uint64_t first_event = 0);

  // Samples may arrive in any order, but not before the limit of an earlier advance().
  void add(const Sample& sample) { samples_.push_back(sample); }

  // Processes everything before `limit`. Contract: the queue holds all events that start before `limit`, and
  // all samples up to one gap after it were added.
  void advance(const EventQueue& queue, Timestamp limit);
  // Processes everything that is left.
  void finish(const EventQueue& queue);

  // Totals of the first event of the queue. Contract: its STOP has been processed.
  const GpuEventTotals& front() const { return totals_.front(); }
  void pop_front() { totals_.pop_front(); }

  const GpuSums& sums() const { return sums_; }
  const ActivityProfile& activity() const { return activity_.profile(); }
  const GpuHistory& history() const { return history_; }

 private:
  struct ActiveEvent {
    std::uint64_t number = 0, task = 0;
    Timestamp stop;
    double share = 1;  // of the power
    double parts = 1;  // an event without an event inside has one of these equal parts; others have 0
  };

  void sort_samples();
  void take_sample();
  void start(const EventQueue& queue);
  void stop(std::size_t i);
  void pass(Timestamp until);
  PerMetric<double> nearest() const;
  PerMetric<double> next_values() const;
  void divide_power();
  GpuEventTotals& totals(std::uint64_t event) { return totals_[event - (next_event_ - totals_.size())]; }

  std::int64_t gap_ns_;
  std::vector<Sample> samples_;
  std::size_t next_ = 0;    // the first sample that was not processed
  std::size_t sorted_ = 0;  // number of sorted samples
  std::optional<Sample> last_;
  PerMetric<double> last_values_ = kAllUnknown;  // values of the last sample, missing metrics interpolated
  PerMetric<Timestamp> known_at_{};              // last sample that has the metric
  std::uint64_t next_event_;
  std::deque<GpuEventTotals> totals_;       // of the events in the queue that have started
  std::vector<ActiveEvent> active_;         // by task, then by number
  std::size_t tasks_ = 0;                   // different tasks in active_
  std::vector<Timestamp> innermost_stops_;  // used by divide_power()
  Timestamp now_{INT64_MIN};
  EnergyTime idle_;  // measured idle since the last STOP
  bool any_event_;
  GpuSums sums_;
  ActivityRecorder activity_;
  GpuHistory history_;
};

}  // namespace ergon::fleet
