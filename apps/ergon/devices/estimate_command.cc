#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/number_text.h"
#include "base/si_prefixes.h"
#include "base/units_text.h"
#include "device/twin/catalog.h"
#include "device/twin/estimate.h"
#include "device/twin/estimate_notes.h"
#include "device/twin/network_precision.h"
#include "devices/device_commands.h"
#include "devices/device_options.h"
#include "networks/network_options.h"
#include "predict/estimate/launch_host.h"
#include "report/device_json.h"
#include "report/text_table.h"

namespace ergon::app {
namespace {

using report::Align;

// The launch host whose overhead twins have (docs/predict.md, "Launch hosts").
constexpr predict::LaunchHost kTwinHost = predict::LaunchHost::python;

// `ergon predict` models other launch hosts, so that its times differ.
std::optional<std::string> host_warning(const graph::Network& network) {
  const predict::LaunchHost host = predict::default_launch_host(network);
  if (host == kTwinHost) return std::nullopt;
  return fmt::format("launch host {} is not modeled; computed as {}", name_of(host), name_of(kTwinHost));
}

struct EstimateSettings {
  NetworkSource network;
  CostSettings costs;
  DeviceSource device;
  std::optional<device::Precision> precision;
  std::optional<Hertz> clock;
  std::optional<Watts> limit;
  bool operations = false;
};

// Mean error of the twin on held-out networks.
std::string accuracy_text(const device::Specification& gpu) {
  std::string text;
  for (const auto& [quantity, mape] : device::network_errors(gpu))
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", quantity, 100 * mape);
  if (!text.empty()) return "held-out mean error: " + text;
  if (gpu.changed_after_calibration) return "unknown; the device file was changed after its calibration";
  if (gpu.residuals.empty()) return "not measured; parameters are taken from related GPUs";
  return "power was fitted; time parameters are taken from related GPUs";
}

std::string clock_text(const device::Estimate& estimate, const EstimateSettings& settings,
                       const device::Specification& gpu) {
  const auto mhz = [](Hertz clock) { return fmt::format("{:.0f} MHz", clock.si() / 1e6); };
  const device::SteadyState& state = estimate.state;
  if (!state.limits_held) return fmt::format("{} (lowest); power exceeds the limit", mhz(state.clock));
  if (!state.limited) return mhz(state.clock);
  return fmt::format("{} mean; limited by power, requested {}", mhz(state.clock),
                     mhz(settings.clock.value_or(gpu.core.max)));
}

std::string bound_text(const device::Estimate& estimate) {
  const device::Activity& activity = estimate.state.activity;
  const auto share = [&](Seconds part) { return 100 * (part / activity.time).si(); };
  return fmt::format("{} (GPU busy {:.0f} %: arithmetic {:.0f} %, memory {:.0f} %)", name_of(estimate.bound),
                     share(activity.gpu), share(activity.cores), share(activity.memory));
}

std::string estimate_text(const device::Workload& workload, const device::Specification& gpu,
                          const device::Estimate& estimate, const EstimateSettings& settings,
                          const std::vector<std::string>& warnings) {
  const auto batch = static_cast<double>(workload.batch);
  const auto& state = estimate.state;
  std::string text = fmt::format("{} on {} (simulated): {}, batch {}, {}\n\n", workload.network, gpu.title,
                                 name_of(workload.mode), workload.batch, name_of(workload.precision));
  const auto line = [&](const char* what, const std::string& value) {
    text += fmt::format("  {:<13}{}\n", what, value);
  };
  const Seconds launch_overhead =
      workload.mode == graph::Mode::training ? gpu.host.training : gpu.host.inference;
  line("time", fmt::format("{} per iteration, {} samples/s", to_text(Seconds{state.activity.time.si()}),
                           grouped_text(batch / state.activity.time.si())));
  line("power", fmt::format("{:.1f} W", state.power.si()));
  line("energy", fmt::format("{} J per iteration, {} J per sample", grouped_text(estimate.energy.si()),
                             grouped_text(estimate.energy.si() / batch)));
  line("clock", clock_text(estimate, settings, gpu));
  line("temperature", fmt::format("{:.0f} degC", state.temperature.degrees()));
  line("bound", bound_text(estimate));
  line("memory",
       fmt::format("{:.1f} of {:.1f} GiB", estimate.memory.si() / kGibi, gpu.memory.capacity.si() / kGibi));
  line("launch host", fmt::format("{}; {} for each operation", name_of(kTwinHost), to_text(launch_overhead)));
  line("accuracy", accuracy_text(gpu));
  for (const std::string& warning : warnings) line("warning", warning);
  return text;
}

std::string operations_text(const device::Workload& workload, const device::Estimate& estimate,
                            const report::TableStyle& style) {
  std::vector<const device::OperationEstimate*> order;
  for (const device::OperationEstimate& each : estimate.operations) order.push_back(&each);
  std::sort(order.begin(), order.end(),
            [](const auto* a, const auto* b) { return a->activity.time > b->activity.time; });
  report::TextTable table({{"operation"},
                           {"input", Align::left, 2},
                           {"detail", Align::left, 1},
                           {"count", Align::right, 4},
                           {"time (us)", Align::right},
                           {"share", Align::right},
                           {"energy (mJ)", Align::right},
                           {"bound", Align::left, 3}});
  for (const auto* each : order) {
    const device::Operation& operation = workload.operations[each->operation];
    table.row({operation.kind, fmt::format("{}", fmt::join(operation.input, "x")), operation.detail,
               std::to_string(operation.count), fmt::format("{:.1f}", each->activity.time.si() * 1e6),
               fmt::format("{:.1f} %", 100 * (each->activity.time / estimate.state.activity.time).si()),
               grouped_text(each->energy.si() * 1e3), std::string(name_of(each->bound))});
  }
  return "\n" + table.text(style);
}

Result<int> run_estimate(const EstimateSettings& settings, Shell& shell) {
  const auto gpu = settings.device.twin();
  if (!gpu) return gpu.error();
  const auto network = settings.network.load_fused();
  if (!network) return network.error();
  const device::Precision precision = settings.precision.value_or(device::default_precision(*network));
  const auto workload =
      device::workload_of(*network, settings.costs.batch_for(*network), settings.costs.mode, precision);
  if (!workload) return workload.error();
  auto warnings = device::precision_warnings(*network, precision, *gpu);
  if (auto warning = host_warning(*network)) warnings.push_back(std::move(*warning));
  if (shell.json) note_warnings(warnings, shell);
  const device::ClockAndLimit setting{settings.clock, settings.limit};
  const auto estimate = device::estimate(*workload, *gpu, setting);
  if (!estimate) return estimate.error();
  auto files = settings.network.files();
  for (std::string& file : settings.device.files()) files.push_back(std::move(file));
  auto body = report::estimate_json(*workload, *gpu, setting, *estimate);
  body["host"] = name_of(kTwinHost);
  body["warnings"] = warnings;
  const auto printed = shell.print_result("ergon.estimate/2", files, body, true, [&] {
    std::string text = estimate_text(*workload, *gpu, *estimate, settings, warnings);
    if (settings.operations) text += operations_text(*workload, *estimate, shell.table_style());
    return text;
  });
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace

Command estimate_command() {
  return {
      .name = "estimate",
      .summary = "estimate time, power and energy of a network on a twin",
      .description =
          "Computes the steady state of a simulated GPU: time, power, energy, temperature and the clock "
          "under the power limit. A physical model; nothing is run (docs/twins.md).",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<EstimateSettings>();
        declare_network(options, settings->network);
        options.text("--device", settings->device.name, "NAME",
                     fmt::format("twin: {}, or a .json file", fmt::join(device::device_names(), ", ")));
        options.require("--device");
        settings->costs.declare(options);
        options.positive_quantity("--clock", settings->clock,
                                  "core clock, for example 1200MHz (default: unlocked)");
        options.positive_quantity("--power-limit", settings->limit,
                                  "power limit, for example 300W (default: the board's)");
        declare_precision(options, settings->precision);
        options.flag("--operations", settings->operations,
                     "also list the distinct operations, longest first");
        return [settings](Shell& shell) { return run_estimate(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
