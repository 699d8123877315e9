// Compares GpuTimeline with a brute-force integral of each event over all samples.

#include <cmath>
#include <map>
#include <set>

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

enum class Missing : std::uint8_t { some, none };

// A short time in milliseconds, so that ties are frequent, with several tasks and event names. Half of the
// utilizations are 0.
RandomHost random_host(Missing missing = Missing::some) {
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
    const auto metric = [&] {
      const int drawn = *rc::gen::inRange(missing == Missing::some ? -1 : 0, 12);
      return drawn < 0 ? std::nan("") : drawn * 7.0;
    };
    host.samples.push_back({{*rc::gen::inRange<std::int64_t>(0, 160) * 250 * kMs},
                            metric() * 4,
                            static_cast<float>(metric()),
                            static_cast<float>(*rc::gen::inRange(0, 2) == 0 ? 0 : metric()),
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

// STARTs and STOPs in seconds, ascending.
std::vector<double> edges_of(const AccountResult& result) {
  std::vector<double> edges;
  for (const auto& [event, telemetry] : result.events) {
    edges.push_back(static_cast<double>(event.start.ns) / 1e9);
    edges.push_back(static_cast<double>(event.stop.ns) / 1e9);
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

// Number of different tasks with an event that contains the interval from a to b.
int tasks_during(const AccountResult& result, double a, double b) {
  std::set<std::uint64_t> tasks;
  for (const auto& [event, telemetry] : result.events) {
    if (static_cast<double>(event.start.ns) / 1e9 <= a && static_cast<double>(event.stop.ns) / 1e9 >= b)
      tasks.insert(event.task);
  }
  return static_cast<int>(tasks.size());
}

// The share of the power that an event has from a to b, from the power that is handed down: each task has an
// equal part; a task divides it among its events that contain no other one, and each of them adds its part to
// every event that contains it. `number`: of the event in result.events, which are ordered by START.
double share_during(const AccountResult& result, std::size_t number, double a, double b) {
  const auto& all = result.events;
  const auto active = [&](std::size_t i) {
    return static_cast<double>(all[i].first.start.ns) / 1e9 <= a &&
           static_cast<double>(all[i].first.stop.ns) / 1e9 >= b;
  };
  const auto inside = [&](std::size_t i, std::size_t outer) {  // i in outer
    const Event &in = all[i].first, &out = all[outer].first;
    if (in.task != out.task || in.start < out.start || in.stop > out.stop) return false;
    return in.start != out.start || in.stop != out.stop || i > outer;
  };
  std::map<std::uint64_t, std::vector<std::size_t>> innermost;  // by task
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool leaf = active(i);
    for (std::size_t j = 0; j < all.size() && leaf; ++j) leaf = j == i || !active(j) || !inside(j, i);
    if (leaf) innermost[all[i].first.task].push_back(i);
  }
  std::vector<double> power(all.size());
  for (const auto& [task, leaves] : innermost) {
    for (const std::size_t leaf : leaves) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (active(i) && (i == leaf || inside(leaf, i)))
          power[i] += 1.0 / static_cast<double>(innermost.size()) / static_cast<double>(leaves.size());
      }
    }
  }
  return power[number];
}

// While several tasks run, each has an equal share of the energy.
void check_energy(const RandomHost& host, const AccountResult& result) {
  for (std::size_t number = 0; number < result.events.size(); ++number) {
    const auto& [event, telemetry] = result.events[number];
    const double a = static_cast<double>(event.start.ns) / 1e9, b = static_cast<double>(event.stop.ns) / 1e9;
    double joules = 0;
    int gpus_before = 0;
    bool shared = false;
    const std::vector<double> edges = edges_of(result);
    for (const Code gpu : {Code{0}, Code{1}}) {
      const auto points = points_of(host, gpu, 0);
      bool counts = false;
      for (const Sample& each : host.samples) counts = counts || (each.gpu == gpu && each.at <= event.stop);
      gpus_before += counts ? 1 : 0;
      for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        if (edges[i] < a || edges[i + 1] > b) continue;
        if (!(edges[i + 1] > edges[i])) continue;
        const double share = share_during(result, number, edges[i], edges[i + 1]);
        const EnergyTime piece = naive_integral(points, edges[i], edges[i + 1]);
        joules += piece.energy.si() * share;
        shared = shared || (tasks_during(result, edges[i], edges[i + 1]) > 1 && piece.time > Seconds{0});
      }
    }
    RC_ASSERT(telemetry.indivisible == (shared && gpus_before > 1));
    if (telemetry.indivisible) RC_ASSERT(!telemetry.own_energy() && std::isnan(telemetry.mean[0]));
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

RC_GTEST_PROP(IntervalJoin, EqualsBruteForce, ()) {
  RandomHost host = random_host();
  RC_PRE(plain(host));
  const bool few_tasks = *rc::gen::arbitrary<bool>();
  if (few_tasks) {
    for (Checkpoint& row : host.rows) row.task /= 100;  // three tasks with nested and overlapping events
  }
  const AccountResult result = account_of(host);
  RC_ASSERT(few_tasks || result.events.size() == host.rows.size() / 2);
  check_energy(host, result);
}

// One to three tasks, each with an event of every name at any time in 30 s, and samples of one or two GPUs
// every 2.5 s: events overlap within tasks and between them.
RandomHost crowded_host() {
  RandomHost host;
  const auto tasks = *rc::gen::inRange<std::uint64_t>(1, 4);
  for (std::uint64_t task = 1; task <= tasks; ++task) {
    for (std::uint16_t name = 0; name < 3; ++name) {
      const auto times =
          *rc::gen::pair(rc::gen::inRange<std::int64_t>(0, 60), rc::gen::inRange<std::int64_t>(1, 60));
      Checkpoint row;
      row.task = task;
      row.event = name;
      row.start = true;
      row.at = {times.first * 500 * kMs};
      host.rows.push_back(row);
      row.start = false;
      row.at = {(times.first + times.second) * 500 * kMs};
      host.rows.push_back(row);
    }
  }
  const int gpus = *rc::gen::inRange(1, 3);
  for (int gpu = 0; gpu < gpus; ++gpu) {
    for (std::int64_t ms = 0; ms <= 60'000; ms += 2'500)
      host.samples.push_back(
          {{ms * kMs}, *rc::gen::inRange(0, 12) * 28.0, 40, 90, 10, static_cast<Code>(gpu)});
  }
  return host;
}

RC_GTEST_PROP(IntervalJoin, SharesOfCrowdedHostsEqualBruteForce, ()) {
  const RandomHost host = crowded_host();
  const AccountResult result = account_of(host);
  RC_ASSERT(result.events.size() == host.rows.size() / 2);
  check_energy(host, result);
}

// For each GPU and the host, over random overlapping events of several tasks: nothing is lost or counted
// twice.
RC_GTEST_PROP(IntervalJoin, ConservesEnergy, ()) {
  RandomHost host = random_host();
  if (*rc::gen::arbitrary<bool>()) {
    for (Checkpoint& row : host.rows) row.task /= 100;  // three tasks with several events each
  }
  const AccountResult result = account_of(host);
  double total = 0, events = 0, own = 0;
  for (const GpuSums& gpu : result.gpus) {
    EnergyTime parts = gpu.idle();
    parts += gpu.unattributed;
    parts += gpu.events;
    RC_ASSERT(std::abs(parts.energy.si() - gpu.total.energy.si()) <= 1e-9 * gpu.total.energy.si());
    RC_ASSERT(std::abs(parts.time.si() - gpu.total.time.si()) <= 1e-9 * gpu.total.time.si());
    for (const EnergyTime& each : {gpu.total, gpu.idle_before, gpu.idle_between, gpu.idle_after,
                                   gpu.unattributed, gpu.events, gpu.shared})
      RC_ASSERT(each.energy >= Joules{0} && each.time >= Seconds{0} && std::isfinite(each.energy.si()));
    RC_ASSERT(gpu.shared.energy <= gpu.events.energy);
    total += gpu.total.energy.si();
    events += gpu.events.energy.si();
  }
  for (const auto& [key, totals] : result.event_totals) own += totals.exclusive_energy.si();
  RC_ASSERT(std::abs(own - events) <= 1e-9 * (1 + total));
  // Events of different tasks do not contain each other: together they have at most what was used.
  std::map<std::uint64_t, std::vector<std::pair<Event, EventTelemetry>>> by_task;
  for (const auto& each : result.events) by_task[each.first.task].push_back(each);
  double charged = 0;
  for (const auto& [task, all] : by_task) {
    if (all.size() == 1) charged += all.front().second.energy.si();
  }
  RC_ASSERT(charged <= events + 1e-9 * (1 + total));
}

// Idle: outside all events, between two samples that both show little utilization and power.
RC_GTEST_PROP(IntervalJoin, IdleEnergyEqualsBruteForce, ()) {
  const RandomHost host = random_host(Missing::none);
  RC_PRE(plain(host));
  const AccountResult result = account_of(host);
  std::map<Code, std::vector<Sample>> samples;
  for (const Sample& each : host.samples) samples[each.gpu].push_back(each);
  std::vector<double> idle;
  for (auto& [gpu, all] : samples) {
    std::sort(all.begin(), all.end(), [](const Sample& a, const Sample& b) { return a.at < b.at; });
    double joules = 0;
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      const auto shows_work = [](const Sample& s) {
        return s.utilization_percent > 5 || s.power_watts > 200;
      };
      if (shows_work(all[i]) || shows_work(all[i + 1])) continue;
      const double a = static_cast<double>(all[i].at.ns) / 1e9,
                   b = static_cast<double>(all[i + 1].at.ns) / 1e9;
      const std::vector<std::pair<double, double>> points{{a, all[i].power_watts},
                                                          {b, all[i + 1].power_watts}};
      std::vector<double> cuts{a, b};
      for (const double edge : edges_of(result)) {
        if (edge > a && edge < b) cuts.push_back(edge);
      }
      std::sort(cuts.begin(), cuts.end());
      for (std::size_t piece = 0; piece + 1 < cuts.size(); ++piece) {
        if (tasks_during(result, cuts[piece], cuts[piece + 1]) == 0)
          joules += naive_integral(points, cuts[piece], cuts[piece + 1]).energy.si();
      }
    }
    idle.push_back(joules);
  }
  RC_ASSERT(idle.size() == result.gpus.size());  // GPU 0 is "x" and 1 is "y": the same order
  for (std::size_t i = 0; i < idle.size(); ++i)
    RC_ASSERT(std::abs(result.gpus[i].idle().energy.si() - idle[i]) <= 1e-9 * (1 + idle[i]));
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
    host.samples.push_back({{second * 1000 * kMs}, 100, 40, 0, 10, 1});
  const AccountResult whole = account_of(host), pieces = account_of(host, {30'000});
  ASSERT_EQ(pieces.gpus.size(), 2U);
  EXPECT_EQ(whole.gpus, pieces.gpus);
  EXPECT_DOUBLE_EQ(pieces.gpus[1].idle_after.energy.si(), 200);
  EXPECT_EQ(whole.activities, pieces.activities);
}

struct TaskEvent {
  std::uint64_t task;
  std::uint16_t name;
  std::int64_t start_s, stop_s;
};

// Each of `gpus` uses 100 W for a minute.
RandomHost constant_host(const std::vector<TaskEvent>& events, int gpus) {
  RandomHost host;
  for (const TaskEvent& each : events) {
    for (const bool start : {true, false}) {
      Checkpoint row;
      row.task = each.task;
      row.event = each.name;
      row.start = start;
      row.at = {(start ? each.start_s : each.stop_s) * 1000 * kMs};
      host.rows.push_back(row);
    }
  }
  for (int gpu = 0; gpu < gpus; ++gpu) {
    for (std::int64_t second = 0; second <= 60; second += 5)
      host.samples.push_back({{second * 1000 * kMs}, 100, 40, 90, 10, static_cast<Code>(gpu)});
  }
  return host;
}

// Two jobs train for a minute. One of them loads and computes in events that overlap: its share stays half.
TEST(IntervalJoin, TasksHaveEqualSharesWhateverTheyContain) {
  const AccountResult result =
      account_of(constant_host({{1, 0, 0, 60}, {1, 1, 0, 40}, {1, 2, 20, 60}, {2, 0, 0, 60}}, 1));
  std::map<std::pair<std::uint64_t, std::uint16_t>, EventTelemetry> found;
  for (const auto& [event, telemetry] : result.events) found[{event.task, event.name}] = telemetry;
  ASSERT_EQ(found.size(), 4U);
  EXPECT_DOUBLE_EQ((found[{1, 0}].energy.si()), 3000);
  EXPECT_DOUBLE_EQ((found[{2, 0}].energy.si()), 3000);
  // 20 s alone in the task and 20 s of overlap.
  EXPECT_DOUBLE_EQ((found[{1, 1}].energy.si()), 1500);
  EXPECT_DOUBLE_EQ((found[{1, 2}].energy.si()), 1500);
  EXPECT_DOUBLE_EQ((found[{1, 0}].exclusive_energy.si()), 0);
  EXPECT_DOUBLE_EQ((found[{1, 1}].exclusive_energy.si()), 1500);
  EXPECT_DOUBLE_EQ((found[{2, 0}].exclusive_energy.si()), 3000);
  EXPECT_DOUBLE_EQ(result.gpus[0].shared.energy.si(), 6000);
}

// Events of one task that overlap share its energy, but no other task ran.
TEST(IntervalJoin, OverlapWithinOneTaskIsDivisible) {
  const AccountResult result = account_of(constant_host({{1, 0, 0, 40}, {1, 1, 20, 60}}, 2));
  ASSERT_EQ(result.events.size(), 2U);
  for (const auto& [event, telemetry] : result.events) {
    EXPECT_FALSE(telemetry.indivisible);
    EXPECT_DOUBLE_EQ(telemetry.energy.si(), 6000);
  }
  for (const GpuSums& gpu : result.gpus) EXPECT_EQ(gpu.shared.energy, Joules{0});
  const AccountResult tasks = account_of(constant_host({{1, 0, 0, 40}, {2, 1, 20, 60}}, 2));
  for (const auto& [event, telemetry] : tasks.events) EXPECT_TRUE(telemetry.indivisible);
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
