#include "fleet/synthetic/generate.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "fleet/ingest.h"
#include "fleet/synthetic/identity.h"
#include "fleet/synthetic/small_fleet.h"
#include "fleet/synthetic/task_stream.h"
#include "support/temporary_folder.h"

namespace ergon::fleet::synthetic {
namespace {

using FleetRows = std::vector<std::vector<std::string>>;
const std::vector<std::string> kAllFiles{kCheckpointsFile, kSamplesFile, kTilesFile};

GeneratedFleet made_in(const std::filesystem::path& folder, const FleetPlan& plan) {
  const auto done = generate(plan, folder, {});
  EXPECT_TRUE(done) << (done ? "" : done.error().message);
  return done.value_or({});
}

FleetRows of_hosts(const FleetRows& rows, std::uint64_t seed, std::uint64_t hosts) {
  std::set<std::string> names;
  for (std::uint64_t host = 0; host < hosts; ++host) names.insert(host_name(seed, host));
  FleetRows kept;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(kept),
               [&](const auto& row) { return names.contains(row[1]); });
  return kept;
}

// A seed for which host 0 has the requested property.
template <typename Wanted>
std::uint64_t seed_where(const Wanted& wanted) {
  std::uint64_t seed = 1;
  while (!wanted(traits_of(seed, 0))) ++seed;
  return seed;
}

TEST(FleetGenerate, EqualPlansGiveEqualFiles) {
  const ergon::test::TemporaryFolder folder;
  FleetPlan plan = small_plan(15, 0.2);
  plan.loss = 0.01;
  made_in(folder / "a", plan);
  made_in(folder / "b", plan);
  plan.seed = 2;
  made_in(folder / "c", plan);
  for (const std::string& name : kAllFiles) {
    EXPECT_EQ(text_of(folder / "a" / name), text_of(folder / "b" / name)) << name;
    EXPECT_NE(text_of(folder / "a" / name), text_of(folder / "c" / name)) << name;
  }
}

TEST(FleetGenerate, AHostDoesNotDependOnTheNumberOfHosts) {
  const ergon::test::TemporaryFolder folder;
  made_in(folder / "few", small_plan(3, 0.2));
  made_in(folder / "many", small_plan(70, 0.2));
  for (const char* name : {kCheckpointsFile, kSamplesFile}) {
    EXPECT_EQ(rows_of(folder / "few" / name), of_hosts(rows_of(folder / "many" / name), 1, 3)) << name;
  }
}

TEST(FleetGenerate, RowsAreOrderedByTime) {
  const ergon::test::TemporaryFolder folder;
  FleetPlan plan = small_plan(250, 0.3);
  plan.skew = Seconds{5};
  const GeneratedFleet done = made_in(folder.path(), plan);
  EXPECT_GT(done.skewed_hosts, 0u);
  const FleetRows checkpoints = rows_of(folder / kCheckpointsFile), samples = rows_of(folder / kSamplesFile);
  ASSERT_GT(checkpoints.size(), 40'000u);
  ASSERT_GT(samples.size(), 130'000u);
  EXPECT_TRUE(std::is_sorted(checkpoints.begin(), checkpoints.end(), [](const auto& a, const auto& b) {
    return std::pair(a[0], a[2]) < std::pair(b[0], b[2]);
  }));
  EXPECT_TRUE(std::is_sorted(samples.begin(), samples.end(),
                             [](const auto& a, const auto& b) { return a[0] < b[0]; }));
  EXPECT_TRUE(std::adjacent_find(samples.begin(), samples.end()) == samples.end());
  for (const auto& row : checkpoints) {
    ASSERT_TRUE(parse_timestamp(row[0]));
    ASSERT_EQ(row[0].size(), 24u);
  }
}

TEST(FleetGenerate, EveryTaskIsCompleteAndNoneOverlap) {
  const ergon::test::TemporaryFolder folder;
  const GeneratedFleet done = made_in(folder.path(), small_plan(30, 0.5));
  struct TaskRows {
    std::set<std::pair<std::string, std::string>> events;
    std::size_t rows = 0;
    std::string host, begin, end;
  };
  std::map<std::string, TaskRows> tasks;
  for (const auto& row : rows_of(folder / kCheckpointsFile)) {
    TaskRows& task = tasks[row[5]];
    task.host = row[1];
    ++task.rows;
    task.events.emplace(row[2], row[3]);
    if (row[2] == "TotalRender") (row[3] == "START" ? task.begin : task.end) = row[0];
  }
  EXPECT_EQ(tasks.size(), done.tasks);
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> by_host;
  for (const auto& [id, task] : tasks) {
    EXPECT_EQ(task.events.size(), 10u) << id;
    EXPECT_TRUE(task.rows == 10 || task.rows == 20) << id;
    by_host[task.host].emplace_back(task.begin, task.end);
  }
  EXPECT_EQ(by_host.size(), 30u);
  for (auto& [host, spans] : by_host) {
    std::sort(spans.begin(), spans.end());
    for (std::size_t i = 1; i < spans.size(); ++i) EXPECT_LT(spans[i - 1].second, spans[i].first) << host;
  }
  std::set<std::string> named;
  for (const auto& row : rows_of(folder / kTilesFile)) {
    EXPECT_TRUE(tasks.contains(row[0]));
    EXPECT_TRUE(named.insert(row[0]).second);
    EXPECT_EQ(row[1].rfind("simulated-lvl" + row[4] + "-", 0), 0u) << row[1];
  }
  EXPECT_EQ(named.size(), tasks.size());
}

TEST(FleetGenerate, SomeHostsWriteEveryCheckpointTwice) {
  const ergon::test::TemporaryFolder folder;
  FleetPlan plan = small_plan(2, 0.2, seed_where([](const HostTraits& host) { return host.doubled; }));
  const GeneratedFleet done = made_in(folder.path(), plan);
  ASSERT_GE(done.doubled_hosts, 1u);
  const FleetRows rows = of_hosts(rows_of(folder / kCheckpointsFile), plan.seed, 1);
  ASSERT_GT(rows.size(), 100u);
  ASSERT_EQ(rows.size() % 20, 0u);
  for (std::size_t i = 0; i < rows.size(); i += 2) EXPECT_EQ(rows[i], rows[i + 1]);
  const FleetRows all = rows_of(folder / kCheckpointsFile);
  const auto copy = std::adjacent_find(all.begin(), all.end());
  EXPECT_TRUE(copy != all.end());
}

TEST(FleetGenerate, SomeHostsHaveTwoLoggers) {
  const ergon::test::TemporaryFolder folder;
  FleetPlan plan = small_plan(1, 0.2, seed_where([](const HostTraits& host) { return host.two_loggers; }));
  plan.gpus_per_host = 2;
  made_in(folder.path(), plan);
  std::map<std::string, std::size_t> rows_of_gpu;
  for (const auto& row : rows_of(folder / kSamplesFile)) ++rows_of_gpu[row[3]];
  ASSERT_EQ(rows_of_gpu.size(), 2u);
  for (const auto& [gpu, rows] : rows_of_gpu)
    EXPECT_NEAR(static_cast<double>(rows), 2 * 720 / 2.0174, 4) << gpu;
}

TEST(FleetGenerate, ReadingsStayWithinWhatTheTwinCanDraw) {
  const ergon::test::TemporaryFolder folder;
  const FleetPlan plan = small_plan(20, 0.5);
  made_in(folder.path(), plan);
  double energy = 0, rows = 0, busy = 0;
  for (const auto& row : rows_of(folder / kSamplesFile)) {
    const double watts = *parse_double(row[4]);
    const std::int64_t celsius = *parse_int64(row[5]), util = *parse_int64(row[6]),
                       memory = *parse_int64(row[7]);
    EXPECT_GT(watts, 15);
    EXPECT_LT(watts, plan.device.limit.default_limit.si());
    EXPECT_GT(celsius, 18);
    EXPECT_LT(celsius, plan.device.thermal.slowdown.degrees());
    EXPECT_TRUE(util == 0 || (util >= 70 && util <= 100)) << util;
    EXPECT_TRUE((memory == 0) == (util == 0));
    EXPECT_EQ(row[2].size(), 13u);
    EXPECT_EQ(row[2][0], '0');
    energy += watts;
    busy += util > 0;
    ++rows;
  }
  EXPECT_NEAR(energy / rows, 92, 12);
  EXPECT_NEAR(busy / rows, 0.69, 0.05);
}

TEST(FleetGenerate, LosesTheRequestedShareOfRows) {
  const ergon::test::TemporaryFolder folder;
  FleetPlan plan = small_plan(20, 0.5);
  made_in(folder / "whole", plan);
  plan.loss = 0.05;
  const GeneratedFleet lossy = made_in(folder / "lossy", plan);
  for (const char* name : {kCheckpointsFile, kSamplesFile}) {
    const FleetRows whole = rows_of(folder / "whole" / name), left = rows_of(folder / "lossy" / name);
    const std::size_t lost = whole.size() - left.size();
    EXPECT_EQ(lost, name == std::string(kSamplesFile) ? lossy.lost_samples : lossy.lost_checkpoints);
    EXPECT_NEAR(static_cast<double>(lost), 0.05 * static_cast<double>(whole.size()),
                5 * std::sqrt(0.05 * static_cast<double>(whole.size())));
    // The remaining rows are unchanged.
    std::size_t at = 0;
    for (const auto& row : whole) at += at < left.size() && row == left[at];
    EXPECT_EQ(at, left.size());
  }
  EXPECT_EQ(text_of(folder / "whole" / kTilesFile), text_of(folder / "lossy" / kTilesFile));
}

TEST(FleetGenerate, SkewedLoggersAreAhead) {
  const ergon::test::TemporaryFolder folder;
  FleetPlan plan = small_plan(1, 0.05, seed_where([](const HostTraits& host) { return host.skewed; }));
  made_in(folder / "right", plan);
  plan.skew = Seconds{5};
  made_in(folder / "ahead", plan);
  const FleetRows right = rows_of(folder / "right" / kSamplesFile),
                  ahead = rows_of(folder / "ahead" / kSamplesFile);
  ASSERT_EQ(right.size(), ahead.size());
  for (std::size_t i = 0; i < right.size(); ++i) {
    EXPECT_EQ(parse_timestamp(ahead[i][0])->ns - parse_timestamp(right[i][0])->ns, 5'000'000'000);
    EXPECT_EQ(ahead[i][4], right[i][4]);
  }
  EXPECT_EQ(text_of(folder / "right" / kCheckpointsFile), text_of(folder / "ahead" / kCheckpointsFile));
}

TEST(FleetGenerate, MemoryDoesNotDependOnTheDuration) {
#if defined(__GLIBC__)
  const ergon::test::TemporaryFolder folder;
  const auto most_in_use = [&](double hours) {
    std::size_t most = 0;
    const auto measure = [&] {
      const auto heap = ::mallinfo2();
      most = std::max(most, heap.uordblks + heap.hblkhd);
    };
    EXPECT_TRUE(generate(small_plan(30, hours), folder.path(), {.minute_done = measure}));
    return most;
  };
  most_in_use(0.1);
  const std::size_t brief = most_in_use(0.5), ten_times = most_in_use(5);
  if (brief == 0) GTEST_SKIP() << "the allocator does not report its memory";
  EXPECT_LT(ten_times, brief + 65536);
#else
  GTEST_SKIP() << "requires mallinfo2 of glibc";
#endif
}

TEST(FleetGenerate, AStopLeavesNoFile) {
  const ergon::test::TemporaryFolder folder;
  std::stop_source source;
  int minutes = 0;
  const auto done = generate(small_plan(5, 1), folder.path(), {source.get_token(), [&] {
                                                                 if (++minutes == 3) source.request_stop();
                                                               }});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, Errc::cancelled);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(FleetGenerate, RejectsInvalidPlans) {
  const ergon::test::TemporaryFolder folder;
  const auto refused = [&](auto change) {
    FleetPlan plan = small_plan(2, 0.1);
    change(plan);
    const auto done = generate(plan, folder / "none", {});
    return !done && done.error().kind == Errc::invalid_input && !std::filesystem::exists(folder / "none");
  };
  EXPECT_TRUE(refused([](FleetPlan& plan) { plan.hosts = 0; }));
  EXPECT_TRUE(refused([](FleetPlan& plan) { plan.hosts = kMaxHosts + 1; }));
  EXPECT_TRUE(refused([](FleetPlan& plan) { plan.gpus_per_host = 0; }));
  EXPECT_TRUE(refused([](FleetPlan& plan) { plan.duration = Seconds{0}; }));
  EXPECT_TRUE(refused([](FleetPlan& plan) { plan.duration = Seconds{-3600}; }));
  EXPECT_TRUE(refused([](FleetPlan& plan) { plan.duration = Seconds{1e12}; }));
  EXPECT_TRUE(refused([](FleetPlan& plan) { plan.loss = 1; }));
  EXPECT_TRUE(refused([](FleetPlan& plan) { plan.skew = Seconds{-1}; }));
  EXPECT_TRUE(refused([](FleetPlan& plan) { plan.start = *parse_timestamp("2250-01-01"); }));
}

TEST(FleetGenerate, ReplacesOnlySimulatedFiles) {
  const ergon::test::TemporaryFolder folder;
  const FleetPlan plan = small_plan(2, 0.1);
  made_in(folder / "again", plan);
  EXPECT_TRUE(generate(plan, folder / "again", {}));

  std::filesystem::create_directories(folder / "real");
  std::ofstream(folder / "real" / kSamplesFile) << "timestamp,hostname\n";
  const auto beside = generate(plan, folder / "real", {});
  ASSERT_FALSE(beside);
  EXPECT_EQ(beside.error().kind, Errc::invalid_input);
  EXPECT_NE(beside.error().message.find("gpu.csv"), std::string::npos);
  EXPECT_EQ(text_of(folder / "real" / kSamplesFile), "timestamp,hostname\n");

  std::ofstream(folder / "again" / kCheckpointsFile) << "timestamp\n2018-11-08T07:41:30Z\n";
  EXPECT_FALSE(generate(plan, folder / "again", {}));

  std::ofstream(folder / "file") << "x";
  const auto file = generate(plan, folder / "file", {});
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().message.find("is a file"), std::string::npos);
}

// The mark survives sorting, splitting and joining the files by row.
TEST(FleetGenerate, EveryRowIsMarkedAsSimulated) {
  const ergon::test::TemporaryFolder folder;
  made_in(folder.path(), small_plan(2, 0.1));
  for (const std::string& name : kAllFiles) {
    const std::string text = text_of(folder / name);
    const std::string header = text.substr(0, text.find('\n'));
    EXPECT_TRUE(header.ends_with(",simulated") || header.ends_with(",\"simulated\"")) << header;
    const FleetRows rows = rows_of(folder / name);
    ASSERT_FALSE(rows.empty()) << name;
    for (const auto& row : rows) ASSERT_EQ(row.back(), "true") << name;
  }
}

// Each of the files alone, and one row of it.
TEST(FleetGenerate, AnAnalysisOfEachFileIsSimulated) {
  const ergon::test::TemporaryFolder folder;
  made_in(folder.path(), small_plan(2, 0.1));
  for (const auto& [name, kind] :
       {std::pair{kCheckpointsFile, LogKind::checkpoints}, std::pair{kSamplesFile, LogKind::samples}}) {
    const std::string text = text_of(folder / name);
    const std::size_t header = text.find('\n') + 1, last = text.rfind('\n', text.size() - 2) + 1;
    std::ofstream(folder / "one.csv") << text.substr(0, header) << text.substr(last);
    for (const auto& file : {folder / name, folder / "one.csv"}) {
      FleetInputs inputs;
      inputs.logs.push_back({file, kind, {}, {}});
      const auto read = read_fleet(inputs, {}, {});
      ASSERT_TRUE(read) << read.error().message;
      EXPECT_TRUE(read->tally.simulated) << file;
    }
  }
}

TEST(FleetGenerate, AFewSecondsGiveSamplesOnly) {
  const ergon::test::TemporaryFolder folder;
  const GeneratedFleet done = made_in(folder.path(), small_plan(2, 10.0 / 3600));
  EXPECT_EQ(done.tasks, 0u);
  EXPECT_EQ(rows_of(folder / kCheckpointsFile).size(), 0u);
  EXPECT_NEAR(static_cast<double>(rows_of(folder / kSamplesFile).size()), 10, 1);
}

}  // namespace
}  // namespace ergon::fleet::synthetic
