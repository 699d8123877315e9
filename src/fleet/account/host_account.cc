#include "fleet/account/host_account.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace ergon::fleet {
namespace {

constexpr Timestamp kEndOfTime{INT64_MAX};

// Sum of power over GPUs; mean of the other metrics.
PerMetric<double> over_gpus(const PerMetric<double>& sums, const PerMetric<int>& gpus) {
  PerMetric<double> all = kAllUnknown;
  for (const Metric metric : kAllMetrics) {
    const auto m = static_cast<std::size_t>(metric);
    if (gpus[m] > 0) all[m] = metric == Metric::power ? sums[m] : sums[m] / gpus[m];
  }
  return all;
}

struct OverGpus {
  PerMetric<double> sums{};
  PerMetric<int> gpus{};

  void add(const PerMetric<double>& values) {
    for (std::size_t m = 0; m < kMetrics; ++m) {
      if (std::isnan(values[m])) continue;
      sums[m] += values[m];
      ++gpus[m];
    }
  }
  PerMetric<double> all() const { return over_gpus(sums, gpus); }
};

// `at` minus `distance`, without overflow.
Timestamp back_by(Timestamp at, Seconds distance) {
  const auto ns = static_cast<std::int64_t>(std::llround(distance.si() * 1e9));
  return at.ns < INT64_MIN + ns ? Timestamp{INT64_MIN} : Timestamp{at.ns - ns};
}

}  // namespace

void AnalysisRules::allow_for_step(Seconds step) {
  constexpr double kStepsInGap = 5;
  gap = std::max(gap, step * kStepsInGap);
}

HostAccount::HostAccount(Code host, std::uint64_t host_hash, const AnalysisRules& rules,
                         const NameTable& events)
    : host_(host),
      host_hash_(host_hash),
      rules_(rules),
      events_(events),
      pairing_({rules.keep_duplicates, rules.max_event}) {}

bool HostAccount::add(const Checkpoint& checkpoint) {
  if (checkpoint.at <= known_) return false;
  rows_.push_back(checkpoint);
  return true;
}

bool HostAccount::add(const Sample& sample, std::string_view gpu_key) {
  if (sample.at <= known_) return false;
  for (GpuEntry& gpu : gpus_) {
    if (gpu.code == sample.gpu) return gpu.timeline.add(sample), true;
  }
  const auto position = std::lower_bound(gpus_.begin(), gpus_.end(), gpu_key,
                                         [](const GpuEntry& a, std::string_view key) { return a.key < key; });
  gpus_.insert(position, {std::string(gpu_key), sample.gpu, GpuTimeline(rules_.gap, queue_.first)})
      ->timeline.add(sample);
  return true;
}

void HostAccount::advance(Timestamp known, FleetAccumulator& accumulator, const OnTask& on_task) {
  if (known <= known_) return;
  known_ = known;
  const auto later =
      std::partition(rows_.begin(), rows_.end(), [&](const Checkpoint& row) { return row.at <= known; });
  std::vector<Checkpoint> rest(later, rows_.end());
  rows_.erase(later, rows_.end());
  pairing_.take(rows_, waiting_);
  rows_ = std::move(rest);
  Timestamp settled = known;
  if (const auto open = pairing_.earliest_open(known)) settled = std::min(settled, *open);
  settled = std::min(settled, back_by(known, rules_.gap));
  enqueue(settled);
  for (GpuEntry& gpu : gpus_) gpu.timeline.advance(queue_, settled);
  flush(settled, accumulator, on_task);
}

void HostAccount::finish(FleetAccumulator& accumulator, const OnTask& on_task) {
  pairing_.take(rows_, waiting_);
  pairing_.end();
  rows_ = {};
  enqueue(kEndOfTime);
  for (GpuEntry& gpu : gpus_) gpu.timeline.finish(queue_);
  flush(kEndOfTime, accumulator, on_task);
  for (const UnpairedCheckpoint& each : unpaired_checkpoints()) accumulator.tasks.push_back(each.task);
}

// Moves events that started before `settled` into the queue.
void HostAccount::enqueue(Timestamp settled) {
  const auto ready = std::partition(waiting_.begin(), waiting_.end(),
                                    [&](const Event& event) { return event.start >= settled; });
  std::sort(ready, waiting_.end(), [&](const Event& a, const Event& b) {
    if (a.start != b.start) return a.start < b.start;
    if (a.stop != b.stop) return a.stop > b.stop;
    if (a.name != b.name) return events_[a.name] < events_[b.name];
    return a.task < b.task;
  });
  queue_.events.insert(queue_.events.end(), ready, waiting_.end());
  waiting_.erase(ready, waiting_.end());
}

void HostAccount::flush(Timestamp limit, FleetAccumulator& accumulator, const OnTask& on_task) {
  while (!queue_.events.empty() && queue_.events.front().stop < limit) {
    const Event& event = queue_.events.front();
    const EventTelemetry telemetry = front_telemetry();
    event_totals_[{event.name, event.level}].add(event.start.ns, event.stop.ns, telemetry);
    series_[event.name].add(event.start, event.duration().si());
    const bool outermost = is_outermost(event);
    accumulator.add(event, {host_, host_hash_}, telemetry, outermost);
    if (on_task) on_task({event, telemetry, outermost});
    for (GpuEntry& gpu : gpus_) gpu.timeline.pop_front();
    queue_.events.pop_front();
    ++queue_.first;
  }
}

bool HostAccount::is_outermost(const Event& event) {
  std::erase_if(open_tasks_, [&](const auto& each) { return each.second <= event.start; });
  const bool inside = std::any_of(open_tasks_.begin(), open_tasks_.end(),
                                  [&](const auto& each) { return each.first == event.task; });
  if (!inside) open_tasks_.emplace_back(event.task, event.stop);
  return !inside;
}

EventTelemetry HostAccount::front_telemetry() const {
  constexpr auto kPower = static_cast<std::size_t>(Metric::power);
  EventTelemetry telemetry;
  OverGpus starts, stops, means;
  std::uint32_t samples = 0;
  double seconds = 0;
  int gpus = 0;  // with a sample before STOP
  bool shared = false;
  const Event& event = queue_.events.front();
  for (const GpuEntry& gpu : gpus_) {
    const GpuEventTotals& totals = gpu.timeline.front();
    starts.add(totals.at_start);
    stops.add(totals.at_stop);
    const GpuSums& sums = gpu.timeline.sums();
    if (sums.samples == 0 || sums.first > event.stop) continue;
    ++gpus;
    PerMetric<double> mean = kAllUnknown;
    for (std::size_t m = 0; m < kMetrics; ++m) {
      if (totals.seconds[m] > 0) mean[m] = totals.integral[m] / totals.seconds[m];
    }
    means.add(mean);
    telemetry.energy += Joules{totals.integral[kPower]};
    telemetry.variance += totals.variance;
    telemetry.exclusive_energy += totals.exclusive_energy;
    telemetry.exclusive_time += totals.exclusive_time;
    seconds += totals.seconds[kPower];
    samples += totals.samples;
    shared = shared || totals.shared;
  }
  telemetry.at_start = starts.all();
  telemetry.at_stop = stops.all();
  telemetry.mean = means.all();
  telemetry.indivisible = shared && gpus > 1;
  if (telemetry.indivisible) telemetry.mean[kPower] = kUnknown;
  const double duration = event.duration().si();
  // An event of duration 0 is covered if there is a sample near it.
  const bool known_at_once = !std::isnan(telemetry.at_start[kPower]);
  if (gpus > 0) telemetry.coverage = duration > 0 ? seconds / (duration * gpus) : known_at_once ? 1 : 0;
  telemetry.between_samples = samples == 0 && telemetry.coverage > 0;
  return telemetry;
}

}  // namespace ergon::fleet
