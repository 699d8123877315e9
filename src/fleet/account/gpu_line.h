#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "fleet/account/activity.h"
#include "fleet/account/event.h"
#include "fleet/account/history.h"
#include "fleet/account/share.h"

namespace ergon::fleet {

// The events of a host whose shares are not complete, by start, outer ones before inner ones. They are
// numbered from the first that ever was.
struct EventLine {
  std::deque<Event> events;
  std::uint64_t first = 0;  // number of the first in the queue

  std::uint64_t end() const { return first + events.size(); }
  const Event& operator[](std::uint64_t number) const { return events[number - first]; }
};

// One GPU's samples, laid along the events of its host. Between two samples every metric goes in a straight
// line; where they are further apart than `gap`, nothing is known. A sample that lacks a metric is bridged by
// its neighbours in the same way. The sweep goes from one sample, START or STOP to the next; how it is cut
// into calls does not change a bit of what comes out.
class GpuLine {
 public:
  explicit GpuLine(Seconds gap, std::uint64_t first_event = 0);

  // Samples of any order; none before the limit of an earlier sweep.
  void add(const Sample& sample) { samples_.push_back(sample); }

  // Takes everything before `limit`. Contract: all events that begin before it are in the line, and all
  // samples up to a gap behind it are here.
  void sweep(const EventLine& line, Timestamp limit);
  // The same to the end.
  void finish(const EventLine& line);

  // Of the event at the front of the line. Contract: it has been swept.
  const Share& front() const { return shares_.front(); }
  void pop_front() { shares_.pop_front(); }

  const GpuSums& sums() const { return sums_; }
  const ActivityProfile& activity() const { return activity_.profile(); }
  const History& history() const { return history_; }

 private:
  void order();
  void take_sample();
  void start(const EventLine& line);
  void stop(const EventLine& line, std::size_t i);
  void pass(Timestamp until);
  PerMetric<double> nearest() const;
  PerMetric<double> next_values() const;
  void find_innermost(const EventLine& line);
  Share& share(std::uint64_t event) { return shares_[event - (next_event_ - shares_.size())]; }

  std::int64_t gap_ns_;
  std::vector<Sample> samples_;
  std::size_t next_ = 0;     // the first sample that was not taken
  std::size_t ordered_ = 0;  // how many are in order
  std::optional<Sample> last_;
  PerMetric<double> last_values_ = kAllUnknown;  // of the last, bridged
  PerMetric<Timestamp> known_at_{};              // when each was last shown
  std::uint64_t next_event_;
  std::deque<Share> shares_;  // of the events in the line that have begun
  std::vector<std::uint64_t> active_, innermost_;
  Timestamp now_{INT64_MIN};
  Spent idle_;  // since the last event
  bool any_event_;
  GpuSums sums_;
  ActivityWatch activity_;
  History history_;
};

}  // namespace ergon::fleet
