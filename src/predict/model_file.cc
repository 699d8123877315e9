#include "predict/model_file.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/version.h"
#include "predict/features.h"
#include "profile/condition.h"

namespace ergon::predict {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "ergon.model/6";

Json known_json(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }
std::optional<double> known_from(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

Json widths_json(const Widths& widths) {
  return {{"time", widths.time}, {"power", widths.power}, {"energy", widths.energy}};
}
// A number that cannot be below 0.
double amount(const Json& json) {
  const double value = json.get<double>();
  if (!(value >= 0)) throw Json::other_error::create(501, fmt::format("{} is below 0", value), &json);
  return value;
}

Widths widths_from(const Json& json) {
  return {amount(json.at("time")), amount(json.at("power")), amount(json.at("energy"))};
}

Json width_pairs_json(const std::map<Host, WidthPair>& widths) {
  Json json = Json::object();
  for (const auto& [host, pair] : widths)
    json[std::string(name_of(host))] = {{"busy", widths_json(pair.busy)},
                                        {"waiting", widths_json(pair.waiting)}};
  return json;
}

Json hosts_json(const HostCosts& hosts) {
  Json usual = Json::object(), kinds = Json::array();
  for (const auto& [mode, cost] : hosts.usual()) usual[std::string(profile::name_of(mode))] = cost.si();
  for (const auto& [key, cost] : hosts.costs())
    kinds.push_back(
        {{"operation", key.first}, {"mode", profile::name_of(key.second)}, {"seconds", cost.si()}});
  Json idle = Json::object();
  for (const auto& [mode, power] : hosts.idle()) idle[std::string(profile::name_of(mode))] = power.si();
  return {{"usual_seconds", usual}, {"kinds", kinds}, {"idle_watts", idle}};
}

graph::Mode mode_from(const Json& json) {
  const auto text = json.get<std::string>();
  if (text == "inference") return graph::Mode::inference;
  if (text == "training") return graph::Mode::training;
  throw Json::other_error::create(501, fmt::format("\"{}\" is no mode", text), &json);
}

device::Precision precision_from(const Json& json) {
  const auto text = json.get<std::string>();
  if (const auto precision = device::precision_named(text)) return *precision;
  throw Json::other_error::create(501, fmt::format("\"{}\" is no precision", text), &json);
}

Host host_from(const Json& json) {
  const auto text = json.get<std::string>();
  if (const auto host = host_named(text)) return *host;
  throw Json::other_error::create(501, fmt::format("\"{}\" is no host", text), &json);
}

std::map<Host, WidthPair> width_pairs_from(const Json& json) {
  std::map<Host, WidthPair> widths;
  for (const auto& [host, pair] : json.items())
    widths[host_from(Json(host))] = {widths_from(pair.at("busy")), widths_from(pair.at("waiting"))};
  return widths;
}

HostCosts hosts_from(const Json& json) {
  HostCosts hosts;
  for (const auto& [mode, cost] : json.at("usual_seconds").items())
    hosts.set_usual(mode_from(Json(mode)), Seconds{amount(cost)});
  for (const Json& each : json.at("kinds"))
    hosts.set(each.at("operation").get<std::string>(), mode_from(each.at("mode")),
              Seconds{amount(each.at("seconds"))});
  for (const auto& [mode, power] : json.at("idle_watts").items())
    hosts.set_idle(mode_from(Json(mode)), Watts{amount(power)});
  return hosts;
}

Json corrections_json(const Corrections& corrections) {
  Json kinds = Json::array();
  for (const auto& [kind, each] : corrections.kinds) {
    kinds.push_back({{"mode", profile::name_of(kind.mode)},
                     {"precision", device::name_of(kind.precision)},
                     {"host", name_of(kind.host)},
                     {"kernels", each.kernels},
                     {"host_work", each.host},
                     {"power", each.power},
                     {"products", each.products},
                     {"moves", each.moves},
                     {"turned", each.turned}});
  }
  return {{"kinds", kinds}, {"waiting", corrections.waiting}, {"ceiling_watts", corrections.ceiling.si()}};
}

Corrections corrections_from(const Json& json) {
  Corrections corrections;
  for (const Json& each : json.at("kinds")) {
    const Kind kind{mode_from(each.at("mode")), precision_from(each.at("precision")),
                    host_from(each.at("host"))};
    corrections.kinds[kind] = {each.at("kernels").get<double>(), each.at("host_work").get<double>(),
                               each.at("power").get<double>(),   each.at("products").get<double>(),
                               each.at("moves").get<double>(),   each.at("turned").get<double>()};
  }
  corrections.waiting = json.at("waiting").get<double>();
  corrections.ceiling = Watts{amount(json.at("ceiling_watts"))};
  return corrections;
}

Json range_json(const Range& range) {
  Json list = Json::array();
  for (const auto& [key, seen] : range) {
    list.push_back({{"operation", key.first},
                    {"mode", profile::name_of(key.second)},
                    {"rows", seen.rows},
                    {"least_bytes", seen.least},
                    {"most_bytes", seen.most}});
  }
  return list;
}

Range range_from(const Json& json) {
  Range range;
  for (const Json& each : json) {
    range[{each.at("operation").get<std::string>(), mode_from(each.at("mode"))}] = {
        each.at("least_bytes").get<double>(), each.at("most_bytes").get<double>(),
        each.at("rows").get<std::int64_t>()};
  }
  return range;
}

// Ids in one string, 16 hexadecimal digits each: there are thousands.
constexpr std::size_t kDigits = 16;

Json operations_json(const KnownOperations& operations) {
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

KnownOperations operations_from(const Json& json) {
  std::map<KnownOperations::Key, KnownOperations::Ids> all;
  for (const Json& each : json) {
    auto& ids = all[{mode_from(each.at("mode")), precision_from(each.at("precision"))}];
    const auto& text = each.at("ids").get_ref<const std::string&>();
    bool fine = text.size() % kDigits == 0;
    for (std::size_t at = 0; fine && at < text.size(); at += kDigits) {
      const char* end = text.data() + at + kDigits;
      const auto [stopped, problem] = std::from_chars(text.data() + at, end, ids.emplace_back(), 16);
      fine = problem == std::errc() && stopped == end;
    }
    if (!fine) throw Json::other_error::create(501, "an operation's id is no number of 16 digits", &each);
  }
  return KnownOperations(std::move(all));
}

Json scores_json(const std::vector<Score>& scores) {
  Json list = Json::array();
  for (const Score& score : scores) {
    list.push_back({{"what", score.what},
                    {"rows", score.rows},
                    {"mape", score.mape},
                    {"r_squared", known_json(score.r_squared)},
                    {"coverage", known_json(score.coverage)}});
  }
  return list;
}

Json sources_json(const std::vector<Source>& sources) {
  Json list = Json::array();
  for (const Source& source : sources) {
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
    return fail(Errc::invalid_input, "{}, and this Ergon reads {}",
                schema.empty() ? std::string("no model") : fmt::format("a document of kind \"{}\"", schema),
                kSchema);
  }
  std::vector<std::string> features;
  for (const Json& name : json.at("features")) features.push_back(name.get<std::string>());
  const auto known = feature_names();
  if (!std::equal(features.begin(), features.end(), known.begin(), known.end()))
    return fail(Errc::invalid_input, "a model of other features than this Ergon's; fit it again");
  Model model;
  model.device = json.at("device").get<std::string>();
  const auto regime = json.at("regime").get<std::string>();
  if (regime != name_of(Regime::learned) && regime != name_of(Regime::calibrated))
    return fail(Errc::invalid_input, "\"{}\" is no regime", regime);
  model.regime = regime == name_of(Regime::learned) ? Regime::learned : Regime::calibrated;
  model.learner = json.at("learner").get<std::string>();
  for (const Json& each : json.at("sources")) {
    model.sources.push_back({each.at("name").get<std::string>(), each.at("detail").get<std::string>(),
                             each.at("operations").get<std::int64_t>(),
                             each.at("networks").get<std::int64_t>(), each.value("simulated", false)});
  }
  for (const Json& each : json.at("scores")) {
    model.scores.push_back({each.at("what").get<std::string>(), each.at("rows").get<std::int64_t>(),
                            each.at("mape").get<double>(), known_from(each.at("r_squared")),
                            known_from(each.at("coverage"))});
  }
  model.hosts = hosts_from(json.at("hosts"));
  for (const auto& [mode, trust] : json.at("trust").items())
    model.trust[mode_from(Json(mode))] = {trust.at("learned").get<double>(),
                                          trust.at("waiting").get<double>()};
  model.corrections = corrections_from(json.at("corrections"));
  model.widths = width_pairs_from(json.at("widths"));
  model.known_widths = width_pairs_from(json.at("known_widths"));
  model.range = range_from(json.at("range"));
  model.operations = operations_from(json.at("operations"));
  auto time = forest_from(json.at("time_trees"));
  if (!time) return time.error();
  auto power = forest_from(json.at("power_trees"));
  if (!power) return power.error();
  const std::size_t most = std::max(time->features(), power->features());
  if (most > features.size() || time->empty() != power->empty() ||
      time->empty() != (model.regime == Regime::calibrated)) {
    return fail(Errc::invalid_input, "trees that do not belong together");
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
  json["regime"] = name_of(model.regime);
  json["learner"] = model.learner;
  json["sources"] = sources_json(model.sources);
  json["scores"] = scores_json(model.scores);
  json["hosts"] = hosts_json(model.hosts);
  json["trust"] = Json::object();
  for (const auto& [mode, trust] : model.trust)
    json["trust"][std::string(profile::name_of(mode))] = {{"learned", trust.learned},
                                                          {"waiting", trust.waiting}};
  json["corrections"] = corrections_json(model.corrections);
  json["widths"] = width_pairs_json(model.widths);
  json["known_widths"] = width_pairs_json(model.known_widths);
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
  try {
    auto model = model_from(Json::parse(text));
    if (!model) return model.error().in(source);
    return model;
  } catch (const Json::exception& problem) {
    return fail(Errc::invalid_input, "{}: no model, or a damaged one: {}", source, problem.what());
  }
}

Result<Model> read_model_file(const std::string& path) {
  const auto text = read_file(path);
  if (!text) return text.error();
  return read_model(*text, path);
}

}  // namespace ergon::predict
