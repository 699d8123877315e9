#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/units_text.h"
#include "device/twin/catalog.h"
#include "networks/network_source.h"
#include "predict/model/model_file.h"
#include "predict/predict_commands.h"
#include "predict/predictor_source.h"
#include "predict/tune/tune.h"
#include "predict/tune_text.h"
#include "report/tune_json.h"

namespace ergon::app {
namespace {

const std::vector<std::int64_t> kDefaultBatches{1, 2, 4, 8, 16, 32, 64, 128, 256};

struct TuneSettings {
  NetworkSource network;
  PrecisionSetting precision;
  HostSetting host;
  std::string mode = "inference";
  std::vector<std::string> devices, batches, limits, models, gpu_hours;
  std::string objective = "energy";
  bool default_clock = false;
  predict::TuneRequest request;  // without limits, prices per device and objective

  void declare(Options& options);
  graph::Mode graph_mode() const {
    return lower(mode) == "training" ? graph::Mode::training : graph::Mode::inference;
  }
};

Result<> check_batch(std::string_view text) {
  const auto number = parse_int64(text);
  constexpr std::int64_t kMax = std::int64_t{1} << 31;
  if (number && *number >= 1 && *number <= kMax) return {};
  return fail(Errc::invalid_input, "--batch: \"{1}\" is not a whole number from 1 to {0}", kMax,
              printable(text));
}

Result<> check_limit(std::string_view text) {
  if (text == "default") return {};
  if (text == "usual") return fail(Errc::invalid_input, "--power-limit: \"usual\" is now \"default\"");
  const auto limit = parse_quantity<Watts>(text, "--power-limit");
  if (!limit) return limit.error();
  if (*limit > Watts{0}) return {};
  return fail(Errc::invalid_input, "--power-limit: {} is not above 0", text);
}

// "2.50", or "a30=0.80" for one device: device (may be empty) and price.
Result<std::pair<std::string, double>> hourly_price(std::string_view text) {
  const auto equals = text.rfind('=');
  const bool named = equals != std::string_view::npos;
  const auto number = parse_double(named ? text.substr(equals + 1) : text);
  if (!number || *number < 0 || equals == 0) {
    return fail(Errc::invalid_input, "--price-gpu-hour: \"{}\" is not a price or DEVICE=PRICE",
                printable(text));
  }
  return std::pair{std::string(named ? text.substr(0, equals) : ""), *number};
}

void TuneSettings::declare(Options& options) {
  network.declare(options);
  options.list("--device", devices, "D,...", "device names from `ergon devices`, or device files");
  options.require("--device");
  options.choice("--objective", objective, "O", {"energy", "energy-delay", "time", "price"},
                 "energy, energy-delay, time or price per sample (default: energy)");
  options.positive_quantity("--max-latency", request.bounds.latency,
                            "max latency per iteration, for example 20ms");
  options.renamed("--latency", "--max-latency");
  options.parsed(
      "--min-throughput", "N", "min throughput in samples/s", [this](std::string_view text) -> Result<> {
        const auto number = parse_double(text);
        if (!number || *number <= 0)
          return fail(Errc::invalid_input, "--min-throughput: \"{}\" is not a number of samples/s above 0",
                      printable(text));
        request.bounds.throughput = predict::SamplesPerSecond{*number};
        return {};
      });
  options.renamed("--throughput", "--min-throughput");
  options.positive_quantity("--max-power", request.bounds.power, "max mean power, for example 200W");
  options.renamed("--power", "--max-power");
  options.list("--batch", batches, "N,...", "batches to try (default: 1,2,4,...,256, or the file's)",
               check_batch);
  options.positive_quantity("--min-clock", request.space.min_clock,
                            "lowest core clock to try (default: the device's)");
  options.renamed("--clock-from", "--min-clock");
  options.positive_quantity("--max-clock", request.space.max_clock,
                            "highest core clock to try (default: unlocked)");
  options.renamed("--clock-to", "--max-clock");
  options.flag("--default-clock", default_clock, "do not lock clocks; tune batch and power limit");
  options.renamed("--own-clock", "--default-clock");
  options.list("--power-limit", limits, "W,...", "power limits to try (default: the board's)", check_limit);
  options.renamed("--limits", "--power-limit");
  options.list("--model", models, "FILE", "model files from `ergon fit` (default: bundled)");
  options.choice("--mode", mode, "M", {"inference", "training"},
                 "inference or training (default: inference)");
  precision.declare(options);
  host.declare(options);
  options.non_negative_number("--price-kwh", request.prices.per_kwh, "price per kilowatt-hour");
  options.list("--price-gpu-hour", gpu_hours, "N", "price per GPU hour, or by device: a30=0.8,h200=3",
               [](std::string_view text) -> Result<> {
                 const auto price = hourly_price(text);
                 if (!price) return price.error();
                 return {};
               });
  options.non_negative_number("--carbon", request.prices.carbon_grams_per_kwh,
                              "carbon intensity in grams of CO2 per kilowatt-hour");
}

predict::Objective objective_named(const std::string& name) {
  for (const predict::Objective each : predict::all_objectives()) {
    if (name_of(each) == lower(name)) return each;
  }
  return predict::Objective::energy;
}

// Checks combinations of options that do not depend on network and devices.
Result<> check_together(const TuneSettings& settings) {
  const predict::SearchSpace& space = settings.request.space;
  if (lower(settings.objective) == "price" && !settings.request.prices.per_kwh && settings.gpu_hours.empty())
    return fail(Errc::invalid_input, "--objective price needs --price-kwh, --price-gpu-hour or both");
  if (space.min_clock && space.max_clock && *space.min_clock > *space.max_clock) {
    return fail(Errc::invalid_input, "--min-clock {} is above --max-clock {}", to_text(*space.min_clock),
                to_text(*space.max_clock));
  }
  if (settings.default_clock && (space.min_clock || space.max_clock))
    return fail(Errc::invalid_input, "--default-clock cannot be combined with --min-clock or --max-clock");
  return {};
}

std::vector<std::int64_t> batches_for(const TuneSettings& settings, const graph::Network& network) {
  std::set<std::int64_t> batches;
  for (const std::string& each : settings.batches) batches.insert(*parse_int64(each));
  if (!batches.empty()) return {batches.begin(), batches.end()};
  if (network.batch_is_fixed) return {network.default_batch.value_or(1)};
  return kDefaultBatches;
}

// Assigns each model to its device. Errors: a model of a device that is not in --device.
Result<std::vector<predict::Predictor>> predictors_for(const TuneSettings& settings) {
  std::vector<device::Specification> gpus;
  for (const std::string& name : settings.devices) {
    auto gpu = device::find_device(name);
    if (!gpu) return gpu.error();
    gpus.push_back(std::move(*gpu));
  }
  std::map<std::string, std::string> model_of;
  for (const std::string& file : settings.models) {
    const auto model = predict::read_model_file(file);
    if (!model) return model.error();
    const bool wanted = std::any_of(gpus.begin(), gpus.end(), [&](const device::Specification& gpu) {
      return gpu.name == model->device;
    });
    if (!wanted) {
      return fail(Errc::invalid_input, "--model: {} is a model of {}, which is not in --device", file,
                  model->device);
    }
    model_of[model->device] = file;
  }
  std::vector<predict::Predictor> predictors;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    if (!seen.insert(gpus[i].name).second) continue;
    const auto model = model_of.find(gpus[i].name);
    auto predictor = predictor_for(settings.devices[i],
                                   model == model_of.end() ? std::nullopt : std::optional(model->second));
    if (!predictor) return predictor.error();
    predictors.push_back(std::move(*predictor));
  }
  return predictors;
}

Result<std::vector<predict::TuneTarget>> tune_targets_of(const std::vector<predict::Predictor>& predictors,
                                                         const TuneSettings& settings,
                                                         const graph::Network& network, Shell& shell) {
  std::vector<predict::Iteration> iterations;
  for (const std::int64_t batch : batches_for(settings, network)) {
    auto iteration = predict::iteration_of(
        network,
        {batch, settings.graph_mode(), settings.precision.precision(), settings.host.for_network(network)});
    if (!iteration) return iteration.error();
    iterations.push_back(std::move(*iteration));
  }
  std::vector<predict::TuneTarget> targets;
  std::optional<Error> too_large;
  for (const predict::Predictor& predictor : predictors) {
    auto target = predict::tune_target_of(predictor, iterations);
    if (!target && target.error().kind != Errc::out_of_memory) return target.error();
    if (!target) {
      too_large = target.error();
      if (predictors.size() > 1) shell.note("skipped: " + target.error().message);
      continue;
    }
    if (!target->excluded.empty()) {
      std::vector<std::int64_t> batches;
      for (const predict::ExcludedBatch& each : target->excluded) batches.push_back(each.batch);
      shell.note(fmt::format("{} does not have enough memory for batch {}", target->gpu.name,
                             fmt::join(batches, ", ")));
    }
    targets.push_back(std::move(*target));
  }
  if (targets.empty() && too_large) return *too_large;
  return targets;
}

// Adds power limits and prices by device.
Result<predict::TuneRequest> request_for(const TuneSettings& settings,
                                         const std::vector<predict::Predictor>& predictors) {
  predict::TuneRequest request = settings.request;
  request.objective = objective_named(settings.objective);
  request.space.lock_clocks = !settings.default_clock;
  if (!settings.limits.empty()) {
    request.space.limits.emplace();
    for (const std::string& text : settings.limits) {
      if (text == "default") continue;
      const Watts limit = parse_quantity<Watts>(text, "--power-limit").value();
      std::optional<Error> refused;
      for (const predict::Predictor& each : predictors) {
        const auto fine = device::check({{}, limit}, each.gpu());
        if (fine) {
          refused.reset();
          break;
        }
        refused = fine.error();
      }
      if (refused) return *refused;
      request.space.limits->push_back(limit);
    }
  }
  std::set<std::string> names;
  for (const predict::Predictor& each : predictors) names.insert(each.gpu().name);
  for (const std::string& text : settings.gpu_hours) {
    const auto [device, price] = hourly_price(text).value();
    if (device.empty()) {
      for (const std::string& name : names) request.prices.per_gpu_hour[name] = price;
    } else if (names.contains(device)) {
      request.prices.per_gpu_hour[device] = price;
    } else {
      return fail(Errc::invalid_input, "--price-gpu-hour: {} is not in --device", printable(device));
    }
  }
  for (const std::string& name : names) {
    if (!settings.gpu_hours.empty() && !request.prices.per_gpu_hour.contains(name))
      return fail(Errc::invalid_input, "--price-gpu-hour: no price for {}", name);
  }
  return request;
}

Result<int> run_tune(const TuneSettings& settings, Shell& shell) {
  if (const auto fine = check_together(settings); !fine) {
    shell.error(fine.error().message);
    return kExitUsage;
  }
  const auto predictors = predictors_for(settings);
  if (!predictors) return predictors.error();
  const auto request = request_for(settings, *predictors);
  if (!request) return request.error();
  const auto network = settings.network.load_fused();
  if (!network) return network.error();
  const auto targets = tune_targets_of(*predictors, settings, *network, shell);
  if (!targets) return targets.error();
  const auto result = predict::tune(*targets, *request);
  if (!result) return result.error();

  Result<> printed;
  if (shell.json) {
    auto inputs = settings.network.files();
    for (const std::string& each : settings.devices) {
      if (lower(each).ends_with(".json")) inputs.push_back(each);
    }
    inputs.insert(inputs.end(), settings.models.begin(), settings.models.end());
    nlohmann::ordered_json body{{"network", network->name},
                                {"mode", lower(settings.mode)},
                                {"precision", device::name_of(settings.precision.precision())},
                                {"host", name_of(settings.host.for_network(*network))}};
    body.update(report::tune_json(*result, *request));
    // Predictions at other clocks follow the twin's clock curve, whatever the source.
    printed = shell.print_document("ergon.tune/2", inputs, body, true);
  } else {
    const std::string what = fmt::format("{}, {}, {}", network->name, lower(settings.mode),
                                         device::name_of(settings.precision.precision()));
    printed = shell.print_report(tune_text(what, *result, *request, shell.table_style()));
  }
  if (!printed) return printed.error();
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
