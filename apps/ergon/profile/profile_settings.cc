#include "profile/profile_settings.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units_text.h"
#include "networks/network_options.h"

namespace ergon::app {
namespace {

// A core clock to lock; absent: "default".
Result<std::optional<Hertz>> parse_clock(std::string_view text) {
  if (text == "default") return std::optional<Hertz>();
  if (text == "own") return fail(Errc::invalid_input, "\"own\" is now \"default\"");
  const auto clock = parse_quantity<Hertz>(text, "--clocks");
  if (!clock) return clock.error();
  if (!(*clock > Hertz{0})) return fail(Errc::invalid_input, "{} is not above 0", printable(text));
  return std::optional(*clock);
}

// The first clock replaces the default.
Options::Parser clock_parser(std::vector<std::optional<Hertz>>& clocks) {
  return [&clocks, first = true](std::string_view text) mutable -> Result<> {
    const auto clock = parse_clock(text);
    if (!clock) return clock.error();
    if (std::exchange(first, false)) clocks.clear();
    clocks.push_back(*clock);
    return {};
  };
}

std::optional<profile::Layout> layout_of(LayoutOption option) {
  switch (option) {
    case LayoutOption::automatic:
      break;
    case LayoutOption::nchw:
      return profile::Layout::nchw;
    case LayoutOption::nhwc:
      return profile::Layout::nhwc;
  }
  return std::nullopt;
}

}  // namespace

std::string_view name_of(LayoutOption option) {
  const auto layout = layout_of(option);
  return layout ? profile::name_of(*layout) : "auto";
}

void ProfileSettings::declare(Options& options) {
  profile::ProfileGrid& grid = request_.grid;
  options.text("--device", request_.device, "D", "cpu, gpu0 (CUDA), or a twin from `ergon devices`");
  options.list("--networks", networks, "NET,...", "names from `ergon zoo` or .onnx files");
  options.text("--out", out, "DIR", "folder of the dataset");
  options.flag("--resume", resume, "add rows that the dataset does not contain");
  options.flag("--any-board", request_.any_board, "reuse rows of other boards of this product");
  options.batch_list("--batch", grid.batches, "batch sizes (default: 1)");
  options.enumeration_list("--mode", grid.modes, "M,...", graph::kModes,
                           "inference, training (default: inference)");
  options.enumeration_list("--precision", grid.precisions, "P,...", device::kPrecisions,
                           "tf32, fp32, bf16, fp16 (default: the file's, or tf32)");
  options.enumeration("--layout", layout_, "L", kLayoutOptions,
                      "nchw, nhwc, or auto: nhwc for 16 bits (default: auto)");
  options.parsed_list("--clocks", "Q,...", "core clocks to lock (default: default, unlocked)",
                      clock_parser(grid.clocks));
  options.flag("--allow-control", request_.allow_control, "permit --clocks; clocks are restored afterwards");
  options.enumeration_list("--measure", parts_, "M,...", profile::kProfileParts,
                           "operations, networks (default: both)");
  options.renamed("--what", "--measure");
  options.list("--operation-types", operation_types_, "T,...", "conv, dense, ... (default: all)");
  options.renamed("--kinds", "--operation-types");
  declare_size(options, size);
  options.positive_quantity("--duration", duration_, "time of each row, at least 100ms (default: 1s)");
  options.renamed("--time", "--duration");
  options.positive_quantity("--warm-up", warm_up_, "warm-up before each row (default: 200ms)");
  options.positive_count("--repeat", repeats_, 1000, "repetitions of each row, in random order (default: 1)");
  options.flag("--replay", replay_, "measure with CUDA graphs in addition");
  options.flag("--overlap", request_.overlap, "settle energy while the next rows run (faster)");
  options.positive_quantity("--time-limit", request_.time_limit,
                            "start no row after this time (default: none)");
  options.renamed("--limit", "--time-limit");
  options.flag("--skip-unsupported", request_.skip_unsupported, "skip unsupported operations");
  options.flag("--wait-idle", request_.wait_idle, "wait while other processes use the GPU");
  options.count("--seed", request_.seed, "seed of order, weights and inputs (default: 1)");
}

profile::ProfileRequest ProfileSettings::request() const {
  profile::ProfileRequest request = request_;
  const auto measures = [&](profile::ProfilePart part) {
    return std::find(parts_.begin(), parts_.end(), part) != parts_.end();
  };
  request.grid.operations = measures(profile::ProfilePart::operations);
  request.grid.networks = measures(profile::ProfilePart::networks);
  request.grid.operation_types = {operation_types_.begin(), operation_types_.end()};
  request.grid.layout = layout_of(layout_);
  if (replay_) request.grid.launches.push_back(profile::Launch::replay);
  if (repeats_) request.grid.repeats = *repeats_;
  if (duration_) request.method.time = *duration_;
  if (warm_up_) request.method.warm_up = *warm_up_;
  return request;
}

}  // namespace ergon::app
