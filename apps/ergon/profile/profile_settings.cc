#include "profile/profile_settings.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units_text.h"
#include "networks/candidates.h"
#include "profile/profiler.h"
#include "profile/test_bench.h"

namespace ergon::app {
namespace {

Options::Take one_of(const std::string& option, std::vector<std::string> allowed) {
  return [option, allowed = std::move(allowed)](std::string_view word) -> Result<> {
    if (std::find(allowed.begin(), allowed.end(), word) != allowed.end()) return {};
    return fail(Errc::invalid_input, "{} takes {}, not \"{}\"", option, fmt::join(allowed, ", "),
                printable(word));
  };
}

Result<> check_batch(std::string_view text) {
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  const auto number = parse_int64(text);
  if (number && *number >= 1 && *number <= kMost) return {};
  return fail(Errc::invalid_input, "--batch wants whole numbers from 1 on, got \"{}\"", printable(text));
}

Result<> check_clock(std::string_view text) {
  if (text == "own") return {};
  const auto clock = parse_quantity<Hertz>(text, "--clocks");
  if (!clock) return clock.error();
  if (*clock > Hertz{0}) return {};
  return fail(Errc::invalid_input, "--clocks wants more than 0, not {}", printable(text));
}

// In their order, each once.
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
  options.text("--device", device, "D", "cpu, gpu0 (through CUDA), or a twin from `ergon devices`");
  options.list("--networks", networks, "NET,...", "names from `ergon zoo` or .onnx files");
  options.text("--out", out, "DIR", "the dataset's folder");
  options.flag("--resume", resume, "add what the folder does not hold yet");
  options.flag("--any-board", any_board, "and not what another GPU of that kind has measured");
  options.list("--batch", batches, "N,...", "samples in one iteration (1)", check_batch);
  options.list("--mode", modes, "M,...", "inference, training (inference)",
               one_of("--mode", {"inference", "training"}));
  options.list("--precision", precisions, "P,...", "tf32, fp32, bf16, fp16 (tf32)",
               one_of("--precision", {"tf32", "fp32", "bf16", "fp16"}));
  options.word("--layout", layout, "L", {"auto", "nchw", "nhwc"}, "nchw, nhwc, or auto: nhwc in 16 bits");
  options.list("--clocks", clocks, "Q,...", "core clocks to lock, or own (own)", check_clock);
  options.flag("--allow-control", allow_control, "permit that; all is put back afterwards");
  options.list("--what", what, "W,...", "operations, networks (both)",
               one_of("--what", {"operations", "networks"}));
  options.list("--kinds", kinds, "K,...", "only operations of these kinds: conv, dense, ... (all)");
  declare_size(options, size);
  options.positive_quantity("--time", time, "run each at least so long (1s; 100ms or more)");
  options.positive_quantity("--warm-up", warm_up, "before that (200ms)");
  options.positive_count("--repeat", repeats, 1000, "rows for each, in random order (1)");
  options.flag("--replay", replay, "besides, with CUDA graphs: kernels without launches");
  options.flag("--overlap", overlap, "settle energy while the next rows are measured");
  options.positive_quantity("--limit", limit, "begin no row after so long");
  options.flag("--skip-unsupported", skip_unsupported, "leave out what the engine cannot run");
  options.flag("--wait-idle", wait_idle, "wait while others use the GPU");
  options.count("--seed", seed, "of order, weights and inputs (1)");
}

Result<> ProfileSettings::check() const {
  const bool controls =
      std::any_of(clocks.begin(), clocks.end(), [](const std::string& clock) { return clock != "own"; });
  if (controls && TestBench::is_processor(device))
    return fail(Errc::invalid_input, "--clocks is for GPUs and twins");
  if (controls && TestBench::is_gpu(device) && !allow_control) {
    return fail(Errc::permission,
                "--clocks changes the GPU's settings for a while: that needs --allow-control");
  }
  if (!kinds.empty() && !what.empty() && std::find(what.begin(), what.end(), "operations") == what.end())
    return fail(Errc::invalid_input, "--kinds is of operations, and --what leaves those out");
  if (time && *time < profile::kLeastTime) {
    return fail(Errc::invalid_input,
                "--time {} is too short: below {} time stops being proportional to iterations",
                to_text(*time), to_text(profile::kLeastTime));
  }
  return {};
}

profile::Grid ProfileSettings::grid() const {
  profile::Grid grid;
  grid.seed = seed;
  grid.repeats = static_cast<std::int64_t>(repeats);
  const auto has = [](const std::vector<std::string>& list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
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
    if (text == "own") {
      grid.clocks.emplace_back();
    } else {
      grid.clocks.emplace_back(*parse_quantity<Hertz>(text, "--clocks"));
    }
  }
  grid.batches = distinct(grid.batches);
  grid.clocks = distinct(grid.clocks);
  if (!what.empty()) {
    grid.operations = has(what, "operations");
    grid.networks = has(what, "networks");
  }
  grid.kinds = {kinds.begin(), kinds.end()};
  return grid;
}

Result<std::vector<profile::Candidate>> ProfileSettings::candidates() const {
  return load_candidates(networks, size);
}

}  // namespace ergon::app
