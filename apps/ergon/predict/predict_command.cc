#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/number_text.h"
#include "base/si_prefixes.h"
#include "base/units_text.h"
#include "device/twin/network_precision.h"
#include "devices/device_options.h"
#include "networks/network_options.h"
#include "predict/alternatives.h"
#include "predict/evaluate_command.h"
#include "predict/predict_commands.h"
#include "report/predict_json.h"
#include "report/text_table.h"

namespace ergon::app {
namespace {

using report::Align;

struct PredictSettings {
  NetworkSource network;
  CostSettings costs;
  DeviceSource device;
  std::optional<device::Precision> precision;
  std::optional<predict::LaunchHost> host;
  std::optional<Hertz> clock;
  std::optional<Watts> limit;
  bool operations = false;
  bool curves = false;
};

std::string predicted_clock_text(const predict::Prediction& prediction, const PredictSettings& settings) {
  const auto mhz = fmt::format("{:.0f} MHz", prediction.clock.si() / 1e6);
  if (!prediction.limit_held) return mhz + "; exceeds the power limit";
  if (prediction.limited) return mhz + " on average (power limit)";
  return settings.clock ? mhz : mhz + " (default)";
}

std::string source_text(const predict::Predictor& predictor) {
  if (!predictor.model()) return "twin; not fitted to measurements";
  const predict::Model& model = *predictor.model();
  return fmt::format("{} from {} operations and {} networks, {}", name_of(model.source),
                     model.operation_rows(), model.network_rows(),
                     model.simulated() ? "simulated" : "measured on this device");
}

std::string values_text(const predict::Prediction& prediction, const report::TableStyle& style) {
  report::TextTable table({{"quantity"}, {"predicted", Align::right}, {"90 % interval", Align::right}});
  const auto row = [&](const char* quantity, const auto& value) {
    table.row(
        {quantity, to_text(value.value), fmt::format("{} to {}", to_text(value.low), to_text(value.high))});
  };
  row("time", prediction.time);
  row("power", prediction.power);
  row("energy", prediction.energy);
  row("energy/sample", prediction.energy_per_sample);
  return table.text(style);
}

std::string prediction_text(const predict::Predictor& predictor, const predict::PreparedNetwork& prepared,
                            const std::string& network, const PredictSettings& settings,
                            const report::TableStyle& style) {
  const predict::Prediction prediction = prepared.predict({settings.clock, settings.limit});
  const predict::WorkloadConfig& config = prepared.config();
  std::string text = fmt::format("{} on {}: {}, batch {}, {}\n\n", network, predictor.gpu().title,
                                 name_of(config.mode), config.batch, name_of(config.precision)) +
                     values_text(prediction, style) + "\n";
  const auto line = [&](const char* what, const std::string& value) {
    text += fmt::format("{:<21}{}\n", what, value);
  };
  line("throughput",
       grouped_text(static_cast<double>(config.batch) / prediction.time.value.si()) + " samples/s");
  line("clock", predicted_clock_text(prediction, settings));
  line("launch host", fmt::format("{}{}", name_of(config.host), prediction.host_bound ? "; host-bound" : ""));
  line("memory", fmt::format("{:.1f} of {:.1f} GiB", prepared.memory().si() / kGibi,
                             predictor.gpu().memory.capacity.si() / kGibi));
  line("source", source_text(predictor));
  if (prediction.source == predict::PredictionSource::learned)
    line("measured operations", fmt::format("{:.0f} % of the time", 100 * prepared.measured_share()));
  for (const std::string& warning : prepared.warnings()) line("warning", warning);
  return text;
}

std::string operations_text(const predict::PreparedNetwork& prepared, const PredictSettings& settings,
                            const report::TableStyle& style) {
  const auto all = prepared.operations({settings.clock, settings.limit});
  const std::size_t shown = settings.operations ? all.size() : std::min<std::size_t>(all.size(), 6);
  Joules sum;
  for (const auto& each : all) sum += each.energy;
  report::TextTable table({{"operation"},
                           {"count", Align::right},
                           {"time", Align::right},
                           {"energy", Align::right},
                           {"share", Align::right},
                           {"attributes and shapes", Align::left, 1}});
  constexpr std::size_t kWidth = 34;
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& each = all[i];
    std::string description = each.description;
    if (!settings.operations && description.size() > kWidth)
      description = description.substr(0, kWidth - 3) + "...";
    table.row({each.kind, fmt::format("{:.0f}", each.count), to_text(each.time), to_text(each.energy),
               fmt::format("{:.1f} %", 100 * (each.energy / sum).si()), description});
  }
  std::string text = "\n" + table.text(style);
  if (shown < all.size()) text += fmt::format("{} more operations: use --operations\n", all.size() - shown);
  return text;
}

Result<int> run_predict(Shell& shell, const PredictSettings& settings) {
  const auto predictor = settings.device.predictor();
  if (!predictor) return predictor.error();
  const device::ClockAndLimit setting{settings.clock, settings.limit};
  if (const auto fine = device::check(setting, predictor->gpu()); !fine) return fine.error();
  const auto network = settings.network.load_fused();
  if (!network) return network.error();
  const predict::WorkloadConfig config{settings.costs.batch_for(*network), settings.costs.mode,
                                       settings.precision.value_or(device::default_precision(*network)),
                                       settings.host.value_or(predict::default_launch_host(*network))};
  const auto prepared = predictor->prepare(*network, config);
  if (!prepared) return prepared.error();
  if (auto fine = prepared->check(setting); !fine) return fine.error();
  if (shell.json) note_warnings(prepared->warnings(), shell);
  // Predictions at other clocks follow the twin's clock curve.
  const bool curves = settings.curves || shell.html_requested();
  const bool simulated = curves || predictor->simulated(setting);
  if (shell.json) {
    std::vector<predict::PreparedNetwork> alternatives;
    if (curves) alternatives = predict::alternatives_of(*predictor, *network, config);
    const auto body = report::predict_json(network->name, *predictor, *prepared, setting, alternatives);
    auto inputs = settings.network.files();
    for (std::string& file : settings.device.files()) inputs.push_back(std::move(file));
    if (auto printed = shell.print_document("ergon.predict/2", inputs, body, simulated); !printed)
      return printed.error();
    return kExitDone;
  }
  const std::string text =
      prediction_text(*predictor, *prepared, network->name, settings, shell.table_style()) +
      operations_text(*prepared, settings, shell.table_style());
  if (auto printed = shell.print_report(text); !printed) return printed.error();
  return kExitDone;
}

Action declare_predict(Options& options) {
  auto settings = std::make_shared<PredictSettings>();
  declare_network(options, settings->network, false);
  options.text("--device", settings->device.name, "D", "device name from `ergon devices`, or a device file");
  settings->costs.declare(options);
  declare_precision(options, settings->precision);
  declare_host(options, settings->host);
  options.positive_quantity("--clock", settings->clock,
                            "core clock, for example 1200MHz (default: unlocked)");
  options.positive_quantity("--power-limit", settings->limit, "power limit (default: the board's)");
  options.renamed("--limit", "--power-limit");
  options.text("--model", settings->device.model, "FILE", "model file from `ergon fit` (default: bundled)");
  options.flag("--operations", settings->operations, "list all operations (default: the 6 costliest)");
  options.flag("--curves", settings->curves, "with --json: add curves over the clock");
  return [settings](Shell& shell) -> Result<int> {
    // Not required by the parser: `ergon predict evaluate` does not take them.
    if (settings->network.where.empty() || settings->device.name.empty()) {
      shell.error("NET and --device are required; see `ergon predict --help`");
      return kExitUsage;
    }
    return run_predict(shell, *settings);
  };
}

}  // namespace

Command predict_command() {
  return {
      .name = "predict",
      .summary = "predict time, power and energy of a network on a device",
      .description =
          "The network is not run. Every value has a 90 % interval. The source is a model learned from "
          "measurements of the device, a twin calibrated with a few measurements, or the twin alone.",
      .declare = declare_predict,
      .children = {predict_evaluate_command()},
  };
}

}  // namespace ergon::app
