#include <memory>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/units_text.h"
#include "networks/network_source.h"
#include "predict/evaluate_command.h"
#include "predict/predict_commands.h"
#include "predict/predictor_source.h"
#include "report/predict_json.h"
#include "report/text_table.h"

namespace ergon::app {
namespace {

using report::Align;

struct PredictSettings {
  NetworkSource network;
  CostSettings costs;
  PrecisionSetting precision;
  HostSetting host;
  std::string device;
  std::optional<std::string> model;
  std::optional<Hertz> clock;
  std::optional<Watts> limit;
  bool operations = false;
  bool curves = false;
};

template <typename Q>
std::string span_text(const predict::Expected<Q>& expected) {
  return fmt::format("{}  ({} to {})", to_text(expected.value), to_text(expected.low),
                     to_text(expected.high));
}

std::string forecast_clock_text(const predict::Forecast& forecast, const PredictSettings& settings) {
  const auto mhz = fmt::format("{:.0f} MHz", forecast.clock.si() / 1e6);
  if (!forecast.kept) return mhz + "; the power limit is not kept";
  if (forecast.limited) return mhz + " on average, by the power limit";
  return settings.clock ? mhz : mhz + ", its own";
}

std::string basis_text(const predict::Predictor& predictor) {
  if (!predictor.model()) return "the twin alone; nothing measured was learned from";
  const predict::Model& model = *predictor.model();
  std::string text = model.regime == predict::Regime::learned ? "learned from " : "the twin, moved to ";
  std::int64_t operations = 0, networks = 0;
  for (const predict::Source& source : model.sources) {
    operations += source.operations;
    networks += source.networks;
  }
  return text + fmt::format("{} operations and {} networks {}", operations, networks,
                            model.simulated() ? "that were simulated" : "measured on it");
}

std::string forecast_text(const predict::Predictor& predictor, const predict::Outlook& outlook,
                          const std::string& network, const PredictSettings& settings) {
  const predict::Forecast forecast = outlook.at({settings.clock, settings.limit});
  const auto batch = static_cast<double>(outlook.condition().batch);
  const predict::Host host = outlook.condition().host;
  std::string text =
      fmt::format("{} on {}: {}, batch {}, {}{}\n\n", network, predictor.gpu().title, settings.costs.mode,
                  outlook.condition().batch, settings.precision.name,
                  host == predict::Host::python ? "" : fmt::format(", {} host", name_of(host)));
  const auto line = [&](const char* what, const std::string& value) {
    text += fmt::format("  {:<10}{}\n", what, value);
  };
  line("time",
       span_text(forecast.time) + fmt::format(", {:.4g} samples/s", batch / forecast.time.value.si()));
  line("power", span_text(forecast.power));
  line("energy", span_text(forecast.energy));
  line("a sample", span_text(forecast.energy_per_sample));
  line("clock", forecast_clock_text(forecast, settings));
  if (forecast.host_bound)
    line("host", fmt::format("{}; the GPU waits for it", name_of(outlook.condition().host)));
  line("memory", fmt::format("{:.1f} of {:.1f} GiB", outlook.memory().si() / 1073741824.0,
                             predictor.gpu().memory.capacity.si() / 1073741824.0));
  line("regime", fmt::format("{}: {}", name_of(forecast.regime), basis_text(predictor)));
  if (forecast.regime == predict::Regime::learned)
    line("known", fmt::format("{:.0f} % of the time is in operations that were measured themselves",
                              100 * outlook.known_share()));
  for (const std::string& warning : outlook.warnings()) line("beware", warning);
  return text;
}

std::string operations_text(const predict::Outlook& outlook, const PredictSettings& settings, const report::TableStyle& style) {
  const auto all = outlook.operations({settings.clock, settings.limit});
  const std::size_t shown = settings.operations ? all.size() : std::min<std::size_t>(all.size(), 6);
  Joules sum;
  for (const auto& each : all) sum += each.energy;
  report::TextTable table({{"operation"},
                           {"count", Align::right},
                           {"time", Align::right},
                           {"energy", Align::right},
                           {"of all", Align::right},
                           {"what"}});
  constexpr std::size_t kWidth = 34;
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& each = all[i];
    std::string what = each.description;
    if (!settings.operations && what.size() > kWidth) what = what.substr(0, kWidth - 3) + "...";
    table.row({each.kind, fmt::format("{:.0f}", each.count), to_text(each.time), to_text(each.energy),
               fmt::format("{:.1f} %", 100 * (each.energy / sum).si()), what});
  }
  std::string text = "\n" + table.text(style);
  if (shown < all.size()) text += fmt::format("... and {} more: --operations\n", all.size() - shown);
  return text;
}

// The network over the clock, at the batch and precision that were asked for and at others beside them; those
// that the device has no memory or no units for are left out.
nlohmann::ordered_json curves_json(const predict::Predictor& predictor, const graph::Network& network,
                                   const predict::Condition& asked, const PredictSettings& settings) {
  std::set<std::int64_t> batches{asked.batch};
  if (!network.batch_is_fixed) batches.insert({1, 2, 4, 8, 16, 32, 64, 128, 256});
  nlohmann::ordered_json curves = nlohmann::ordered_json::array();
  for (const char* precision : {"fp32", "tf32", "bf16", "fp16"}) {
    PrecisionSetting other = settings.precision;
    other.name = precision;
    for (const std::int64_t batch : batches) {
      const predict::Condition condition{batch, asked.mode, other.wanted(), asked.host};
      const auto outlook = predictor.prepare(network, condition);
      if (!outlook) continue;
      nlohmann::ordered_json curve{{"batch", batch},
                                   {"precision", precision},
                                   {"usual", batch == asked.batch && precision == settings.precision.name}};
      curve.update(report::forecast_curve_json(*outlook, predictor.gpu(), settings.limit));
      curves.push_back(std::move(curve));
    }
  }
  return curves;
}

Result<int> run_predict(Shell& shell, const PredictSettings& settings) {
  const auto predictor = predictor_for(settings.device, settings.model);
  if (!predictor) return predictor.error();
  const device::Setting setting{settings.clock, settings.limit};
  if (const auto fine = device::check(setting, predictor->gpu()); !fine) return fine.error();
  const auto network = settings.network.load_to_run();
  if (!network) return network.error();
  const predict::Condition condition{settings.costs.batch_for(*network), settings.costs.cost_mode(),
                                     settings.precision.wanted(), settings.host.for_network(*network)};
  const auto outlook = predictor->prepare(*network, condition);
  if (!outlook) return outlook.error();
  for (const std::string& warning : outlook->warnings()) {
    if (shell.json) shell.note("beware: " + warning);
  }
  // Over the clock every answer has the twin's shape.
  const bool curves = settings.curves || shell.drawn();
  const bool simulated =
      !predictor->model() || predictor->model()->simulated() || settings.clock || settings.limit || curves;
  if (shell.json) {
    nlohmann::ordered_json body{{"network", network->name},
                                {"device", predictor->gpu().name},
                                {"batch", condition.batch},
                                {"mode", settings.costs.mode},
                                {"precision", settings.precision.name},
                                {"host", name_of(condition.host)}};
    body.update(report::forecast_json(*outlook, setting));
    if (curves) body["curves"] = curves_json(*predictor, *network, condition, settings);
    auto inputs = settings.network.files();
    if (settings.model) inputs.push_back(*settings.model);
    if (auto printed = shell.print_document("ergon.predict/1", inputs, body, simulated); !printed)
      return printed.error();
    return kExitDone;
  }
  const std::string text = forecast_text(*predictor, *outlook, network->name, settings) +
                           operations_text(*outlook, settings, shell.table_style());
  if (auto printed = shell.print(text); !printed) return printed.error();
  return kExitDone;
}

Action declare_predict(Options& options) {
  auto settings = std::make_shared<PredictSettings>();
  settings->network.declare(options, false);
  options.text("--device", settings->device, "D", "a name from `ergon devices`");
  settings->costs.declare(options);
  settings->precision.declare(options);
  settings->host.declare(options);
  options.positive_quantity("--clock", settings->clock, "core clock (the GPU's own)");
  options.positive_quantity("--limit", settings->limit, "power limit (the usual one)");
  options.text("--model", settings->model, "FILE", "of `ergon fit`, instead of the one that comes along");
  options.flag("--operations", settings->operations, "list all operations, not the costliest");
  options.flag("--curves", settings->curves,
               "with --json: over the clock too, at several batches and precisions");
  return [settings](Shell& shell) -> Result<int> {
    // Not required by the parser, which would want them from the subcommand too.
    if (settings->network.where.empty() || settings->device.empty()) {
      shell.error("NET and --device are required; see ergon predict --help");
      return kExitUsage;
    }
    return run_predict(shell, *settings);
  };
}

}  // namespace

Command predict_command() {
  return {
      .name = "predict",
      .summary = "time, power and energy of a network that was never run there",
      .description =
          "Every number comes with an interval that holds nine times out of ten, and with its regime: "
          "learned from measured rows of that device, calibrated by a few, or the twin alone.",
      .declare = declare_predict,
      .children = {predict_evaluate_command()},
  };
}

}  // namespace ergon::app
