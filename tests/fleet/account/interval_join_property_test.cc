// Compares GpuTimeline with a brute-force integral of each event over all samples.

#include <cmath>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fleet/account/host_account.h"

namespace ergon::fleet {
namespace {

constexpr double kGapSeconds = 10;
constexpr std::int64_t kMs = 1'000'000;

struct RandomHost {
  std::vector<Checkpoint> rows;
  std::vector<Sample> samples;
};

// A short time in milliseconds, so that ties are frequent, with several tasks and event names.
RandomHost random_host() {
  RandomHost host;
  const int events = *rc::gen::inRange(0, 12);
  for (int i = 0; i < events; ++i) {
    const std::int64_t start = *rc::gen::inRange<std::int64_t>(0, 60) * 500;
    const std::int64_t length = *rc::gen::inRange<std::int64_t>(0, 40) * 250;
    Checkpoint row;
    row.task = static_cast<std::uint64_t>(*rc::gen::inRange(1, 4) * 100 + i);  // a distinct task per event
    row.event = static_cast<std::uint16_t>(*rc::gen::inRange(0, 3));
    row.start = true;
    row.at = {start * kMs};
    host.rows.push_back(row);
    row.start = false;
    row.at = {(start + length) * kMs};
    host.rows.push_back(row);
  }
  const int samples = *rc::gen::inRange(0, 40);
  for (int i = 0; i < samples; ++i) {
    const auto metric = [] {
      const int drawn = *rc::gen::inRange(-1, 12);
      return drawn < 0 ? std::nan("") : drawn * 7.0;
    };
    host.samples.push_back({{*rc::gen::inRange<std::int64_t>(0, 160) * 250 * kMs},
                            metric(),
                            static_cast<float>(metric()),
                            static_cast<float>(metric()),
                            static_cast<float>(metric()),
                            static_cast<Code>(*rc::gen::inRange(0, 2))});
  }
  return host;
}

struct AccountResult {
  std::vector<std::pair<Event, EventTelemetry>> events;  // in order of START
  std::vector<GpuSums> gpus;
  std::vector<ActivityProfile> activities;
  std::map<FleetAccumulator::Key, EventTotals> event_totals;
};

// In one call, or in steps that end at the given times.
AccountResult account_of(const RandomHost& host, std::vector<std::int64_t> cuts_ms = {}) {
  NameTable names;
  for (const char* name : {"a", "b", "c"}) names.code_of(name);
  AnalysisRules rules;
  rules.gap = Seconds{kGapSeconds};
  HostAccount account(0, 0, rules, names);
  FleetAccumulator accumulator;
  AccountResult result;
  const auto on_task = [&](const FinishedEvent& each) {
    result.events.emplace_back(each.event, each.telemetry);
  };
  std::sort(cuts_ms.begin(), cuts_ms.end());
  cuts_ms.push_back(INT64_MAX / kMs);
  Timestamp before{INT64_MIN};
  for (const std::int64_t cut : cuts_ms) {
    const Timestamp until{cut * kMs};
    for (const Checkpoint& row : host.rows) {
      if (row.at > before && row.at <= until) RC_ASSERT(account.add(row));
    }
    for (const Sample& row : host.samples) {
      if (row.at > before && row.at <= until) RC_ASSERT(account.add(row, row.gpu == 0 ? "x" : "y"));
    }
    if (cut < INT64_MAX / kMs) account.advance(until, accumulator, on_task);
    before = std::max(before, until);
  }
  account.finish(accumulator, on_task);
  for (const auto& gpu : account.gpus()) {
    result.gpus.push_back(gpu.timeline.sums());
    result.activities.push_back(gpu.timeline.activity());
  }
  result.event_totals = account.event_totals();
  return result;
}

// Samples of one GPU and metric by time, without missing values. The order at equal times does not affect an
// integral.
std::vector<std::pair<double, double>> points_of(const RandomHost& host, Code gpu, std::size_t metric) {
  std::vector<Sample> samples;
  for (const Sample& each : host.samples) {
    if (each.gpu == gpu && !std::isnan(each.values()[metric])) samples.push_back(each);
  }
  std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) {
    return std::tuple(a.at, a.power_watts, a.temperature_celsius) <
           std::tuple(b.at, b.power_watts, b.temperature_celsius);
  });
  std::vector<std::pair<double, double>> points;
  for (const Sample& each : samples)
    points.emplace_back(static_cast<double>(each.at.ns) / 1e9, each.values()[metric]);
  return points;
}

// Energy of one GPU from a to b, and the covered seconds.
EnergyTime naive_integral(const std::vector<std::pair<double, double>>& points, double a, double b) {
  EnergyTime spent;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const auto [t0, v0] = points[i];
    const auto [t1, v1] = points[i + 1];
    if (t1 - t0 > kGapSeconds || !(t1 > t0)) continue;
    const double from = std::max(a, t0), to = std::min(b, t1);
    if (!(to > from)) continue;
    const auto at = [&, t = t0, v = v0, u = t1, w = v1](double x) { return v + (w - v) * (x - t) / (u - t); };
    spent += {Joules{(at(from) + at(to)) / 2 * (to - from)}, Seconds{to - from}};
  }
  return spent;
}

// If samples at equal times have different metrics, the last one depends on all metrics; the brute force
// handles one metric. Such hosts are skipped in that comparison.
bool plain(const RandomHost& host) {
  for (std::size_t i = 0; i < host.samples.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (host.samples[i].gpu == host.samples[j].gpu && host.samples[i].at == host.samples[j].at)
        return false;
    }
  }
  return true;
}

RC_GTEST_PROP(IntervalJoin, EqualsBruteForce, ()) {
  const RandomHost host = random_host();
  RC_PRE(plain(host));
  const AccountResult result = account_of(host);
  RC_ASSERT(result.events.size() == host.rows.size() / 2);
  for (const auto& [event, telemetry] : result.events) {
    const double a = static_cast<double>(event.start.ns) / 1e9, b = static_cast<double>(event.stop.ns) / 1e9;
    double joules = 0;
    for (const Code gpu : {Code{0}, Code{1}})
      joules += naive_integral(points_of(host, gpu, 0), a, b).energy.si();
    RC_ASSERT(std::abs(telemetry.energy.si() - joules) <= 1e-9 * (1 + joules));
    for (std::size_t m = 1; m < kMetrics; ++m) {
      double sum = 0;
      int gpus = 0;
      for (const Code gpu : {Code{0}, Code{1}}) {
        const EnergyTime spent = naive_integral(points_of(host, gpu, m), a, b);
        if (!(spent.time > Seconds{0})) continue;
        sum += spent.energy.si() / spent.time.si();
        ++gpus;
      }
      RC_ASSERT(std::isnan(telemetry.mean[m]) == (gpus == 0));
      if (gpus > 0) RC_ASSERT(std::abs(telemetry.mean[m] - sum / gpus) <= 1e-9 * (1 + std::abs(sum)));
    }
  }
}

RC_GTEST_PROP(IntervalJoin, ConservesEnergy, ()) {
  const RandomHost host = random_host();
  const AccountResult result = account_of(host);
  double total = 0, idle = 0, events = 0, own = 0;
  for (const GpuSums& gpu : result.gpus) {
    total += gpu.total.energy.si();
    idle += gpu.idle().energy.si();
    events += gpu.events.energy.si();
  }
  for (const auto& [key, totals] : result.event_totals) own += totals.exclusive_energy.si();
  RC_ASSERT(std::abs(idle + events - total) <= 1e-9 * total);
  RC_ASSERT(std::abs(own - events) <= 1e-9 * (1 + total));
}

RC_GTEST_PROP(IntervalJoin, DoesNotDependOnTheSteps, ()) {
  const RandomHost host = random_host();
  const auto cuts = *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 70'000));
  const AccountResult whole = account_of(host), pieces = account_of(host, cuts);
  RC_ASSERT(whole.event_totals == pieces.event_totals);
  RC_ASSERT(whole.gpus == pieces.gpus);
  RC_ASSERT(whole.activities == pieces.activities);
}

// The first sample of a GPU is after an event: its idle time counts as after events.
TEST(IntervalJoin, ALateGpuDoesNotDependOnTheSteps) {
  RandomHost host;
  for (const bool start : {true, false}) {
    Checkpoint row;
    row.task = 1;
    row.start = start;
    row.at = {start ? 0 : 1000 * kMs};
    host.rows.push_back(row);
  }
  for (const std::int64_t second : {0, 2, 4})
    host.samples.push_back({{second * 1000 * kMs}, 50, 40, 10, 10, 0});
  for (const std::int64_t second : {60, 62})
    host.samples.push_back({{second * 1000 * kMs}, 100, 40, 10, 10, 1});
  const AccountResult whole = account_of(host), pieces = account_of(host, {30'000});
  ASSERT_EQ(pieces.gpus.size(), 2U);
  EXPECT_EQ(whole.gpus, pieces.gpus);
  EXPECT_DOUBLE_EQ(pieces.gpus[1].idle_after.energy.si(), 200);
  EXPECT_EQ(whole.activities, pieces.activities);
}

RC_GTEST_PROP(IntervalJoin, DoesNotDependOnTheOrderOfRows, ()) {
  RandomHost host = random_host();
  const AccountResult result = account_of(host);
  std::reverse(host.rows.begin(), host.rows.end());
  std::reverse(host.samples.begin(), host.samples.end());
  const AccountResult reversed = account_of(host);
  RC_ASSERT(result.event_totals == reversed.event_totals);
  RC_ASSERT(result.gpus == reversed.gpus);
}

RC_GTEST_PROP(NearestJoin, EqualsBruteForce, ()) {
  const RandomHost host = random_host();
  RC_PRE(plain(host));
  for (const auto& [event, telemetry] : account_of(host).events) {
    for (const auto& [at, found] :
         {std::pair{event.start, telemetry.at_start}, std::pair{event.stop, telemetry.at_stop}}) {
      double watts = 0;
      int gpus = 0;
      for (const Code gpu : {Code{0}, Code{1}}) {
        const Sample* nearest = nullptr;
        for (const Sample& each : host.samples) {
          if (each.gpu != gpu) continue;
          const auto apart = [&, t = at](const Sample& s) {
            return std::pair(std::abs(s.at.ns - t.ns), s.at.ns);
          };
          if (nearest == nullptr || apart(each) < apart(*nearest)) nearest = &each;
        }
        if (nearest == nullptr || static_cast<double>(std::abs(nearest->at.ns - at.ns)) > kGapSeconds * 1e9)
          continue;
        if (std::isnan(nearest->power_watts)) continue;
        watts += nearest->power_watts;
        ++gpus;
      }
      RC_ASSERT(std::isnan(found[0]) == (gpus == 0));
      if (gpus > 0) RC_ASSERT(std::abs(found[0] - watts) <= 1e-9 * (1 + watts));
    }
  }
}

}  // namespace
}  // namespace ergon::fleet
