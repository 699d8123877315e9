#include "fleet/summary/data_findings.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "base/units_text.h"
#include "fleet/summary/hosts.h"

namespace ergon::fleet {
namespace {

constexpr auto kPowerIndex = static_cast<std::size_t>(Metric::power);
constexpr auto kUtilizationIndex = static_cast<std::size_t>(Metric::utilization);
// A GPU with this many times the median number of samples has two loggers.
constexpr double kTwoLoggers = 1.5;

class DataFindings {
 public:
  template <typename... Args>
  void add(std::string id, std::string title, fmt::format_string<Args...> format, Args&&... args) {
    findings_.push_back({std::move(id), std::move(title), fmt::format(format, std::forward<Args>(args)...),
                         true, std::nullopt, std::nullopt});
  }
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  std::vector<Finding> findings_;
};

void add_nearest(const FleetSummary& summary, DataFindings& findings) {
  for (const EventSummary& event : summary.events) {
    if (event.name != summary.outermost) continue;
    const auto& used = event.interval[kUtilizationIndex];
    const auto& watts = event.interval[kPowerIndex];
    if (!used || !watts || !event.nearest_idle || !event.nearest[kPowerIndex]) continue;
    if (*event.nearest_idle < 0.9 || used->value < 10) continue;
    findings.add(
        "nearest_misleads", "The nearest sample is misleading",
        "of the samples nearest to START and STOP of {}, {:.2f} % have utilization 0, with a mean power of "
        "{:.1f} W, because the work lies in between; over the interval the means are {:.1f} % and {:.1f} W",
        event.name, 100 * *event.nearest_idle, *event.nearest[kPowerIndex], used->value, watts->value);
  }
}

void add_correlations(const FleetSummary& summary, DataFindings& findings) {
  if (summary.populations.groups.size() < 2) return;
  for (std::size_t m = 0; m < kMetrics; ++m) {
    const TaskCorrelation& each = summary.correlations[m];
    if (!each.pooled || !each.all_within || std::abs(*each.pooled) < 0.5) continue;
    if (std::abs(*each.all_within) > std::abs(*each.pooled) * 0.75) continue;
    findings.add(
        fmt::format("pooled_{}", kMetricNames[m]), "A correlation is mostly due to populations",
        "correlation of {} with task duration: {:.3f} over all GPUs, {:.3f} within the two populations",
        kMetricNames[m], *each.pooled, *each.all_within);
  }
}

void add_rows(const FleetSummary& summary, DataFindings& findings) {
  if (summary.duplicates > 0)
    findings.add("duplicates", "Duplicate checkpoints", "{} checkpoints are identical to another and were {}",
                 summary.duplicates, summary.rules.keep_duplicates ? "all counted" : "counted once");
  if (summary.duplicate_samples > 0)
    findings.add("duplicate_samples", "Duplicate samples",
                 "{} samples are identical to another and were "
                 "counted once",
                 summary.duplicate_samples);
  const UnpairedCounts& rows = summary.unpaired;
  if (rows.rows() > 0) {
    std::vector<std::string> reasons;
    const auto reason = [&](std::uint64_t count, std::string_view one, std::string_view more) {
      if (count > 0) reasons.push_back(fmt::format("{} {}", count, count == 1 ? one : more));
    };
    reason(rows.stop_missing, "START without a STOP", "STARTs without a STOP");
    reason(rows.start_missing, "STOP without a START", "STOPs without a START");
    reason(rows.still_running, "START that may still be running", "STARTs that may still be running");
    reason(rows.cross_hosts, "event that began on one host and ended on another",
           "events that began on one host and ended on another");
    findings.add("unpaired", "Unpaired checkpoints", "{}; they are not counted", fmt::join(reasons, ", "));
  }
  const auto add_row_counts = [&](std::string_view what, const RowCounts& counts) {
    const std::uint64_t dropped =
        counts.malformed + counts.bad_time + counts.bad_type + counts.nameless + counts.cut_off;
    if (dropped > 0)
      findings.add("dropped_rows", "Skipped rows",
                   "of {} rows of {}: {} malformed, {} without a valid time, {} neither START nor STOP, "
                   "{} without a name, {} incomplete at the end of a file",
                   counts.rows, what, counts.malformed, counts.bad_time, counts.bad_type, counts.nameless,
                   counts.cut_off);
    if (counts.without_zone > 0)
      findings.add(
          "zoneless",
          counts.without_zone < counts.timed() ? "Mixed time zones" : "Timestamps without a time zone",
          "{} of {} timestamps of {} have no time zone; --time-zone was assumed (default: UTC)",
          counts.without_zone, counts.rows, what);
  };
  add_row_counts("events", summary.checkpoints);
  add_row_counts("samples", summary.samples);
  for (std::size_t m = 0; m < kMetrics; ++m) {
    const std::uint64_t absent = summary.samples.not_available[m],
                        out_of_range = summary.samples.out_of_range[m];
    if (absent + out_of_range > 0)
      findings.add(fmt::format("values_{}", kMetricNames[m]), "Values not used",
                   "{}: {} not available, {} out of range", kMetricNames[m], absent, out_of_range);
  }
}

void add_samplers(const Tally& tally, const FleetSummary& summary, DataFindings& findings) {
  std::size_t twice = 0, vanished = 0, gaps = 0;
  Seconds gap_time;
  std::uint64_t busy = 0, outside = 0;
  std::string first_host;
  for (const auto& [name, host] : tally.hosts) {
    Timestamp last_stop{INT64_MIN};
    for (const auto& [key, totals] : host.event_totals) last_stop = std::max(last_stop, totals.last_stop);
    for (const GpuTally& gpu : host.gpus) {
      const Seconds period = sample_period_of(gpu.sums);
      twice += period > Seconds{0} && period * kTwoLoggers < summary.sample_period ? 1 : 0;
      gaps += gpu.sums.gaps;
      gap_time += gpu.sums.gap_time;
      busy += gpu.sums.busy;
      outside += gpu.sums.busy_outside;
      if (last_stop.ns != INT64_MIN && last_stop - gpu.sums.last > tally.rules.gap) {
        if (vanished++ == 0) first_host = name;
      }
    }
  }
  if (twice > 0)
    findings.add("two_loggers", "GPUs with two loggers",
                 "{} with many more samples than the others; means over time are not affected",
                 counted(twice, "GPU"));
  if (vanished > 0)
    findings.add("vanished", "Samples end early",
                 "samples of {} end before the last event of the host; the first is on {}",
                 counted(vanished, "GPU"), first_host);
  if (gaps > 0)
    findings.add("gaps", "Gaps between samples",
                 "{} longer than {:.0f} s, {:.0f} s in total; they are excluded", counted(gaps, "gap"),
                 tally.rules.gap.si(), gap_time.si());
  if (summary.sample_period > tally.rules.gap)
    findings.add("sparse", "Samples are too far apart",
                 "the sample period is {:.0f} s, longer than --gap {:.0f} s; use a larger --gap",
                 summary.sample_period.si(), tally.rules.gap.si());
  constexpr std::uint64_t kMinOutside = 20;
  if (summary.paired > 0 && outside >= kMinOutside &&
      static_cast<double>(outside) > 0.01 * static_cast<double>(busy))
    findings.add("busy_outside", "GPUs are busy outside events",
                 "{:.1f} % of the samples with utilization above 0 are outside all events: work that is not "
                 "logged, or clocks that disagree",
                 100.0 * static_cast<double>(outside) / static_cast<double>(busy));
}

// Energy that belongs to no event, or to no single one.
void add_energy(const Tally& tally, const FleetSummary& summary, DataFindings& findings) {
  constexpr double kMinShare = 0.01;  // of the total energy
  const EnergySummary& energy = summary.energy;
  const auto percent = [&](Joules part) { return 100 * (part / energy.total).si(); };
  if (energy.indivisible > Joules{0}) {
    std::uint64_t events = 0;
    for (const EventSummary& each : summary.events) events += each.indivisible;
    findings.add(
        "indivisible", "Tasks at the same time on hosts with several GPUs",
        "{} ({:.1f} %) was used while several tasks ran on a host with several GPUs. The logs do not "
        "say which GPU a task used, so this energy cannot be divided among them: totals by event "
        "contain equal shares, and {} without an energy per event",
        to_text(energy.indivisible), percent(energy.indivisible),
        events == 1 ? "1 event is" : fmt::format("{} events are", events));
  }
  if (energy.unattributed.energy > kMinShare * energy.total) {
    std::uint64_t unknown = 0;  // GPUs
    for (const auto& [name, host] : tally.hosts) {
      for (const GpuTally& gpu : host.gpus) unknown += gpu.sums.count[kUtilizationIndex] == 0 ? 1 : 0;
    }
    std::string why =
        summary.paired == 0 ? "there are no events" : "work that is not logged, or clocks that disagree";
    if (unknown > 0)
      why = fmt::format("{} without utilization, so idle time is unknown", counted(unknown, "GPU"));
    findings.add("unattributed", "Energy outside all events",
                 "{} ({:.1f} %) was used outside all events by GPUs that were not measured idle: {}",
                 to_text(energy.unattributed.energy), percent(energy.unattributed.energy), why);
  }
}

constexpr std::size_t kMaxNamed = 5;

// The first names, and the number of the others.
std::string first_names(std::span<const std::string> names, std::string_view separator,
                        std::string_view rest) {
  std::string list = fmt::format("{}", fmt::join(names.first(std::min(names.size(), kMaxNamed)), separator));
  if (names.size() > kMaxNamed) list += fmt::format("{} {} more", rest, names.size() - kMaxNamed);
  return list;
}

void add_boards(const FleetSummary& summary, DataFindings& findings) {
  for (const bool at_once : {true, false}) {
    std::vector<std::string> named;
    Joules energy;
    for (const RepeatedBoard& board : summary.repeated_boards) {
      if (board.at_once != at_once) continue;
      energy += board.more_than_once;
      named.push_back(fmt::format("{} on {}", board.uuid, first_names(board.hosts, ", ", " and")));
    }
    if (named.empty()) continue;
    const std::string list = first_names(named, "; ", "; and");
    if (at_once) {
      findings.add(
          "same_uuid", "One GPU on several hosts at the same time",
          "{}. Up to {} is counted more than once, on each host: the hosts may be one host with several "
          "names; remove the samples of all but one",
          list, to_text(energy));
    } else {
      findings.add("moved_gpu", "A GPU moved between hosts", "{}. Its energy counts where it was used", list);
    }
  }
}

void add_skew(const FleetSummary& summary, DataFindings& findings) {
  const HostSummary* worst = nullptr;
  std::string unclear;
  std::size_t count = 0, unclear_count = 0;
  for (const HostSummary& host : summary.host_list) {
    if (host.skew_unclear && unclear_count++ == 0) unclear = host.name;
    if (!host.skew) continue;
    ++count;
    if (worst == nullptr || std::abs(host.skew->si()) > std::abs(worst->skew->si())) worst = &host;
  }
  if (worst != nullptr)
    findings.add("skew", "Clock skew between samples and events",
                 "on {}, utilization around START has the pattern of the other hosts, shifted in time; the "
                 "samples of {} are about {:.1f} s {}",
                 counted(count, "host"), worst->name, std::abs(worst->skew->si()),
                 *worst->skew > Seconds{0} ? "ahead" : "behind");
  if (unclear_count > 0)
    findings.add(
        "skew_unclear", "Samples do not match events",
        "on {} (first: {}), GPUs are busy outside events and without the pattern of the other hosts: "
        "a clock skew above 20 s, or work that is not logged",
        counted(unclear_count, "host"), unclear);
}

// Time from the first to the last event or sample.
struct TimeSpan {
  Timestamp first{INT64_MAX}, last{INT64_MIN};

  bool any() const { return first <= last; }
  void take(Timestamp from, Timestamp to) {
    first = std::min(first, from);
    last = std::max(last, to);
  }
};

// The reason why no event has samples: the two time spans, if they do not overlap.
std::string apart_text(const TimeSpan& events, const TimeSpan& samples, const FleetSummary& summary) {
  if (!events.any() || !samples.any() || (samples.first <= events.last && samples.last >= events.first))
    return {};
  std::string text = fmt::format("; events are from {} to {}, samples from {} to {}", to_text(events.first),
                                 to_text(events.last), to_text(samples.first), to_text(samples.last));
  // Time zones differ by multiples of 15 minutes.
  constexpr std::int64_t kMaxQuarters = 56;
  const double ahead = (samples.first - events.first).si() / 2 + (samples.last - events.last).si() / 2;
  const auto quarters = static_cast<std::int64_t>(std::llround(ahead / 900));
  const bool samples_zoneless = summary.samples.without_zone > 0,
             events_zoneless = summary.checkpoints.without_zone > 0;
  if (quarters == 0 || std::abs(quarters) > kMaxQuarters || samples_zoneless == events_zoneless) return text;
  const bool further = samples_zoneless ? quarters > 0 : quarters < 0;
  const std::int64_t minutes = std::abs(quarters) * 15;
  return text + fmt::format(". Timestamps of {} have no time zone; a --time-zone {}:{:02} {} would match",
                            samples_zoneless ? "samples" : "events", minutes / 60, minutes % 60,
                            further ? "further ahead of UTC" : "less far ahead of UTC");
}

void add_join(const Tally& tally, const FleetSummary& summary, DataFindings& findings) {
  if (summary.paired == 0 || summary.samples.rows == 0) return;
  std::uint64_t uncovered = 0, partly = 0;
  for (const EventSummary& event : summary.events) {
    uncovered += event.uncovered;
    partly += event.part_covered;
  }
  if (partly > 0)
    findings.add("partly_sampled", "Events partly covered by samples",
                 "{} of {} events; their energy counts in the totals, but they are excluded from means",
                 partly, summary.paired);
  if (uncovered == 0) return;
  TimeSpan events, samples;
  std::size_t without_gpu = 0;
  std::string first_host;
  for (const auto& [name, host] : tally.hosts) {
    for (const auto& [key, totals] : host.event_totals) events.take(totals.first_start, totals.last_stop);
    for (const GpuTally& gpu : host.gpus) samples.take(gpu.sums.first, gpu.sums.last);
    if (host.gpus.empty() && !host.event_totals.empty() && without_gpu++ == 0) first_host = name;
  }
  std::string why = apart_text(events, samples, summary);
  if (why.empty() && without_gpu > 0)
    why = fmt::format("; {} without samples (first: {})", counted(without_gpu, "host"), first_host);
  const bool all = uncovered == summary.paired;
  findings.add(all ? "empty_join" : "uncovered", all ? "No event has samples" : "Events without samples",
               "{} of {} events{}", uncovered, summary.paired, why);
}

}  // namespace

std::vector<Finding> data_findings(const Tally& tally, const FleetSummary& summary) {
  DataFindings findings;
  add_join(tally, summary, findings);
  add_nearest(summary, findings);
  add_correlations(summary, findings);
  add_skew(summary, findings);
  add_energy(tally, summary, findings);
  add_boards(summary, findings);
  add_rows(summary, findings);
  add_samplers(tally, summary, findings);
  return findings.take();
}

}  // namespace ergon::fleet
