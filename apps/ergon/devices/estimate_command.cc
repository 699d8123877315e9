#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/units_text.h"
#include "device/twin/catalog.h"
#include "device/twin/estimate.h"
#include "devices/device_commands.h"
#include "networks/network_source.h"
#include "report/device_json.h"
#include "report/text_table.h"

namespace ergon::app {
namespace {

using report::Align;

struct EstimateSettings {
  NetworkSource network;
  CostSettings costs;
  std::string device;
  std::string precision = "tf32";
  std::optional<Hertz> clock;
  std::optional<Watts> limit;
  bool operations = false;

  device::Precision wanted_precision() const {
    return device::precision_named(precision).value_or(device::Precision::tf32);
  }
};

// Only tables of whole networks have energies.
bool is_network_table(const device::Specification& gpu, const std::string& table) {
  return std::any_of(gpu.residuals.begin(), gpu.residuals.end(), [&](const device::TableResidual& each) {
    return each.table == table && each.quantity == "energy";
  });
}

// Mean error of the twin on held-out networks.
std::string accuracy_text(const device::Specification& gpu) {
  std::string text;
  for (const char* quantity : {"time", "power", "energy"}) {
    double sum = 0, rows = 0;
    for (const device::TableResidual& each : gpu.residuals) {
      if (each.quantity != quantity || !is_network_table(gpu, each.table)) continue;
      sum += each.mape_held_out * static_cast<double>(each.rows_held_out);
      rows += static_cast<double>(each.rows_held_out);
    }
    if (rows > 0) text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", quantity, 100 * sum / rows);
  }
  if (!text.empty()) return "held-out mean error: " + text;
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
                          const device::Estimate& estimate, const EstimateSettings& settings) {
  const auto batch = static_cast<double>(workload.batch);
  const auto& state = estimate.state;
  std::string text = fmt::format("{} on {} (simulated): {}, batch {}, {}\n\n", workload.network, gpu.title,
                                 settings.costs.mode, workload.batch, name_of(workload.precision));
  const auto line = [&](const char* what, const std::string& value) {
    text += fmt::format("  {:<13}{}\n", what, value);
  };
  line("time", fmt::format("{} per iteration, {:.4g} samples/s", to_text(Seconds{state.activity.time.si()}),
                           batch / state.activity.time.si()));
  line("power", fmt::format("{:.1f} W", state.power.si()));
  line("energy", fmt::format("{:.4g} J per iteration, {:.4g} J per sample", estimate.energy.si(),
                             estimate.energy.si() / batch));
  line("clock", clock_text(estimate, settings, gpu));
  line("temperature", fmt::format("{:.0f} degC", state.temperature.degrees()));
  line("bound", bound_text(estimate));
  line("memory", fmt::format("{:.1f} of {:.1f} GiB", estimate.memory.si() / 1073741824.0,
                             gpu.memory.capacity.si() / 1073741824.0));
  line("accuracy", accuracy_text(gpu));
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
               fmt::format("{:.4g}", each->energy.si() * 1e3), std::string(name_of(each->bound))});
  }
  return "\n" + table.text(style);
}

bool has_peak(const device::Specification& gpu, device::Precision precision) {
  return gpu.peak_tflops.contains(precision);
}

Result<int> run_estimate(const EstimateSettings& settings, Shell& shell) {
  const auto gpu = device::find_device(settings.device);
  if (!gpu) return gpu.error();
  const auto network = settings.network.load_fused();
  if (!network) return network.error();
  const auto workload = device::workload_of(*network, settings.costs.batch_for(*network),
                                            settings.costs.cost_mode(), settings.wanted_precision());
  if (!workload) return workload.error();
  const device::ClockAndLimit setting{settings.clock, settings.limit};
  const auto estimate = device::estimate(*workload, *gpu, setting);
  if (!estimate) return estimate.error();
  auto files = settings.network.files();
  if (lower(settings.device).ends_with(".json")) files.push_back(settings.device);
  if (shell.json) {
    const auto printed = shell.print_document(
        "ergon.estimate/2", files, report::estimate_json(*workload, *gpu, setting, *estimate), true);
    if (!printed) return printed.error();
    return kExitDone;
  }
  if (!has_peak(*gpu, settings.wanted_precision())) {
    shell.note(fmt::format("{} does not support {}: the arithmetic is fp32{}", gpu->name, settings.precision,
                           device::bytes_of(settings.wanted_precision()) == 2 ? ", storage is 16 bits" : ""));
  }
  std::string text = estimate_text(*workload, *gpu, *estimate, settings);
  if (settings.operations) text += operations_text(*workload, *estimate, shell.table_style());
  const auto printed = shell.print_report(text);
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
        settings->network.declare(options);
        options.text("--device", settings->device, "NAME",
                     fmt::format("twin: {}, or a .json file", fmt::join(device::device_names(), ", ")));
        options.require("--device");
        settings->costs.declare(options);
        options.positive_quantity("--clock", settings->clock,
                                  "core clock, for example 1200MHz (default: unlocked)");
        options.positive_quantity("--power-limit", settings->limit,
                                  "power limit, for example 300W (default: the board's)");
        options.choice("--precision", settings->precision, {"tf32", "fp32", "bf16", "fp16"},
                       "precision (default: tf32 = PyTorch's: TF32 convolutions, fp32 otherwise)");
        options.flag("--operations", settings->operations,
                     "also list the distinct operations, longest first");
        return [settings](Shell& shell) { return run_estimate(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
