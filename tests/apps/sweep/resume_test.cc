// A sweep that is killed and resumed repeatedly gives the same result as an uninterrupted one.

#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/random.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace ergon::app {
namespace {

constexpr const char* kErgon = ERGON_PROGRAMS "/ergon";
constexpr const char* kSweep =
    "sweep --device v100s --networks table1 --clocks 30 --repeat 3 --scenario execution --precision fp32 -q";
constexpr std::ptrdiff_t kRuns = 31 * 30 * 3;

std::ptrdiff_t lines_of(const std::filesystem::path& file) {
  const auto text = read_file(file);
  return text ? std::count(text->begin(), text->end(), '\n') : 0;
}

TEST(SweepResume, KillsAtRandomTimesDoNotChangeTheResult) {
  const test::TemporaryFolder space;
  const auto shell = [&](const std::string& command) {
    return test::run_shell(command, space.path().string());
  };
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(shell(fmt::format("{} {} --out calm", kErgon, kSweep)).exit_code, 0);
  const std::chrono::duration<double> uninterrupted = std::chrono::steady_clock::now() - start;
  ASSERT_EQ(lines_of(space / "calm/runs.csv"), kRuns + 1);

  Random random(20261116);
  int cut_short = 0;
  for (int attempt = 0; attempt < 200; ++attempt) {
    const double patience = uninterrupted.count() * (0.1 + 0.4 * random.uniform());
    const auto ended = shell(
        fmt::format("timeout --signal=KILL {:.3f} {} {} --out killed --resume", patience, kErgon, kSweep));
    if (ended.exit_code == 0) break;
    ASSERT_EQ(ended.exit_code, 137) << ended.err;
    if (lines_of(space / "killed/runs.csv") > 1) ++cut_short;
  }
  ASSERT_EQ(shell(fmt::format("{} {} --out killed --resume", kErgon, kSweep)).exit_code, 0);
  EXPECT_GE(cut_short, 1) << "nothing was killed in the middle";
  EXPECT_EQ(lines_of(space / "killed/runs.csv"), kRuns + 1);

  const auto evaluation = [&](const char* folder) {
    return shell(fmt::format("{} sweep evaluate {}/runs.csv", kErgon, folder)).out;
  };
  EXPECT_EQ(evaluation("calm"), evaluation("killed"));
  EXPECT_NE(evaluation("calm").find("vgg16"), std::string::npos);
}

}  // namespace
}  // namespace ergon::app
