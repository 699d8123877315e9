#include "fleet/account/host_account.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace ergon::fleet {
namespace {

constexpr Timestamp kEndOfTime{INT64_MAX};

// Power adds up over GPUs; the rest is what a GPU shows in the mean.
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

// Behind every START of an open event nothing is settled.
Timestamp back_by(Timestamp at, Seconds distance) {
  const auto ns = static_cast<std::int64_t>(std::llround(distance.si() * 1e9));
  return at.ns < INT64_MIN + ns ? Timestamp{INT64_MIN} : Timestamp{at.ns - ns};
}

}  // namespace

HostAccount::HostAccount(Code host, std::uint64_t host_hash, const Rules& rules, const Names& events)
    : host_(host),
      host_hash_(host_hash),
      rules_(rules),
      events_(events),
      pairing_({rules.keep_duplicates, rules.longest}) {}

bool HostAccount::add(const Checkpoint& checkpoint) {
  if (checkpoint.at <= known_) return false;
  rows_.push_back(checkpoint);
  return true;
}

bool HostAccount::add(const Sample& sample, std::string_view gpu_key) {
  if (sample.at <= known_) return false;
  for (GpuEntry& gpu : gpus_) {
    if (gpu.code == sample.gpu) return gpu.line.add(sample), true;
  }
  const auto place = std::lower_bound(gpus_.begin(), gpus_.end(), gpu_key,
                                      [](const GpuEntry& a, std::string_view key) { return a.key < key; });
  gpus_.insert(place, {std::string(gpu_key), sample.gpu, GpuLine(rules_.gap, line_.first)})->line.add(sample);
  return true;
}

void HostAccount::advance(Timestamp known, Gathered& gathered, const OnTask& on_task) {
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
  line_up(settled);
  for (GpuEntry& gpu : gpus_) gpu.line.sweep(line_, settled);
  flush(settled, gathered, on_task);
}

void HostAccount::finish(Gathered& gathered, const OnTask& on_task) {
  pairing_.take(rows_, waiting_);
  pairing_.end();
  rows_ = {};
  line_up(kEndOfTime);
  for (GpuEntry& gpu : gpus_) gpu.line.finish(line_);
  flush(kEndOfTime, gathered, on_task);
  for (const Leftover& each : leftovers()) gathered.tasks.push_back(each.task);
}

// Puts the events that began before `settled` behind those in the line.
void HostAccount::line_up(Timestamp settled) {
  const auto ready = std::partition(waiting_.begin(), waiting_.end(),
                                    [&](const Event& event) { return event.start >= settled; });
  std::sort(ready, waiting_.end(), [&](const Event& a, const Event& b) {
    if (a.start != b.start) return a.start < b.start;
    if (a.stop != b.stop) return a.stop > b.stop;
    if (a.name != b.name) return events_[a.name] < events_[b.name];
    return a.task < b.task;
  });
  line_.events.insert(line_.events.end(), ready, waiting_.end());
  waiting_.erase(ready, waiting_.end());
}

void HostAccount::flush(Timestamp limit, Gathered& gathered, const OnTask& on_task) {
  while (!line_.events.empty() && line_.events.front().stop < limit) {
    const Event& event = line_.events.front();
    const Joined joined = joined_front();
    cells_[{event.name, event.level}].add(event.start.ns, event.stop.ns, joined);
    series_[event.name].add(event.start, event.duration().si());
    const bool outermost = is_outermost(event);
    gathered.add(event, {host_, host_hash_}, joined, outermost);
    if (on_task) on_task({event, joined, outermost});
    for (GpuEntry& gpu : gpus_) gpu.line.pop_front();
    line_.events.pop_front();
    ++line_.first;
  }
}

bool HostAccount::is_outermost(const Event& event) {
  std::erase_if(around_, [&](const auto& each) { return each.second <= event.start; });
  const bool inside =
      std::any_of(around_.begin(), around_.end(), [&](const auto& each) { return each.first == event.task; });
  if (!inside) around_.emplace_back(event.task, event.stop);
  return !inside;
}

Joined HostAccount::joined_front() const {
  constexpr auto kPower = static_cast<std::size_t>(Metric::power);
  Joined joined;
  OverGpus starts, stops, means;
  std::uint32_t samples = 0;
  double seconds = 0;
  int gpus = 0;  // that had shown anything before it was over
  const Event& event = line_.events.front();
  for (const GpuEntry& gpu : gpus_) {
    const Share& share = gpu.line.front();
    starts.add(share.at_start);
    stops.add(share.at_stop);
    const GpuSums& sums = gpu.line.sums();
    if (sums.samples == 0 || sums.first > event.stop) continue;
    ++gpus;
    PerMetric<double> mean = kAllUnknown;
    for (std::size_t m = 0; m < kMetrics; ++m) {
      if (share.seconds[m] > 0) mean[m] = share.integral[m] / share.seconds[m];
    }
    means.add(mean);
    joined.energy += Joules{share.integral[kPower]};
    joined.variance += share.variance;
    joined.own_energy += share.own_energy;
    joined.own_time += share.own_time;
    seconds += share.seconds[kPower];
    samples += share.samples;
  }
  joined.at_start = starts.all();
  joined.at_stop = stops.all();
  joined.mean = means.all();
  const double duration = event.duration().si();
  // An event of no duration is told of by any sample next to it.
  const bool known_at_once = !std::isnan(joined.at_start[kPower]);
  if (gpus > 0) joined.coverage = duration > 0 ? seconds / (duration * gpus) : known_at_once ? 1 : 0;
  joined.between_samples = samples == 0 && joined.coverage > 0;
  return joined;
}

}  // namespace ergon::fleet
