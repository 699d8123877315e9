// Rows are on disk when append() returns. A child process appends rows, acknowledges them through a pipe, and
// is killed at a random time. All acknowledged rows must be in the dataset.

#include <chrono>
#include <csignal>
#include <functional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/random.h"
#include "profile/dataset.h"
#include "profile/row_csv.h"
#include "profile/some_rows.h"
#include "support/temporary_folder.h"

namespace ergon::profile {
namespace {

using test::some_composition;
using test::some_operation;

// Opens the folder and appends rows and compositions from `first` until it is killed.
[[noreturn]] void append_for_ever(const std::string& folder, std::int64_t first, int acknowledge) {
  auto dataset = Dataset::open(folder, {.resume = true});
  if (!dataset) ::_exit(1);
  const auto session = dataset->begin_session(nlohmann::ordered_json::object());
  if (!session) ::_exit(2);
  for (std::int64_t i = first;; ++i) {
    Row row = some_operation(0, *session);
    row.repeat = i;
    Composition composition = some_composition(5);
    composition.batch = 1 + i;
    if (!dataset->append(row) || !dataset->append(composition)) ::_exit(3);
    if (::write(acknowledge, &i, sizeof i) != sizeof i) ::_exit(4);
  }
}

struct Killed {
  bool as_meant = false;  // killed, not exited
  std::int64_t rows = 0;  // acknowledged
};

// Lets a process run until this many rows were acknowledged, and a little longer.
Killed kill_after(std::uint64_t rows, std::chrono::microseconds moment,
                  const std::function<void(int)>& work) {
  int ends[2];
  if (::pipe(ends) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    work(ends[1]);
  }
  ::close(ends[1]);
  Killed killed;
  const auto one_more = [&] {
    std::int64_t number = 0;
    const bool more = ::read(ends[0], &number, sizeof number) == sizeof number;
    killed.rows += more ? 1 : 0;
    return more;
  };
  while (rows > 0 && one_more()) --rows;
  std::this_thread::sleep_for(moment);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  killed.as_meant = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  while (one_more()) continue;
  ::close(ends[0]);
  return killed;
}

TEST(DatasetKill, AcknowledgedRowsAreStored) {
  const ergon::test::TemporaryFolder place;
  const std::string folder = (place / "data").string();
  Random random(7);
  std::int64_t next = 0, acknowledged_in_all = 0;
  for (int round = 0; round < 60; ++round) {
    const auto moment = std::chrono::microseconds(random.below(10'000));
    const Killed killed = kill_after(random.below(5), moment,
                                     [&](int acknowledge) { append_for_ever(folder, next, acknowledge); });
    ASSERT_TRUE(killed.as_meant) << "round " << round;
    acknowledged_in_all += killed.rows;

    const auto dataset = Dataset::open(folder, {.resume = true});
    ASSERT_TRUE(dataset) << dataset.error().message;
    const auto contents = read_dataset(folder);
    ASSERT_TRUE(contents) << contents.error().message;
    const auto rows = static_cast<std::int64_t>(contents->rows.size());
    const auto compositions = static_cast<std::int64_t>(contents->compositions.size());
    ASSERT_GE(rows, next + killed.rows);
    ASSERT_LE(rows, next + killed.rows + 1);
    ASSERT_GE(compositions, next + killed.rows);
    ASSERT_LE(compositions, rows);
    for (const Composition& one : contents->compositions) ASSERT_EQ(one.parts.size(), 6u);
    next = compositions;
  }
  EXPECT_GT(acknowledged_in_all, 60);
}

// After a kill during creation, the folder can be opened.
TEST(DatasetKill, DuringCreation) {
  Random random(8);
  for (int round = 0; round < 100; ++round) {
    const ergon::test::TemporaryFolder place;
    const std::string folder = (place / "data").string();
    const auto moment = std::chrono::microseconds(random.below(30'000));
    const Killed killed =
        kill_after(0, moment, [&](int acknowledge) { append_for_ever(folder, 0, acknowledge); });
    ASSERT_TRUE(killed.as_meant);
    const auto dataset = Dataset::open(folder, {.resume = true});
    ASSERT_TRUE(dataset) << dataset.error().message;
    ASSERT_GE(static_cast<std::int64_t>(dataset->keys().size()), killed.rows);
  }
}

}  // namespace
}  // namespace ergon::profile
