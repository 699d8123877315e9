#include "fleet/account/pairing.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ergon::fleet {
namespace {

bool same_row(const Checkpoint& a, const Checkpoint& b) {
  return a.at == b.at && a.task == b.task && a.event == b.event && a.start == b.start;
}

// Order at equal times: by task and event, STOPs before STARTs.
auto simultaneous_order(const Checkpoint& row) {
  return std::tuple(row.task, row.event, row.start, row.task_offset);
}

}  // namespace

void Pairing::take(std::vector<Checkpoint>& rows, std::vector<Event>& done) {
  const auto earlier = [](const Checkpoint& a, const Checkpoint& b) { return a.at < b.at; };
  if (!std::is_sorted(rows.begin(), rows.end(), earlier)) std::sort(rows.begin(), rows.end(), earlier);
  for (auto moment = rows.begin(); moment != rows.end();) {
    for (auto row = moment; row != rows.end() && row->at == moment->at; ++row) {
      if (row->task != last_.task) last_of_others_ = std::exchange(last_, {row->task, row->at});
      last_.at = row->at;
    }
    auto next = moment + 1;
    while (next != rows.end() && next->at == moment->at) ++next;
    if (next - moment > 1)
      std::sort(moment, next, [](const Checkpoint& a, const Checkpoint& b) {
        return simultaneous_order(a) < simultaneous_order(b);
      });
    for (auto group = moment; group != next;) {
      auto group_end = group + 1;
      while (group_end != next && group_end->task == group->task && group_end->event == group->event)
        ++group_end;
      take_simultaneous(&*group, &*group + (group_end - group), done);
      group = group_end;
    }
    moment = next;
  }
}

// Rows of one event and task at one time.
void Pairing::take_simultaneous(const Checkpoint* begin, const Checkpoint* end, std::vector<Event>& done) {
  const auto repeated = [&](const Checkpoint* row) {
    if (row == begin || !same_row(row[-1], *row)) return false;
    ++duplicates_;
    return !rules_.keep_duplicates;
  };
  const Checkpoint* row = begin;
  std::vector<const Checkpoint*> waiting;  // STOPs without an earlier START
  for (; row != end && !row->start; ++row) {
    if (!repeated(row) && !close(*row, done)) waiting.push_back(row);
  }
  for (; row != end; ++row) {
    if (!repeated(row)) open_[{row->task, row->event}].push_back(*row);
  }
  for (const Checkpoint* stop : waiting) {
    if (!close(*stop, done)) add_unpaired(*stop);
  }
}

bool Pairing::close(const Checkpoint& stop, std::vector<Event>& done) {
  const auto found = open_.find({stop.task, stop.event});
  if (found == open_.end()) return false;
  const Checkpoint start = found->second.back();
  if (stop.at - start.at > rules_.max_event) return false;  // both become unpaired
  found->second.pop_back();
  if (found->second.empty()) open_.erase(found);
  done.push_back({start.at, stop.at, start.task, start.task_offset, start.event, start.level});
  return true;
}

void Pairing::add_unpaired(const Checkpoint& row) {
  unpaired_checkpoints_.push_back({row.at, row.task, row.event, row.start, false});
}

// No other task has logged a checkpoint since, and the START is not older than max_event.
bool Pairing::may_be_running(const UnpairedCheckpoint& start) const {
  // Without task names, every later checkpoint counts as another task's.
  const Timestamp others = start.task == last_.task && start.task != 0 ? last_of_others_.at : last_.at;
  return others <= start.at && last_.at - start.at <= rules_.max_event;
}

std::optional<Timestamp> Pairing::earliest_open(Timestamp now) {
  std::optional<Timestamp> earliest;
  for (auto entry = open_.begin(); entry != open_.end();) {
    std::erase_if(entry->second, [&](const Checkpoint& start) {
      const bool too_old = now - start.at > rules_.max_event;
      if (too_old) add_unpaired(start);
      return too_old;
    });
    for (const Checkpoint& start : entry->second) {
      if (!earliest || start.at < *earliest) earliest = start.at;
    }
    entry = entry->second.empty() ? open_.erase(entry) : std::next(entry);
  }
  return earliest;
}

void Pairing::end() {
  for (const auto& [key, starts] : open_) {
    for (const Checkpoint& start : starts) add_unpaired(start);
  }
  open_.clear();
  for (UnpairedCheckpoint& each : unpaired_checkpoints_) each.running = each.start && may_be_running(each);
}

}  // namespace ergon::fleet
