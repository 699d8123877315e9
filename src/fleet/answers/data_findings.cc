#include "fleet/answers/data_findings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"
#include "fleet/answers/hosts.h"

namespace ergon::fleet {
namespace {

constexpr auto kPowerPlace = static_cast<std::size_t>(Metric::power);
constexpr auto kUtilisationPlace = static_cast<std::size_t>(Metric::utilisation);
// A GPU with this many times the samples of others has a second logger.
constexpr double kTwoLoggers = 1.5;

class Remarks {
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

void say_nearest(const FleetAnswers& answers, Remarks& remarks) {
  for (const EventAnswer& event : answers.events) {
    if (event.name != answers.outermost) continue;
    const auto& used = event.interval[kUtilisationPlace];
    const auto& watts = event.interval[kPowerPlace];
    if (!used || !watts || !event.nearest_unused || !event.nearest[kPowerPlace]) continue;
    if (*event.nearest_unused < 0.9 || used->value < 10) continue;
    remarks.add(
        "nearest_misleads", "The nearest sample misleads",
        "next to START and STOP of {}, {:.2f} % of samples show no utilisation and {:.1f} W in the mean, "
        "because "
        "work lies between them; over the whole interval it is {:.1f} % and {:.1f} W",
        event.name, 100 * *event.nearest_unused, *event.nearest[kPowerPlace], used->value, watts->value);
  }
}

void say_correlations(const FleetAnswers& answers, Remarks& remarks) {
  if (answers.populations.groups.size() < 2) return;
  for (std::size_t m = 0; m < kMetrics; ++m) {
    const CorrelationAnswer& each = answers.correlations[m];
    if (!each.pooled || !each.all_within || std::abs(*each.pooled) < 0.5) continue;
    if (std::abs(*each.all_within) > std::abs(*each.pooled) * 0.75) continue;
    remarks.add(
        fmt::format("pooled_{}", kMetricNames[m]), "A correlation that is mostly between populations",
        "{} goes with task duration at r = {:.3f} over all GPUs, but at {:.3f} within the two populations",
        kMetricNames[m], *each.pooled, *each.all_within);
  }
}

void say_rows(const FleetAnswers& answers, Remarks& remarks) {
  if (answers.duplicates > 0)
    remarks.add("duplicates", "Rows that are there twice",
                "{} rows of events equal another in everything and were {}", answers.duplicates,
                answers.rules.keep_duplicates ? "counted all the same" : "counted once");
  if (answers.duplicate_samples > 0)
    remarks.add("duplicate_samples", "Samples that are there twice", "{}, counted once",
                answers.duplicate_samples);
  const Unpaired& rows = answers.unpaired;
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
    remarks.add("unpaired", "Rows without a partner", "{}; none is counted", fmt::join(reasons, ", "));
  }
  const auto say = [&](std::string_view what, const RowCounts& counts) {
    const std::uint64_t dropped =
        counts.malformed + counts.bad_time + counts.bad_type + counts.nameless + counts.cut_off;
    if (dropped > 0)
      remarks.add("dropped_rows", "Rows that could not be read",
                  "of {} rows of {}: {} malformed, {} without a time, {} neither START nor STOP, {} without "
                  "a name, {} cut "
                  "off at the end",
                  counts.rows, what, counts.malformed, counts.bad_time, counts.bad_type, counts.nameless,
                  counts.cut_off);
    if (counts.zoneless > 0)
      remarks.add(
          "zoneless", counts.zoneless < counts.timed() ? "Mixed time zones" : "Times without a zone",
          "{} of {} times of {} name no zone and were taken for the one of --time-zone (UTC without it)",
          counts.zoneless, counts.rows, what);
  };
  say("events", answers.checkpoints);
  say("samples", answers.samples);
  for (std::size_t m = 0; m < kMetrics; ++m) {
    const std::uint64_t absent = answers.samples.not_available[m], absurd = answers.samples.absurd[m];
    if (absent + absurd > 0)
      remarks.add(fmt::format("values_{}", kMetricNames[m]), "Values that were not used",
                  "{}: {} not available, {} out of range", kMetricNames[m], absent, absurd);
  }
}

void say_samplers(const Tally& tally, const FleetAnswers& answers, Remarks& remarks) {
  std::size_t twice = 0, vanished = 0, gaps = 0;
  Seconds gap_time;
  std::uint64_t busy = 0, outside = 0;
  std::string who;
  for (const auto& [name, host] : tally.hosts) {
    Timestamp last_stop{INT64_MIN};
    for (const auto& [key, cell] : host.cells) last_stop = std::max(last_stop, cell.last_stop);
    for (const GpuTally& gpu : host.gpus) {
      const Seconds period = typical_period(gpu.sums);
      twice += period > Seconds{0} && period * kTwoLoggers < answers.sample_period ? 1 : 0;
      gaps += gpu.sums.gaps;
      gap_time += gpu.sums.gap_time;
      busy += gpu.sums.busy;
      outside += gpu.sums.busy_outside;
      if (last_stop.ns != INT64_MIN && last_stop - gpu.sums.last > tally.rules.gap) {
        if (vanished++ == 0) who = name;
      }
    }
  }
  if (twice > 0)
    remarks.add("two_loggers", "GPUs that are logged twice",
                "{} with far more samples than the others; means over time are not moved by that",
                counted(twice, "GPU"));
  if (vanished > 0)
    remarks.add("vanished", "GPUs that vanish",
                "{} of which the samples end before the events of their host do, {} first",
                counted(vanished, "GPU"), who);
  if (gaps > 0)
    remarks.add("gaps", "Times without samples",
                "{} longer than {:.0f} s, {:.0f} s in all; nothing is said of them", counted(gaps, "gap"),
                tally.rules.gap.si(), gap_time.si());
  if (answers.sample_period > tally.rules.gap)
    remarks.add("sparse", "Samples are too far apart",
                "{:.0f} s, more than --gap {:.0f} s bridges: give a larger one", answers.sample_period.si(),
                tally.rules.gap.si());
  constexpr std::uint64_t kFewestOutside = 20;
  if (answers.paired > 0 && outside >= kFewestOutside &&
      static_cast<double>(outside) > 0.01 * static_cast<double>(busy))
    remarks.add("busy_outside", "GPUs work while no event is under way",
                "{:.1f} % of samples with some utilisation lie outside of all events: work that nobody logs, "
                "or clocks "
                "that disagree",
                100.0 * static_cast<double>(outside) / static_cast<double>(busy));
}

void say_skew(const FleetAnswers& answers, Remarks& remarks) {
  const HostAnswer* worst = nullptr;
  std::string unclear;
  std::size_t count = 0, unclear_count = 0;
  for (const HostAnswer& host : answers.host_list) {
    if (host.skew_unclear && unclear_count++ == 0) unclear = host.name;
    if (!host.skew) continue;
    ++count;
    if (worst == nullptr || std::abs(host.skew->si()) > std::abs(worst->skew->si())) worst = &host;
  }
  if (worst != nullptr)
    remarks.add("skew", "Clocks that disagree",
                "the samples of {} lie in their events as the others' would if they were shifted; those of "
                "{} run about "
                "{:.1f} s {}",
                counted(count, "host"), worst->name, std::abs(worst->skew->si()),
                *worst->skew > Seconds{0} ? "ahead" : "behind");
  if (unclear_count > 0)
    remarks.add("skew_unclear", "Samples that do not fit their events",
                "on {}, {} first, GPUs work when no event is under way and not as on the others: clocks that "
                "are more than "
                "20 s off, or work that nobody logs",
                counted(unclear_count, "host"), unclear);
}

// Where events and samples lie; nothing where there are none.
struct Extent {
  Timestamp first{INT64_MAX}, last{INT64_MIN};

  bool any() const { return first <= last; }
  void take(Timestamp from, Timestamp to) {
    first = std::min(first, from);
    last = std::max(last, to);
  }
};

// Why events and samples do not meet: their times, if those do not overlap.
std::string apart_text(const Extent& events, const Extent& samples, const FleetAnswers& answers) {
  if (!events.any() || !samples.any() || (samples.first <= events.last && samples.last >= events.first))
    return {};
  std::string text =
      fmt::format("; events lie between {} and {}, samples between {} and {}", to_text(events.first),
                  to_text(events.last), to_text(samples.first), to_text(samples.last));
  // Zones are quarters of an hour apart.
  constexpr std::int64_t kMostQuarters = 56;
  const double ahead = (samples.first - events.first).si() / 2 + (samples.last - events.last).si() / 2;
  const auto quarters = static_cast<std::int64_t>(std::llround(ahead / 900));
  const bool samples_zoneless = answers.samples.zoneless > 0,
             events_zoneless = answers.checkpoints.zoneless > 0;
  if (quarters == 0 || std::abs(quarters) > kMostQuarters || samples_zoneless == events_zoneless) return text;
  const bool further = samples_zoneless ? quarters > 0 : quarters < 0;
  const std::int64_t minutes = std::abs(quarters) * 15;
  return text +
         fmt::format(". Times of {} name no zone: one {}:{:02} {} than was taken (--time-zone) would fit",
                     samples_zoneless ? "samples" : "events", minutes / 60, minutes % 60,
                     further ? "further ahead of UTC" : "less ahead of UTC");
}

void say_join(const Tally& tally, const FleetAnswers& answers, Remarks& remarks) {
  if (answers.paired == 0 || answers.samples.rows == 0) return;
  std::uint64_t uncovered = 0, partly = 0;
  for (const EventAnswer& event : answers.events) {
    uncovered += event.uncovered;
    partly += event.part_covered;
  }
  if (partly > 0)
    remarks.add("partly_sampled", "Events that samples tell a part of",
                "{} of {}; their energy is in the totals, their power and energy in no mean", partly,
                answers.paired);
  if (uncovered == 0) return;
  Extent events, samples;
  std::size_t without_gpu = 0;
  std::string who;
  for (const auto& [name, host] : tally.hosts) {
    for (const auto& [key, cell] : host.cells) events.take(cell.first_start, cell.last_stop);
    for (const GpuTally& gpu : host.gpus) samples.take(gpu.sums.first, gpu.sums.last);
    if (host.gpus.empty() && !host.cells.empty() && without_gpu++ == 0) who = name;
  }
  std::string why = apart_text(events, samples, answers);
  if (why.empty() && without_gpu > 0)
    why = fmt::format("; no samples of {}, {} first", counted(without_gpu, "host"), who);
  const bool all = uncovered == answers.paired;
  remarks.add(all ? "empty_join" : "uncovered", all ? "No event has samples" : "Events without samples",
              "{} of {}{}", uncovered, answers.paired, why);
}

}  // namespace

std::vector<Finding> data_findings(const Tally& tally, const FleetAnswers& answers) {
  Remarks remarks;
  say_join(tally, answers, remarks);
  say_nearest(answers, remarks);
  say_correlations(answers, remarks);
  say_skew(answers, remarks);
  say_rows(answers, remarks);
  say_samplers(tally, answers, remarks);
  return remarks.take();
}

}  // namespace ergon::fleet
