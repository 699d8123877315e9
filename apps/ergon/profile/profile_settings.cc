#include "profile/profile_settings.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units_text.h"
#include "networks/network_list.h"
#include "profile/profiler.h"
#include "profile/test_bench.h"

namespace ergon::app {
namespace {

Options::Parser one_of(const std::string& option, std::vector<std::string> allowed) {
  return [option, allowed = std::move(allowed)](std::string_view word) -> Result<> {
    if (std::find(allowed.begin(), allowed.end(), lower(word)) != allowed.end()) return {};
    return fail(Errc::unknown_name, "{}: \"{}\" is not one of {}{}", option, printable(word),
                fmt::join(allowed, ", "), suggestion(word, allowed));
  };
}

Result<> check_batch(std::string_view text) {
  constexpr std::int64_t kMax = std::int64_t{1} << 31;
  const auto number = parse_int64(text);
  if (number && *number >= 1 && *number <= kMax) return {};
  return fail(Errc::invalid_input, "--batch: \"{}\" is not a whole number above 0", printable(text));
}

Result<> check_clock(std::string_view text) {
  if (text == "default") return {};
  if (text == "own") return fail(Errc::invalid_input, "--clocks: \"own\" is now \"default\"");
  const auto clock = parse_quantity<Hertz>(text, "--clocks");
  if (!clock) return clock.error();
  if (*clock > Hertz{0}) return {};
  return fail(Errc::invalid_input, "--clocks: {} is not above 0", printable(text));
}

// Without duplicates, in order.
template <typename T>
std::vector<T> distinct(const std::vector<T>& all) {
  std::vector<T> once;
  for (const T& each : all) {
    if (std::find(once.begin(), once.end(), each) == once.end()) once.push_back(each);
  }
  return once;
}

}  // namespace

void ProfileSettings::declare(Options& options) {
  options.text("--device", device, "D", "cpu, gpu0 (CUDA), or a twin from `ergon devices`");
  options.list("--networks", networks, "NET,...", "names from `ergon zoo` or .onnx files");
  options.text("--out", out, "DIR", "folder of the dataset");
  options.flag("--resume", resume, "add rows that the dataset does not contain");
  options.flag("--any-board", any_board, "reuse rows of other boards of this product");
  options.list("--batch", batches, "N,...", "batch sizes (default: 1)", check_batch);
  options.list("--mode", modes, "M,...", "inference, training (default: inference)",
               one_of("--mode", {"inference", "training"}));
  options.list("--precision", precisions, "P,...", "tf32, fp32, bf16, fp16 (default: tf32)",
               one_of("--precision", {"tf32", "fp32", "bf16", "fp16"}));
  options.choice("--layout", layout, "L", {"auto", "nchw", "nhwc"},
                 "nchw, nhwc, or auto: nhwc for 16 bits (default: auto)");
  options.list("--clocks", clocks, "Q,...", "core clocks to lock (default: default, unlocked)", check_clock);
  options.flag("--allow-control", allow_control, "permit --clocks; clocks are restored afterwards");
  options.list("--measure", measure, "M,...", "operations, networks (default: both)",
               one_of("--measure", {"operations", "networks"}));
  options.renamed("--what", "--measure");
  options.list("--operation-types", operation_types, "T,...", "conv, dense, ... (default: all)");
  options.renamed("--kinds", "--operation-types");
  declare_size(options, size);
  options.positive_quantity("--duration", duration, "time of each row, at least 100ms (default: 1s)");
  options.renamed("--time", "--duration");
  options.positive_quantity("--warm-up", warm_up, "warm-up before each row (default: 200ms)");
  options.positive_count("--repeat", repeats, 1000, "repetitions of each row, in random order (default: 1)");
  options.flag("--replay", replay, "measure with CUDA graphs in addition");
  options.flag("--overlap", overlap, "settle energy while the next rows run (faster)");
  options.positive_quantity("--time-limit", time_limit, "start no row after this time (default: none)");
  options.renamed("--limit", "--time-limit");
  options.flag("--skip-unsupported", skip_unsupported, "skip unsupported operations");
  options.flag("--wait-idle", wait_idle, "wait while other processes use the GPU");
  options.count("--seed", seed, "seed of order, weights and inputs (default: 1)");
}

Result<> ProfileSettings::check() const {
  const bool controls =
      std::any_of(clocks.begin(), clocks.end(), [](const std::string& clock) { return clock != "default"; });
  if (controls && TestBench::is_processor(device))
    return fail(Errc::invalid_input, "--clocks: a processor has no clocks to lock; use a GPU or a twin");
  if (controls && TestBench::is_gpu(device) && !allow_control) {
    return fail(Errc::permission, "--clocks changes GPU settings; add --allow-control");
  }
  if (!operation_types.empty() && !measure.empty() &&
      std::find(measure.begin(), measure.end(), "operations") == measure.end())
    return fail(Errc::invalid_input, "--operation-types needs --measure operations");
  if (duration && *duration < profile::kMinTime) {
    return fail(Errc::invalid_input, "--duration: {} is too short (minimum: {})", to_text(*duration),
                to_text(profile::kMinTime));
  }
  return {};
}

profile::ProfileGrid ProfileSettings::grid() const {
  profile::ProfileGrid grid;
  grid.seed = seed;
  grid.repeats = static_cast<std::int64_t>(repeats);
  const auto has = [](const std::vector<std::string>& list, std::string_view word) {
    return std::any_of(list.begin(), list.end(),
                       [&](const std::string& each) { return lower(each) == word; });
  };
  if (!batches.empty()) grid.batches.clear();
  for (const std::string& batch : batches) grid.batches.push_back(*parse_int64(batch));
  if (!modes.empty()) grid.modes.clear();
  if (has(modes, "inference")) grid.modes.push_back(graph::Mode::inference);
  if (has(modes, "training")) grid.modes.push_back(graph::Mode::training);
  if (!precisions.empty()) grid.precisions.clear();
  for (const device::Precision each : device::all_precisions()) {
    if (has(precisions, name_of(each))) grid.precisions.push_back(each);
  }
  if (layout != "auto") grid.layout = layout == "nhwc" ? profile::Layout::nhwc : profile::Layout::nchw;
  if (replay) grid.launches.push_back(profile::Launch::replay);
  if (!clocks.empty()) grid.clocks.clear();
  for (const std::string& text : clocks) {
    if (text == "default") {
      grid.clocks.emplace_back();
    } else {
      grid.clocks.emplace_back(*parse_quantity<Hertz>(text, "--clocks"));
    }
  }
  grid.batches = distinct(grid.batches);
  grid.clocks = distinct(grid.clocks);
  if (!measure.empty()) {
    grid.operations = has(measure, "operations");
    grid.networks = has(measure, "networks");
  }
  grid.operation_types = {operation_types.begin(), operation_types.end()};
  return grid;
}

Result<std::vector<profile::LoadedNetwork>> ProfileSettings::candidates() const {
  return load_networks(networks, size);
}

}  // namespace ergon::app
