#pragma once

#include "fleet/tally.h"

namespace ergon::report {

// The numbers of a record, in the order of the file: written and read by the same list.
template <typename Record, typename Visit>
void visit_cell(Record& cell, Visit& visit) {
  visit(cell.events), visit(cell.duration_ns), visit(cell.duration_squares);
  visit(cell.shortest_ns), visit(cell.longest_ns);
  visit(cell.first_start.ns), visit(cell.last_stop.ns);
  for (auto& each : cell.nearest) visit(each);
  for (auto& each : cell.nearest_rows) visit(each);
  visit(cell.nearest_unused);
  for (auto& each : cell.mean) visit(each);
  for (auto& each : cell.mean_squares) visit(each);
  for (auto& each : cell.mean_events) visit(each);
  visit(cell.energy), visit(cell.variance), visit(cell.whole_energy), visit(cell.whole_events);
  visit(cell.own_energy), visit(cell.own_time);
  visit(cell.between_samples), visit(cell.uncovered), visit(cell.part_covered);
}

template <typename Record, typename Visit>
void visit_gpu(Record& sums, Visit& visit) {
  visit(sums.samples), visit(sums.duplicates);
  for (auto& each : sums.sum) visit(each);
  for (auto& each : sums.count) visit(each);
  visit(sums.first.ns), visit(sums.last.ns);
  for (auto* each : {&sums.total, &sums.idle_before, &sums.idle_between, &sums.idle_after, &sums.events})
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
  visit(counts.nameless), visit(counts.cut_off), visit(counts.zoneless);
  for (auto& each : counts.not_available) visit(each);
  for (auto& each : counts.absurd) visit(each);
}

}  // namespace ergon::report
