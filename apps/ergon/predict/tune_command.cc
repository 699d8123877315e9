#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/units_text.h"
#include "device/twin/catalogue.h"
#include "networks/network_source.h"
#include "predict/model_file.h"
#include "predict/predict_commands.h"
#include "predict/predictor_source.h"
#include "predict/tune/tune.h"
#include "predict/tune_text.h"
#include "report/tune_json.h"

namespace ergon::app {
namespace {

const std::vector<std::int64_t> kUsualBatches{1, 2, 4, 8, 16, 32, 64, 128, 256};

struct TuneSettings {
  NetworkSource network;
  PrecisionSetting precision;
  HostSetting host;
  std::string mode = "inference";
  std::vector<std::string> devices, batches, limits, models, gpu_hours;
  std::string objective = "energy";
  bool own_clock = false;
  predict::Question question;  // without what the lists above say

  void declare(Options& options);
  graph::Mode graph_mode() const {
    return mode == "training" ? graph::Mode::training : graph::Mode::inference;
  }
};

Result<> check_batch(std::string_view text) {
  const auto number = parse_int64(text);
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  if (number && *number >= 1 && *number <= kMost) return {};
  return fail(Errc::invalid_input, "--batch wants whole numbers from 1 to {}, got \"{}\"", kMost,
              printable(text));
}

Result<> check_limit(std::string_view text) {
  if (text == "usual") return {};
  const auto limit = parse_quantity<Watts>(text, "--limits");
  if (!limit) return limit.error();
  if (*limit > Watts{0}) return {};
  return fail(Errc::invalid_input, "--limits wants more than 0, not {}", text);
}

// "2.50", or "a30=0.80" for one device: what stands before the price, and the price.
Result<std::pair<std::string, double>> hourly_price(std::string_view text) {
  const auto equals = text.rfind('=');
  const bool named = equals != std::string_view::npos;
  const auto number = parse_double(named ? text.substr(equals + 1) : text);
  if (!number || *number < 0 || equals == 0) {
    return fail(Errc::invalid_input, "--price-gpu-hour wants a number from 0, or DEVICE=N, got \"{}\"",
                printable(text));
  }
  return std::pair{std::string(named ? text.substr(0, equals) : ""), *number};
}

void TuneSettings::declare(Options& options) {
  network.declare(options);
  options.list("--device", devices, "D,...", "names from `ergon devices`, or .json files");
  options.require("--device");
  options.word("--objective", objective, "O", {"energy", "energy-delay", "time", "price"},
               "energy (usual), energy-delay, time or price, of a sample");
  options.positive_quantity("--latency", question.bounds.latency, "of an iteration, at most");
  options.parsed("--throughput", "N", "samples a second, at least",
                 [this](std::string_view text) -> Result<> {
                   const auto number = parse_double(text);
                   if (!number || *number <= 0)
                     return fail(Errc::invalid_input,
                                 "--throughput wants samples a second, above 0, got \"{}\"", printable(text));
                   question.bounds.throughput = predict::SamplesPerSecond{*number};
                   return {};
                 });
  options.positive_quantity("--power", question.bounds.power, "while it runs, at most");
  options.list("--batch", batches, "N,...", "batches to try (1,2,4,...,256, or what the file fixes)",
               check_batch);
  options.positive_quantity("--clock-from", question.reach.clock_from, "lowest core clock to try");
  options.positive_quantity("--clock-to", question.reach.clock_to, "highest; leaves out the GPU's own clock");
  options.flag("--own-clock", own_clock, "lock no clock; choose batch and power limit");
  options.list("--limits", limits, "W,...", "power limits to try besides the usual; usual: no other",
               check_limit);
  options.list("--model", models, "FILE", "of `ergon fit`, instead of the one that comes along");
  options.word("--mode", mode, "M", {"inference", "training"}, "inference or training");
  precision.declare(options);
  host.declare(options);
  options.amount("--price-kwh", question.prices.per_kwh, "price of a kilowatt-hour");
  options.list("--price-gpu-hour", gpu_hours, "N", "price of a GPU for an hour, or a30=0.8,h200=3",
               [](std::string_view text) -> Result<> {
                 const auto price = hourly_price(text);
                 if (!price) return price.error();
                 return {};
               });
  options.amount("--carbon", question.prices.carbon_grams_per_kwh, "grams of CO2 a kilowatt-hour");
}

predict::Objective objective_called(const std::string& name) {
  for (const predict::Objective each : predict::all_objectives()) {
    if (name_of(each) == name) return each;
  }
  return predict::Objective::energy;
}

// What is wrong with the options as a whole, whatever the network and the devices.
Result<> check_together(const TuneSettings& settings) {
  const predict::Reach& reach = settings.question.reach;
  if (settings.objective == "price" && !settings.question.prices.per_kwh && settings.gpu_hours.empty())
    return fail(Errc::invalid_input, "--objective price wants --price-kwh, --price-gpu-hour or both");
  if (reach.clock_from && reach.clock_to && *reach.clock_from > *reach.clock_to) {
    return fail(Errc::invalid_input, "--clock-from {} is above --clock-to {}", to_text(*reach.clock_from),
                to_text(*reach.clock_to));
  }
  if (settings.own_clock && (reach.clock_from || reach.clock_to))
    return fail(Errc::invalid_input, "--own-clock leaves nothing for --clock-from and --clock-to to say");
  return {};
}

std::vector<std::int64_t> batches_for(const TuneSettings& settings, const graph::Network& network) {
  std::set<std::int64_t> batches;
  for (const std::string& each : settings.batches) batches.insert(*parse_int64(each));
  if (!batches.empty()) return {batches.begin(), batches.end()};
  if (network.batch_is_fixed) return {network.usual_batch.value_or(1)};
  return kUsualBatches;
}

// Each model goes to the device that it is of. Errors: a model of none of them.
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
      return fail(Errc::invalid_input, "{} is a model of {}, which --device does not name", file,
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

Result<std::vector<predict::Contender>> contenders_of(const std::vector<predict::Predictor>& predictors,
                                                      const TuneSettings& settings,
                                                      const graph::Network& network, Shell& shell) {
  std::vector<predict::Job> jobs;
  for (const std::int64_t batch : batches_for(settings, network)) {
    auto job = predict::job_of(network, {batch, settings.graph_mode(), settings.precision.wanted(),
                                         settings.host.for_network(network)});
    if (!job) return job.error();
    jobs.push_back(std::move(*job));
  }
  std::vector<predict::Contender> contenders;
  std::optional<Error> too_large;
  for (const predict::Predictor& predictor : predictors) {
    auto contender = predict::contender_of(predictor, jobs);
    if (!contender && contender.error().kind != Errc::out_of_memory) return contender.error();
    if (!contender) {
      too_large = contender.error();
      if (predictors.size() > 1) shell.note("left out: " + contender.error().message);
      continue;
    }
    if (!contender->left_out.empty()) {
      std::vector<std::int64_t> batches;
      for (const predict::LeftOut& each : contender->left_out) batches.push_back(each.batch);
      shell.note(fmt::format("{} has not enough memory for batch {}", contender->gpu.name,
                             fmt::join(batches, ", ")));
    }
    contenders.push_back(std::move(*contender));
  }
  if (contenders.empty() && too_large) return *too_large;
  return contenders;
}

// Limits and prices by device.
Result<predict::Question> question_for(const TuneSettings& settings,
                                       const std::vector<predict::Predictor>& predictors) {
  predict::Question question = settings.question;
  question.objective = objective_called(settings.objective);
  question.reach.lock_clocks = !settings.own_clock;
  if (!settings.limits.empty()) {
    question.reach.limits.emplace();
    for (const std::string& text : settings.limits) {
      if (text == "usual") continue;
      const Watts limit = parse_quantity<Watts>(text, "--limits").value();
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
      question.reach.limits->push_back(limit);
    }
  }
  std::set<std::string> names;
  for (const predict::Predictor& each : predictors) names.insert(each.gpu().name);
  for (const std::string& text : settings.gpu_hours) {
    const auto [device, price] = hourly_price(text).value();
    if (device.empty()) {
      for (const std::string& name : names) question.prices.per_gpu_hour[name] = price;
    } else if (names.contains(device)) {
      question.prices.per_gpu_hour[device] = price;
    } else {
      return fail(Errc::invalid_input, "--price-gpu-hour: --device does not name {}", printable(device));
    }
  }
  for (const std::string& name : names) {
    if (!settings.gpu_hours.empty() && !question.prices.per_gpu_hour.contains(name))
      return fail(Errc::invalid_input, "--price-gpu-hour has no price of {}", name);
  }
  return question;
}

Result<int> run_tune(const TuneSettings& settings, Shell& shell) {
  if (const auto fine = check_together(settings); !fine) {
    shell.error(fine.error().message);
    return kExitUsage;
  }
  const auto predictors = predictors_for(settings);
  if (!predictors) return predictors.error();
  const auto question = question_for(settings, *predictors);
  if (!question) return question.error();
  const auto network = settings.network.load_to_run();
  if (!network) return network.error();
  const auto contenders = contenders_of(*predictors, settings, *network, shell);
  if (!contenders) return contenders.error();
  const auto answer = predict::tune(*contenders, *question);
  if (!answer) return answer.error();

  Result<> printed;
  if (shell.json) {
    auto inputs = settings.network.files();
    for (const std::string& each : settings.devices) {
      if (lower(each).ends_with(".json")) inputs.push_back(each);
    }
    inputs.insert(inputs.end(), settings.models.begin(), settings.models.end());
    nlohmann::ordered_json body{{"network", network->name},
                                {"mode", settings.mode},
                                {"precision", settings.precision.name},
                                {"host", name_of(settings.host.for_network(*network))}};
    body.update(report::tune_json(*answer, *question));
    // How costs follow the clock is the twin's in every regime.
    printed = shell.print_document("ergon.tune/1", inputs, body, true);
  } else {
    const std::string what = fmt::format("{}, {}, {}", network->name, settings.mode, settings.precision.name);
    printed = shell.print(tune_text(what, *answer, *question, shell.table_style()));
  }
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace

Command tune_command() {
  return {
      .name = "tune",
      .summary = "the clock, batch, power limit and device that cost least",
      .description =
          "All operating points are predicted and the best within the bounds is shown beside default "
          "settings; docs/tune.md says what is compared. Nothing is changed on any device.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<TuneSettings>();
        settings->declare(options);
        return [settings](Shell& shell) { return run_tune(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
