#include "profile/test_bench/profile_run.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/timestamp.h"
#include "base/units_text.h"
#include "base/version.h"
#include "device/machine/device_name.h"
#include "profile/network_warnings.h"

namespace ergon::profile {
namespace {

// With the seed of the request, and every value once.
ProfileRequest complete(ProfileRequest request) {
  request.grid.seed = request.seed;
  request.grid = normalized(std::move(request.grid));
  request.method.seed = request.seed;
  return request;
}

bool locks_clocks(const ProfileGrid& grid) {
  return std::any_of(grid.clocks.begin(), grid.clocks.end(),
                     [](const auto& clock) { return clock.has_value(); });
}

}  // namespace

Result<> check(const ProfileRequest& request) {
  const auto kind = device::kind_of_name(request.device);
  const bool controls = locks_clocks(request.grid);
  if (controls && kind == device::NameKind::processor)
    return fail(Errc::invalid_input, "--clocks: a processor has no clocks to lock; use a GPU or a twin");
  if (controls && kind == device::NameKind::gpu && !request.allow_control)
    return fail(Errc::permission, "--clocks changes GPU settings; add --allow-control");
  if (!request.grid.operation_types.empty() && !request.grid.operations)
    return fail(Errc::invalid_input, "--operation-types needs --measure operations");
  if (request.method.time < kMinTime) {
    return fail(Errc::invalid_input, "--duration: {} is too short (minimum: {})",
                to_text(request.method.time), to_text(kMinTime));
  }
  return {};
}

ProfileRun::ProfileRun(ProfileRequest request, ProfilePlan plan, std::unique_ptr<TestBench> bench,
                       TestBench::Host host)
    : request_(std::move(request)),
      plan_(std::move(plan)),
      bench_(std::move(bench)),
      host_(std::move(host)) {}

Result<ProfileRun> ProfileRun::prepare(const ProfileRequest& request,
                                       const std::vector<LoadedNetwork>& networks,
                                       const TestBench::Host& host) {
  ProfileRequest completed = complete(request);
  auto rows = plan(networks, completed.grid);
  if (!rows) return rows.error();
  auto bench = TestBench::open({request.device, request.allow_control, request.seed}, host);
  if (!bench) return bench.error();
  ProfileRun run(std::move(completed), std::move(*rows), std::move(*bench), host);
  if (auto fine = run.check_operations(networks); !fine) return fine.error();
  for (const auto& clock : run.request_.grid.clocks) {
    if (auto fine = run.bench_->check_clock(clock); !fine) return fine.error();
  }
  run.find_warnings(networks);
  return run;
}

Result<> ProfileRun::check_operations(const std::vector<LoadedNetwork>& networks) {
  Engine& engine = bench_->engine();
  const ProfileGrid& grid = request_.grid;
  for (const LoadedNetwork& each : networks) {
    for (const graph::Mode mode : grid.modes) {
      const RunCondition condition{grid.batches.front(), mode, precisions_of(grid, each.network).front(),
                                   Layout::nchw};
      const auto fine = engine.check(each.network, each.content ? &*each.content : nullptr, condition);
      if (fine) continue;
      if (fine.error().kind != Errc::unsupported) return fine.error().in(each.name);
      const std::string message =
          fmt::format("{}: {} cannot run {}", each.name, engine.facts().engine, fine.error().message);
      if (!request_.skip_unsupported)
        return fail(Errc::unsupported, "{}; use --skip-unsupported to measure the rest", message);
      if (host_.notify) host_.notify(message + "; skipped");
      break;
    }
  }
  return {};
}

void ProfileRun::find_warnings(const std::vector<LoadedNetwork>& networks) {
  warnings_ = network_warnings(networks, [&](const graph::Network& network) {
    std::vector<std::string> all;
    for (const device::Precision precision : precisions_of(request_.grid, network)) {
      for (std::string& each : bench_->engine().warnings(network, {.precision = precision}))
        all.push_back(std::move(each));
    }
    return all;
  });
  if (!host_.notify) return;
  for (const std::string& each : warnings_) host_.notify("warning: " + each);
}

nlohmann::ordered_json ProfileRun::provenance() const {
  const ProfileMethod& method = request_.method;
  nlohmann::ordered_json json = bench_->json();
  json["overlap"] = request_.overlap;
  json["ergon"] = build_facts().version;
  json["commit"] = build_facts().commit;
  json["begun"] = to_text(host_.clock.wall_now());
  json["method"] = {
      {"least_seconds", method.time.si()},
      {"warm_up_seconds", method.warm_up.si()},
      {"segments", method.segments},
      {"seed", method.seed},
      {"weights", "random, or the numbers of an ONNX file that holds them"},
      {"operations", "a block of instances with weights of their own takes turns; one input"},
      {"training", "forward, backward from a random output gradient, gradients reset; no optimizer"},
      {"power", "mean of the readings within three standard deviations"},
      {"order", "random, by the seed"}};
  return json;
}

Result<RunSummary> ProfileRun::measure_rows(Dataset& dataset,
                                            const std::function<void(const Row&)>& after_row) {
  const auto session = dataset.begin_session(provenance());
  if (!session) return session.error();
  Profiler profiler(bench_->engine(), bench_->power_meter(), bench_->clock(), request_.method);
  PlanRunOptions options;
  options.overlap = request_.overlap;
  options.time_limit = request_.time_limit;
  options.any_board = request_.any_board;
  options.hold_clock = [&](std::optional<Hertz> clock) { return bench_->hold_clock(clock); };
  if (request_.wait_idle) options.before_row = [&] { return bench_->wait_until_idle(host_); };
  options.after_row = after_row;
  return run_plan(plan_, facts().uuid, profiler, dataset, bench_->clock(), options, host_.stop, *session);
}

Result<ProfileResult> ProfileRun::measure(Dataset& dataset,
                                          const std::function<void(const Row&)>& after_row) {
  ProfileResult result;
  auto summary = measure_rows(dataset, [&](const Row& row) {
    if (after_row) after_row(row);
    if (row.subject.kind == Subject::Kind::network) result.networks.push_back(row);
  });
  result.restored = bench_->release();
  if (!summary) return summary.error();
  result.summary = std::move(*summary);
  return result;
}

}  // namespace ergon::profile
