#include "profile/runner.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graph/zoo/zoo.h"
#include "profile/fake_engine.h"
#include "support/temporary_folder.h"

namespace ergon::profile {
namespace {

class RunPlan : public testing::Test {
 protected:
  RunPlan() : engine(clock) {
    auto network = graph::zoo::build(**graph::zoo::find("resnet18"), {}).value();
    ProfileGrid grid;
    grid.batches = {1, 2};
    made = plan({{"resnet18", std::move(network), std::nullopt}}, grid).value();
  }

  Dataset dataset(bool resume) { return Dataset::open(folder, {resume}).value(); }
  Result<RunSummary> run(Dataset& into, const PlanRunOptions& around = {}, std::stop_token stop = {}) {
    Profiler profiler(engine, nullptr, clock, method);
    const auto session = into.begin_session(nlohmann::ordered_json::object()).value();
    return run_plan(made, "FAKE-1", profiler, into, clock, around, stop, session);
  }

  ManualClock clock;
  FakeEngine engine;
  ProfileMethod method;
  ProfilePlan made;
  ergon::test::TemporaryFolder place;
  std::string folder = (place.path() / "data").string();
};

TEST_F(RunPlan, MeasuresEveryRowOnce) {
  {
    auto into = dataset(false);
    const auto summary = run(into).value();
    EXPECT_EQ(summary.rows.at(Status::measured), static_cast<std::int64_t>(made.items.size()));
  }
  engine.prepared.clear();
  auto again = dataset(true);
  const auto summary = run(again).value();
  EXPECT_TRUE(summary.rows.empty());
  EXPECT_EQ(summary.already_measured, static_cast<std::int64_t>(made.items.size()));
  EXPECT_TRUE(engine.prepared.empty());
}

TEST_F(RunPlan, ResumesAfterAStop) {
  std::stop_source source;
  PlanRunOptions around;
  int rows = 0;
  around.after_row = [&](const Row&) {
    if (++rows == 7) source.request_stop();
  };
  {
    auto into = dataset(false);
    const auto stopped = run(into, around, source.get_token());
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().kind, Errc::cancelled);
  }
  auto into = dataset(true);
  const auto summary = run(into).value();
  EXPECT_EQ(summary.already_measured, 7);
  EXPECT_EQ(read_dataset(folder)->rows.size(), made.items.size());
}

TEST_F(RunPlan, OutOfMemoryIsRecorded) {
  engine.broken.emplace("resnet18", Error{Errc::out_of_memory, "needs 300 GB"});
  auto into = dataset(false);
  const auto summary = run(into).value();
  EXPECT_EQ(summary.rows.at(Status::out_of_memory), 2);
  EXPECT_EQ(summary.rows.at(Status::measured), static_cast<std::int64_t>(made.items.size()) - 2);
  const auto contents = read_dataset(folder).value();
  for (const Row& row : contents.rows) {
    if (row.subject.kind != Subject::Kind::network) continue;
    EXPECT_EQ(row.status, Status::out_of_memory);
    EXPECT_EQ(row.detail, "needs 300 GB");
    EXPECT_FALSE(row.time);
  }
}

TEST_F(RunPlan, ALostDeviceKeepsFinishedRows) {
  PlanRunOptions around;
  around.overlap = true;
  int rows = 0;
  around.before_row = [&]() -> Result<> {
    if (++rows == 5) return fail(Errc::device_lost, "fell off the bus");
    return {};
  };
  auto into = dataset(false);
  const auto summary = run(into, around);
  ASSERT_FALSE(summary);
  EXPECT_EQ(summary.error().kind, Errc::device_lost);
  EXPECT_EQ(read_dataset(folder)->rows.size(), 4U);
}

TEST_F(RunPlan, StartsNoRowAfterTheTimeLimit) {
  PlanRunOptions around;
  around.time_limit = Seconds{10};
  auto into = dataset(false);
  const auto summary = run(into, around).value();
  EXPECT_GT(summary.not_reached, 0);
  EXPECT_EQ(summary.not_reached + summary.rows.at(Status::measured),
            static_cast<std::int64_t>(made.items.size()));
}

TEST_F(RunPlan, AnyBoardCountsOnlyTheSameProduct) {
  const auto run_as = [&](const std::string& uuid, const char* product, bool simulated, bool any_board) {
    auto into = dataset(std::filesystem::exists(folder));
    const auto session =
        into.begin_session({{"uuid", uuid}, {"device", product}, {"simulated", simulated}}).value();
    Profiler profiler(engine, nullptr, clock, method);
    engine.set_uuid(uuid);
    PlanRunOptions around;
    around.any_board = any_board;
    return run_plan(made, uuid, profiler, into, clock, around, {}, session).value().already_measured;
  };
  const auto all = static_cast<std::int64_t>(made.items.size());
  EXPECT_EQ(run_as("GPU-1", "H200", false, false), 0);
  EXPECT_EQ(run_as("GPU-1", "H200", false, true), all);
  EXPECT_EQ(run_as("GPU-2", "A30", false, true), 0);
  EXPECT_EQ(run_as("TWIN", "H200", true, true), 0);
  EXPECT_EQ(run_as("GPU-3", "H200", false, true), all);
  EXPECT_EQ(run_as("GPU-4", "H200", false, false), 0);
}

TEST_F(RunPlan, LocksTheClockOfEveryRow) {
  auto network = graph::zoo::build(**graph::zoo::find("resnet18"), {}).value();
  ProfileGrid grid;
  grid.operations = false;
  grid.clocks = {std::nullopt, Hertz{900e6}, Hertz{1200e6}};
  made = plan({{"resnet18", std::move(network), std::nullopt}}, grid).value();
  std::optional<Hertz> held;
  std::map<double, int> seen;
  PlanRunOptions around;
  around.hold_clock = [&](std::optional<Hertz> asked) -> Result<> {
    held = asked;
    return {};
  };
  around.before_row = [&]() -> Result<> {
    ++seen[held.value_or(Hertz{0}).si()];
    return {};
  };
  auto into = dataset(false);
  ASSERT_TRUE(run(into, around));
  EXPECT_EQ(seen, (std::map<double, int>{{0, 1}, {900e6, 1}, {1200e6, 1}}));
}

}  // namespace
}  // namespace ergon::profile
