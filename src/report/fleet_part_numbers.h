#pragma once

#include "fleet/tally.h"

namespace ergon::report {

// Visit the numbers of a record in the order of the file; used for writing and reading.
template <typename Record, typename Visit>
void visit_event_totals(Record& totals, Visit& visit) {
  visit(totals.events), visit(totals.duration_ns), visit(totals.duration_squares);
  visit(totals.shortest_ns), visit(totals.longest_ns);
  visit(totals.first_start.ns), visit(totals.last_stop.ns);
  for (auto& each : totals.nearest) visit(each);
  for (auto& each : totals.nearest_rows) visit(each);
  visit(totals.nearest_idle);
  for (auto& each : totals.mean) visit(each);
  for (auto& each : totals.mean_squares) visit(each);
  for (auto& each : totals.mean_events) visit(each);
  visit(totals.energy), visit(totals.variance), visit(totals.whole_energy), visit(totals.whole_events);
  visit(totals.exclusive_energy), visit(totals.exclusive_time);
  visit(totals.between_samples), visit(totals.uncovered), visit(totals.part_covered);
  visit(totals.indivisible);
}

template <typename Record, typename Visit>
void visit_gpu(Record& sums, Visit& visit) {
  visit(sums.samples), visit(sums.duplicates);
  for (auto& each : sums.sum) visit(each);
  for (auto& each : sums.count) visit(each);
  visit(sums.first.ns), visit(sums.last.ns);
  for (auto* each : {&sums.total, &sums.idle_before, &sums.idle_between, &sums.idle_after, &sums.unattributed,
                     &sums.events, &sums.shared})
    visit(each->energy), visit(each->time);
  visit(sums.gaps), visit(sums.gap_time), visit(sums.busy), visit(sums.busy_outside);
}

template <typename Record, typename Visit>
void visit_activity(Record& profile, Visit& visit) {
  for (auto& each : profile.sum) visit(each);
  for (auto& each : profile.count) visit(each);
}

template <typename Record, typename Visit>
void visit_history(Record& history, Visit& visit) {
  visit(history.doublings), visit(history.first), visit(history.samples);
  for (auto& each : history.watts) visit(each);
  for (auto& each : history.percent) visit(each);
  for (auto& each : history.watts_count) visit(each);
  for (auto& each : history.percent_count) visit(each);
}

template <typename Record, typename Visit>
void visit_counts(Record& counts, Visit& visit) {
  visit(counts.rows), visit(counts.malformed), visit(counts.bad_time), visit(counts.bad_type);
  visit(counts.nameless), visit(counts.cut_off), visit(counts.without_zone);
  visit(counts.simulated);
  for (auto& each : counts.not_available) visit(each);
  for (auto& each : counts.out_of_range) visit(each);
}

}  // namespace ergon::report
