#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/units_text.h"
#include "device/twin/catalogue.h"
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

// Tables of whole networks are those that give an energy.
bool is_of_networks(const device::Specification& gpu, const std::string& table) {
  return std::any_of(gpu.residuals.begin(), gpu.residuals.end(), [&](const device::Residual& each) {
    return each.table == table && each.quantity == "energy";
  });
}

// How far the twin was off on networks that it was not fitted to.
std::string agreement_text(const device::Specification& gpu) {
  std::string text;
  for (const char* quantity : {"time", "power", "energy"}) {
    double sum = 0, rows = 0;
    for (const device::Residual& each : gpu.residuals) {
      if (each.quantity != quantity || !is_of_networks(gpu, each.table)) continue;
      sum += each.mape_held_back * static_cast<double>(each.rows_held_back);
      rows += static_cast<double>(each.rows_held_back);
    }
    if (rows > 0) text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", quantity, 100 * sum / rows);
  }
  if (!text.empty()) return "mean error on networks not fitted: " + text;
  if (gpu.residuals.empty()) return "nothing was measured on this GPU; it borrows from its relatives";
  return "its power was fitted, its networks' time was not measured: it borrows that";
}

std::string clock_text(const device::Estimate& estimate, const EstimateSettings& settings,
                       const device::Specification& gpu) {
  const auto mhz = [](Hertz clock) { return fmt::format("{:.0f} MHz", clock.si() / 1e6); };
  const device::SteadyState& state = estimate.state;
  if (!state.kept) return fmt::format("{}; the power limit is not kept", mhz(state.clock));
  if (!state.limited) return mhz(state.clock);
  return fmt::format("{} on average; the power limit keeps it below {}", mhz(state.clock),
                     mhz(settings.clock.value_or(gpu.core.most)));
}

std::string bound_text(const device::Estimate& estimate) {
  const device::Activity& activity = estimate.state.activity;
  const auto share = [&](Seconds part) { return 100 * (part / activity.time).si(); };
  return fmt::format("{} (GPU busy {:.0f} % of the time; arithmetic {:.0f} %, memory {:.0f} %)",
                     name_of(estimate.bound), share(activity.gpu), share(activity.cores),
                     share(activity.memory));
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
  line("time", fmt::format("{} an iteration, {:.4g} samples/s", to_text(Seconds{state.activity.time.si()}),
                           batch / state.activity.time.si()));
  line("power", fmt::format("{:.1f} W", state.power.si()));
  line("energy", fmt::format("{:.4g} J an iteration, {:.4g} J a sample", estimate.energy.si(),
                             estimate.energy.si() / batch));
  line("clock", clock_text(estimate, settings, gpu));
  line("temperature", fmt::format("{:.0f} degC", state.temperature.degrees()));
  line("bound", bound_text(estimate));
  line("memory", fmt::format("{:.1f} of {:.1f} GiB", estimate.memory.si() / 1073741824.0,
                             gpu.memory.capacity.si() / 1073741824.0));
  line("how good", agreement_text(gpu));
  return text;
}

std::string operations_text(const device::Workload& workload, const device::Estimate& estimate, const report::TableStyle& style) {
  std::vector<const device::OperationEstimate*> order;
  for (const device::OperationEstimate& each : estimate.operations) order.push_back(&each);
  std::sort(order.begin(), order.end(),
            [](const auto* a, const auto* b) { return a->activity.time > b->activity.time; });
  report::TextTable table({{"operation"},
                           {"input"},
                           {"detail"},
                           {"count", Align::right},
                           {"time", Align::right},
                           {"of all", Align::right},
                           {"energy", Align::right},
                           {"bound"}});
  for (const auto* each : order) {
    const device::Operation& operation = workload.operations[each->operation];
    table.row({operation.kind, fmt::format("{}", fmt::join(operation.input, "x")), operation.detail,
               std::to_string(operation.count), fmt::format("{:.1f} us", each->activity.time.si() * 1e6),
               fmt::format("{:.1f} %", 100 * (each->activity.time / estimate.state.activity.time).si()),
               fmt::format("{:.4g} mJ", each->energy.si() * 1e3), std::string(name_of(each->bound))});
  }
  return "\n" + table.text(style);
}

bool has_units(const device::Specification& gpu, device::Precision precision) {
  return gpu.peak_tflops.contains(precision);
}

Result<int> run_estimate(const EstimateSettings& settings, Shell& shell) {
  const auto gpu = device::find_device(settings.device);
  if (!gpu) return gpu.error();
  const auto network = settings.network.load_to_run();
  if (!network) return network.error();
  const auto workload = device::workload_of(*network, settings.costs.batch_for(*network),
                                            settings.costs.cost_mode(), settings.wanted_precision());
  if (!workload) return workload.error();
  const device::Setting setting{settings.clock, settings.limit};
  const auto estimate = device::estimate(*workload, *gpu, setting);
  if (!estimate) return estimate.error();
  auto files = settings.network.files();
  if (lower(settings.device).ends_with(".json")) files.push_back(settings.device);
  if (shell.json) {
    const auto printed = shell.print_document(
        "ergon.estimate/1", files, report::estimate_json(*workload, *gpu, setting, *estimate), true);
    if (!printed) return printed.error();
    return kExitDone;
  }
  if (!has_units(*gpu, settings.wanted_precision())) {
    shell.note(fmt::format("{} has no units for {}: it multiplies in fp32{}", gpu->name, settings.precision,
                           device::bytes_of(settings.wanted_precision()) == 2 ? " and stores 16 bits" : ""));
  }
  std::string text = estimate_text(*workload, *gpu, *estimate, settings);
  if (settings.operations) text += operations_text(*workload, *estimate, shell.table_style());
  const auto printed = shell.print(text);
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace

Command estimate_command() {
  return {
      .name = "estimate",
      .summary = "what a network costs on a GPU that is not there",
      .description =
          "A twin's steady state: time, power, energy, temperature and the clock that the power limit "
          "leaves. Nothing runs and nothing is learned: it is physics (docs/twins.md).",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<EstimateSettings>();
        settings->network.declare(options);
        options.text("--device", settings->device, "NAME",
                     fmt::format("{}, or a .json file", fmt::join(device::device_names(), ", ")));
        options.require("--device");
        settings->costs.declare(options);
        options.positive_quantity("--clock", settings->clock, "core clock (default: the highest)");
        options.positive_quantity("--power-limit", settings->limit, "default: the GPU's own");
        options.choice("--precision", settings->precision, {"tf32", "fp32", "bf16", "fp16"},
                       "default tf32: convolutions in TF32, the rest in fp32, as PyTorch does");
        options.flag("--operations", settings->operations,
                     "one row per distinct operation, the longest first");
        return [settings](Shell& shell) { return run_estimate(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
