#include "predict/model/model_file.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "base/version.h"
#include "predict/learn/features.h"
#include "predict/learn/held_out.h"
#include "profile/run_condition.h"

namespace ergon::predict {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "ergon.model/6";

// The name of kWithMeasuredOperations in files of this schema.
constexpr std::string_view kStoredName = "networks of known operations";

std::string replace_prefix(const std::string& text, std::string_view from, std::string_view to) {
  return text.starts_with(from) ? std::string(to) + text.substr(from.size()) : text;
}

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }
std::optional<double> optional_from(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

Json widths_json(const IntervalWidths& widths) {
  return {{"time", widths.time}, {"power", widths.power}, {"energy", widths.energy}};
}
// A number from 0.
double amount(const Json& json) {
  const double value = json.get<double>();
  if (!(value >= 0)) throw Json::other_error::create(501, fmt::format("{} is negative", value), &json);
  return value;
}

IntervalWidths widths_from(const Json& json) {
  return {amount(json.at("time")), amount(json.at("power")), amount(json.at("energy"))};
}

Json width_pairs_json(const std::map<LaunchHost, WidthPair>& widths) {
  Json json = Json::object();
  for (const auto& [host, pair] : widths)
    json[std::string(name_of(host))] = {{"busy", widths_json(pair.gpu_bound)},
                                        {"waiting", widths_json(pair.host_bound)}};
  return json;
}

Json hosts_json(const LaunchOverhead& overhead) {
  Json defaults = Json::object(), kinds = Json::array();
  for (const auto& [mode, cost] : overhead.defaults())
    defaults[std::string(profile::name_of(mode))] = cost.si();
  for (const auto& [key, time] : overhead.times())
    kinds.push_back(
        {{"operation", key.first}, {"mode", profile::name_of(key.second)}, {"seconds", time.si()}});
  Json idle = Json::object();
  for (const auto& [mode, power] : overhead.idle()) idle[std::string(profile::name_of(mode))] = power.si();
  return {{"usual_seconds", defaults}, {"kinds", kinds}, {"idle_watts", idle}};
}

graph::Mode mode_from(const Json& json) {
  const auto text = json.get<std::string>();
  if (text == "inference") return graph::Mode::inference;
  if (text == "training") return graph::Mode::training;
  throw Json::other_error::create(501, fmt::format("\"{}\" is not a mode", text), &json);
}

device::Precision precision_from(const Json& json) {
  const auto text = json.get<std::string>();
  if (const auto precision = device::precision_named(text)) return *precision;
  throw Json::other_error::create(501, fmt::format("\"{}\" is not a precision", text), &json);
}

LaunchHost host_from(const Json& json) {
  const auto text = json.get<std::string>();
  if (const auto host = launch_host_named(text)) return *host;
  throw Json::other_error::create(501, fmt::format("\"{}\" is not a launch host", text), &json);
}

std::map<LaunchHost, WidthPair> width_pairs_from(const Json& json) {
  std::map<LaunchHost, WidthPair> widths;
  for (const auto& [host, pair] : json.items())
    widths[host_from(Json(host))] = {widths_from(pair.at("busy")), widths_from(pair.at("waiting"))};
  return widths;
}

LaunchOverhead hosts_from(const Json& json) {
  LaunchOverhead overhead;
  for (const auto& [mode, cost] : json.at("usual_seconds").items())
    overhead.set_default(mode_from(Json(mode)), Seconds{amount(cost)});
  for (const Json& each : json.at("kinds"))
    overhead.set(each.at("operation").get<std::string>(), mode_from(each.at("mode")),
                 Seconds{amount(each.at("seconds"))});
  for (const auto& [mode, power] : json.at("idle_watts").items())
    overhead.set_idle(mode_from(Json(mode)), Watts{amount(power)});
  return overhead;
}

Json corrections_json(const Corrections& corrections) {
  Json kinds = Json::array();
  for (const auto& [key, each] : corrections.by_config) {
    kinds.push_back({{"mode", profile::name_of(key.mode)},
                     {"precision", device::name_of(key.precision)},
                     {"host", name_of(key.host)},
                     {"kernels", each.kernels},
                     {"host_work", each.host},
                     {"power", each.power},
                     {"products", each.products},
                     {"moves", each.memory_bound},
                     {"turned", each.channels_last}});
  }
  return {
      {"kinds", kinds}, {"waiting", corrections.idle_power}, {"ceiling_watts", corrections.max_power.si()}};
}

Corrections corrections_from(const Json& json) {
  Corrections corrections;
  for (const Json& each : json.at("kinds")) {
    const ConfigKey key{mode_from(each.at("mode")), precision_from(each.at("precision")),
                        host_from(each.at("host"))};
    corrections.by_config[key] = {each.at("kernels").get<double>(), each.at("host_work").get<double>(),
                                  each.at("power").get<double>(),   each.at("products").get<double>(),
                                  each.at("moves").get<double>(),   each.at("turned").get<double>()};
  }
  corrections.idle_power = json.at("waiting").get<double>();
  corrections.max_power = Watts{amount(json.at("ceiling_watts"))};
  return corrections;
}

Json range_json(const TrainingRange& range) {
  Json list = Json::array();
  for (const auto& [key, traffic] : range) {
    list.push_back({{"operation", key.first},
                    {"mode", profile::name_of(key.second)},
                    {"rows", traffic.rows},
                    {"least_bytes", traffic.min},
                    {"most_bytes", traffic.max}});
  }
  return list;
}

// Throws if the value is not a count. Converting a number such as 1e300 to an integer is undefined behavior.
std::int64_t count_from(const Json& json) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > kMax)
    throw std::invalid_argument("a count is not an integer from 0 to 2^63 - 1");
  return json.get<std::int64_t>();
}

TrainingRange range_from(const Json& json) {
  TrainingRange range;
  for (const Json& each : json) {
    range[{each.at("operation").get<std::string>(), mode_from(each.at("mode"))}] = {
        each.at("least_bytes").get<double>(), each.at("most_bytes").get<double>(),
        count_from(each.at("rows"))};
  }
  return range;
}

// Thousands of ids: one string, 16 hexadecimal digits each.
constexpr std::size_t kDigits = 16;

Json operations_json(const MeasuredOperations& operations) {
  Json list = Json::array();
  for (const auto& [key, ids] : operations.ids()) {
    std::string text;
    text.reserve(ids.size() * kDigits);
    for (const std::uint64_t id : ids) text += fmt::format("{:016x}", id);
    list.push_back({{"mode", profile::name_of(key.first)},
                    {"precision", device::name_of(key.second)},
                    {"ids", std::move(text)}});
  }
  return list;
}

MeasuredOperations operations_from(const Json& json) {
  std::map<MeasuredOperations::Key, MeasuredOperations::Ids> all;
  for (const Json& each : json) {
    auto& ids = all[{mode_from(each.at("mode")), precision_from(each.at("precision"))}];
    const auto& text = each.at("ids").get_ref<const std::string&>();
    bool fine = text.size() % kDigits == 0;
    for (std::size_t at = 0; fine && at < text.size(); at += kDigits) {
      const char* end = text.data() + at + kDigits;
      const auto [stopped, problem] = std::from_chars(text.data() + at, end, ids.emplace_back(), 16);
      fine = problem == std::errc() && stopped == end;
    }
    if (!fine)
      throw Json::other_error::create(501, "an operation id does not have 16 hexadecimal digits", &each);
  }
  return MeasuredOperations(std::move(all));
}

Json scores_json(const std::vector<Score>& scores) {
  Json list = Json::array();
  for (const Score& score : scores) {
    list.push_back({{"what", replace_prefix(score.what, kWithMeasuredOperations, kStoredName)},
                    {"rows", score.rows},
                    {"mape", score.mape},
                    {"r_squared", optional_json(score.r_squared)},
                    {"coverage", optional_json(score.coverage)}});
  }
  return list;
}

Json sources_json(const std::vector<TrainingSource>& sources) {
  Json list = Json::array();
  for (const TrainingSource& source : sources) {
    list.push_back({{"name", source.name},
                    {"detail", source.detail},
                    {"operations", source.operations},
                    {"networks", source.networks}});
    if (source.simulated) list.back()["simulated"] = true;
  }
  return list;
}

Result<Forest> forest_from(const Json& json) {
  std::vector<std::string_view> lines;
  for (const Json& line : json) lines.push_back(line.get_ref<const std::string&>());
  return Forest::from_lines(lines);
}

Result<Model> model_from(const Json& json) {
  if (const auto schema = json.value("schema", std::string()); schema != kSchema) {
    return fail(Errc::invalid_input, "{}; expected {}",
                schema.empty() ? std::string("not a model file") : fmt::format("schema \"{}\"", schema),
                kSchema);
  }
  std::vector<std::string> features;
  for (const Json& name : json.at("features")) features.push_back(name.get<std::string>());
  const auto expected = feature_names();
  if (!std::equal(features.begin(), features.end(), expected.begin(), expected.end()))
    return fail(Errc::invalid_input, "the model has other features than this version; run `ergon fit` again");
  Model model;
  model.device = json.at("device").get<std::string>();
  model.device_parameters = json.value("device_parameters", "");
  const auto source = json.at("regime").get<std::string>();
  if (source != name_of(PredictionSource::learned) && source != name_of(PredictionSource::calibrated))
    return fail(Errc::invalid_input, "\"{}\" is not a prediction source", source);
  model.source =
      source == name_of(PredictionSource::learned) ? PredictionSource::learned : PredictionSource::calibrated;
  model.learner = json.at("learner").get<std::string>();
  for (const Json& each : json.at("sources")) {
    model.training_sources.push_back({each.at("name").get<std::string>(),
                                      each.at("detail").get<std::string>(), count_from(each.at("operations")),
                                      count_from(each.at("networks")), each.value("simulated", false)});
  }
  for (const Json& each : json.at("scores")) {
    const auto what =
        replace_prefix(each.at("what").get<std::string>(), kStoredName, kWithMeasuredOperations);
    model.scores.push_back({what, count_from(each.at("rows")), each.at("mape").get<double>(),
                            optional_from(each.at("r_squared")), optional_from(each.at("coverage"))});
  }
  model.launch_overhead = hosts_from(json.at("hosts"));
  for (const auto& [mode, shrinkage] : json.at("trust").items())
    model.shrinkage[mode_from(Json(mode))] = {shrinkage.at("learned").get<double>(),
                                              shrinkage.at("waiting").get<double>()};
  model.corrections = corrections_from(json.at("corrections"));
  model.widths = width_pairs_from(json.at("widths"));
  model.measured_widths = width_pairs_from(json.at("known_widths"));
  model.range = range_from(json.at("range"));
  model.operations = operations_from(json.at("operations"));
  auto time = forest_from(json.at("time_trees"));
  if (!time) return time.error();
  auto power = forest_from(json.at("power_trees"));
  if (!power) return power.error();
  const std::size_t highest = std::max(time->features(), power->features());
  if (highest > features.size() || time->empty() != power->empty() ||
      time->empty() != (model.source == PredictionSource::calibrated)) {
    return fail(Errc::invalid_input, "the time and power trees do not match");
  }
  model.time = std::move(*time);
  model.power = std::move(*power);
  return model;
}

}  // namespace

std::string write_model(const Model& model) {
  Json json;
  json["schema"] = kSchema;
  json["ergon"] = build_facts().version;
  json["device"] = model.device;
  if (!model.device_parameters.empty()) json["device_parameters"] = model.device_parameters;
  json["regime"] = name_of(model.source);
  json["learner"] = model.learner;
  json["sources"] = sources_json(model.training_sources);
  json["scores"] = scores_json(model.scores);
  json["hosts"] = hosts_json(model.launch_overhead);
  json["trust"] = Json::object();
  for (const auto& [mode, shrinkage] : model.shrinkage)
    json["trust"][std::string(profile::name_of(mode))] = {{"learned", shrinkage.weight},
                                                          {"waiting", shrinkage.host_bound_discount}};
  json["corrections"] = corrections_json(model.corrections);
  json["widths"] = width_pairs_json(model.widths);
  json["known_widths"] = width_pairs_json(model.measured_widths);
  json["range"] = range_json(model.range);
  json["operations"] = operations_json(model.operations);
  Json features = Json::array();
  for (const std::string_view name : feature_names()) features.push_back(name);
  json["features"] = std::move(features);
  json["time_trees"] = model.time.to_lines();
  json["power_trees"] = model.power.to_lines();
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Model> read_model(std::string_view text, const std::string& source) {
  const auto damaged = [&](const std::exception& problem) {
    return fail(Errc::invalid_input, "{}: not a model file, or damaged: {}", source, problem.what());
  };
  const auto json = parse_json<Json>(text, source);
  if (!json) return fail(Errc::invalid_input, "{}; not a model file, or damaged", json.error().message);
  try {
    auto model = model_from(*json);
    if (!model) return model.error().in(source);
    return model;
  } catch (const Json::exception& problem) {
    return damaged(problem);
  } catch (const std::invalid_argument& problem) {
    return damaged(problem);
  }
}

Result<Model> read_model_file(const std::string& path) {
  const auto text = read_file(path);
  if (!text) return text.error();
  return read_model(*text, path);
}

}  // namespace ergon::predict
