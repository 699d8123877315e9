#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/units_text.h"
#include "device/twin/network_precision.h"
#include "devices/device_options.h"
#include "networks/network_options.h"
#include "predict/predict_commands.h"
#include "predict/tune/targets.h"
#include "predict/tune_text.h"
#include "report/tune_json.h"

namespace ergon::app {
namespace {

struct TuneSettings {
  NetworkSource network;
  std::vector<std::string> devices, models;
  graph::Mode mode = graph::Mode::inference;
  std::optional<device::Precision> precision;
  std::optional<predict::LaunchHost> host;
  std::vector<std::int64_t> batches;
  std::vector<predict::GpuHourPrice> gpu_hours;
  bool default_clock = false;
  predict::TuneRequest request;  // without prices of GPU hours

  void declare(Options& options);
};

// Adds a power limit to the limits besides the default one.
Result<> add_limit(std::string_view text, std::optional<std::vector<Watts>>& limits) {
  if (!limits) limits.emplace();
  if (text == "default") return {};
  if (text == "usual") return fail(Errc::invalid_input, "\"usual\" is now \"default\"");
  const auto limit = parse_quantity<Watts>(text, "--power-limit");
  if (!limit) return limit.error();
  if (!(*limit > Watts{0})) return fail(Errc::invalid_input, "{} is not above 0", text);
  limits->push_back(*limit);
  return {};
}

// "2.50", or "a30=0.80" for one device.
Result<predict::GpuHourPrice> hourly_price(std::string_view text) {
  const auto equals = text.rfind('=');
  const bool named = equals != std::string_view::npos;
  const auto number = parse_double(named ? text.substr(equals + 1) : text);
  if (!number || *number < 0 || equals == 0)
    return fail(Errc::invalid_input, "\"{}\" is not a price or DEVICE=PRICE", printable(text));
  return predict::GpuHourPrice{std::string(named ? text.substr(0, equals) : ""), *number};
}

void TuneSettings::declare(Options& options) {
  declare_network(options, network);
  options.list("--device", devices, "D,...", "device names from `ergon devices`, or device files");
  options.require("--device");
  options.enumeration("--objective", request.objective, "O", predict::all_objectives(),
                      "energy, energy-delay, time or price per sample (default: energy)");
  options.positive_quantity("--max-latency", request.bounds.latency,
                            "max latency per iteration, for example 20ms");
  options.renamed("--latency", "--max-latency");
  options.parsed(
      "--min-throughput", "N", "min throughput in samples/s", [this](std::string_view text) -> Result<> {
        const auto number = parse_double(text);
        if (!number || *number <= 0)
          return fail(Errc::invalid_input, "\"{}\" is not a number of samples/s above 0", printable(text));
        request.bounds.throughput = predict::SamplesPerSecond{*number};
        return {};
      });
  options.renamed("--throughput", "--min-throughput");
  options.positive_quantity("--max-power", request.bounds.power, "max mean power, for example 200W");
  options.renamed("--power", "--max-power");
  options.batch_list("--batch", batches, "batches to try (default: 1,2,4,...,256, or the file's)");
  options.positive_quantity("--min-clock", request.space.min_clock,
                            "lowest core clock to try (default: the device's)");
  options.renamed("--clock-from", "--min-clock");
  options.positive_quantity("--max-clock", request.space.max_clock,
                            "highest core clock to try (default: unlocked)");
  options.renamed("--clock-to", "--max-clock");
  options.flag("--default-clock", default_clock, "do not lock clocks; tune batch and power limit");
  options.renamed("--own-clock", "--default-clock");
  options.parsed_list("--power-limit", "W,...", "power limits to try (default: the board's)",
                      [this](std::string_view text) { return add_limit(text, request.space.limits); });
  options.renamed("--limits", "--power-limit");
  options.list("--model", models, "FILE", "model files from `ergon fit` (default: bundled)");
  options.enumeration("--mode", mode, "M", graph::kModes, "inference or training (default: inference)");
  declare_precision(options, precision);
  declare_host(options, host);
  options.non_negative_number("--price-kwh", request.prices.per_kwh, "price per kilowatt-hour");
  options.parsed_list("--price-gpu-hour", "N", "price per GPU hour, or by device: a30=0.8,h200=3",
                      [this](std::string_view text) -> Result<> {
                        auto price = hourly_price(text);
                        if (!price) return price.error();
                        gpu_hours.push_back(std::move(*price));
                        return {};
                      });
  options.non_negative_number("--carbon", request.prices.carbon_grams_per_kwh,
                              "carbon intensity in grams of CO2 per kilowatt-hour");
}

Result<> print_tuned(const predict::TuneResult& result, const predict::TuneRequest& request,
                     const graph::Network& network, const predict::WorkloadConfig& config,
                     const std::vector<std::string>& inputs, Shell& shell) {
  const auto body = report::tune_json(network.name, config, result, request);
  // Predictions at other clocks follow the twin's clock curve, whatever the source.
  return shell.print_result("ergon.tune/2", inputs, body, true, [&] {
    const std::string what =
        fmt::format("{}, {}, {}", network.name, name_of(config.mode), name_of(config.precision));
    return tune_text(what, result, request, shell.table_style());
  });
}

Result<int> run_tune(const TuneSettings& settings, Shell& shell) {
  predict::TuneRequest request = settings.request;
  request.space.lock_clocks = !settings.default_clock;
  if (const auto fine = predict::check(request, settings.gpu_hours); !fine) {
    shell.error(fine.error().message);
    return kExitUsage;
  }
  const auto loaded = sources::load_predictors(settings.devices, settings.models);
  if (!loaded) return loaded.error();
  const std::vector<predict::Predictor>& predictors = loaded->predictors;
  std::vector<std::string> inputs = settings.network.files();
  inputs.insert(inputs.end(), loaded->files.begin(), loaded->files.end());
  if (request.space.limits) {
    if (auto fine = predict::check_limits(*request.space.limits, predictors); !fine) return fine.error();
  }
  auto prices = predict::prices_by_device(settings.gpu_hours, predictors);
  if (!prices) return prices.error();
  request.prices.per_gpu_hour = std::move(*prices);
  const auto network = settings.network.load_fused();
  if (!network) return network.error();
  const predict::WorkloadConfig config{1, settings.mode,
                                       settings.precision.value_or(device::default_precision(*network)),
                                       settings.host.value_or(predict::default_launch_host(*network))};
  const auto targets = predict::tune_targets_of(
      predictors, *network, config, predict::batches_to_try(*network, settings.batches), shell.notify());
  if (!targets) return targets.error();
  const auto result = predict::tune(*targets, request);
  if (!result) return result.error();
  if (auto printed = print_tuned(*result, request, *network, config, inputs, shell); !printed)
    return printed.error();
  return kExitDone;
}

}  // namespace

Command tune_command() {
  return {
      .name = "tune",
      .summary = "find the clock, batch, power limit and device with the lowest cost",
      .description =
          "Predicts all operating points and compares the best one within the bounds with default "
          "settings (unlocked clock, default power limit). Does not change any device. docs/tune.md has "
          "the details.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<TuneSettings>();
        settings->declare(options);
        return [settings](Shell& shell) { return run_tune(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
