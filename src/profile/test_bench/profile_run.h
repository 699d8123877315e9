#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/dataset.h"
#include "profile/plan.h"
#include "profile/profiler.h"
#include "profile/runner.h"
#include "profile/test_bench/test_bench.h"

namespace ergon::profile {

// What to measure on which device, and how.
struct ProfileRequest {
  std::string device;  // as in TestBench::Settings
  ProfileGrid grid;
  ProfileMethod method;
  std::uint64_t seed = 1;  // of order, weights and inputs; replaces those of `grid` and `method`
  bool allow_control = false;
  bool overlap = false, any_board = false;  // as in PlanRunOptions
  std::optional<Seconds> time_limit;
  bool skip_unsupported = false;  // measure the rest if some operations are not supported
  bool wait_idle = false;         // wait while other processes use the GPU
};

// Fails for a request that no device can fulfill, naming the option. Errors: permission for clocks of a GPU
// without `allow_control`; invalid_input otherwise.
Result<> check(const ProfileRequest& request);

// Measured rows of a run.
struct ProfileResult {
  RunSummary summary;
  std::vector<Row> networks;  // measured now, in order
  Result<> restored;          // whether the previous clocks were restored
};

// The rows of a request on an open device.
class ProfileRun {
 public:
  // Plans the rows, opens the device and checks operations and clocks before anything is measured. Errors:
  // those of plan() and TestBench::open(); unsupported operations, unless skipped (then `host.notify` is
  // told). `host.notify` is also told the warnings.
  static Result<ProfileRun> prepare(const ProfileRequest& request, const std::vector<LoadedNetwork>& networks,
                                    const TestBench::Host& host);

  std::size_t rows() const { return plan_.items.size(); }
  const TestBench& bench() const { return *bench_; }
  const EngineFacts& facts() const { return bench_->engine().facts(); }
  // Those of the engine.
  const std::vector<std::string>& warnings() const { return warnings_; }

  // Measures the rows that the dataset does not contain; `after_row` is called for each. Restores clocks.
  // Errors: those of run_plan().
  Result<ProfileResult> measure(Dataset& dataset, const std::function<void(const Row&)>& after_row);

 private:
  ProfileRun(ProfileRequest request, ProfilePlan plan, std::unique_ptr<TestBench> bench,
             TestBench::Host host);
  Result<> check_operations(const std::vector<LoadedNetwork>& networks);
  void find_warnings(const std::vector<LoadedNetwork>& networks);
  nlohmann::ordered_json provenance() const;
  Result<RunSummary> measure_rows(Dataset& dataset, const std::function<void(const Row&)>& after_row);

  ProfileRequest request_;
  ProfilePlan plan_;
  std::unique_ptr<TestBench> bench_;
  TestBench::Host host_;
  std::vector<std::string> warnings_;
};

}  // namespace ergon::profile
