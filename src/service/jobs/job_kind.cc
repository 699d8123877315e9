#include "service/jobs/job_kind.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/text.h"

namespace ergon::service {
namespace {

using Kind = Parameter::Kind;
using Path = std::filesystem::path;

std::vector<JobKind> all_job_kinds() {
  const Parameter device{"device", Kind::text, "a twin from /devices, or a GPU such as gpu0", true};
  const Parameter precision = precision_parameter();
  const Parameter seed{"seed", Kind::number, "seed of the random numbers"};
  const Parameter networks{"networks", Kind::text, "names from /zoo, separated by commas", true};
  return {
      {"sweep",
       "measure networks at many clocks and evaluate the sweep",
       {device,
        networks,
        {"clocks", Kind::text, "number of evenly spaced clocks, all, default, or 900MHz,1.2GHz"},
        {"repeat", Kind::number, "runs per network and clock"},
        {"batch", Kind::number, "samples per iteration"},
        {"scenario", Kind::text, "steady or execution"},
        precision,
        {"duration", Kind::text, "min duration of a steady run, for example 1s"},
        seed},
       true},
      {"cap",
       "hold a power cap with batch and clock, in real time",
       {{"network", Kind::argument, "a name from /zoo", true},
        device,
        {"watts", Kind::number, "initial power cap in watts", true},
        {"controller", Kind::text, "joint, batchsizer+, batchsizer or dvfs"},
        {"duration", Kind::text, "duration of the run, for example 60s"},
        {"max-latency", Kind::text, "max p99 latency, for example 50ms"},
        {"batch", Kind::text, "batches to choose from, for example 1,2,4"},
        precision,
        {"no-clock", Kind::flag, "do not change the clock"},
        {"arrivals", Kind::text, "closed, or poisson:RATE in requests per second"},
        seed},
       false,
       true},
      {"fleet",
       "simulate a fleet and analyze its energy",
       {{"hosts", Kind::number, "number of hosts", true},
        {"hours", Kind::number, "simulated hours", true},
        {"device", Kind::text, "a twin from /devices"},
        {"gpus-per-host", Kind::number, "GPUs per host; all work on the host's task"},
        {"loss", Kind::text, "share of checkpoints and telemetry samples lost, for example 1%"},
        {"skew", Kind::text, "clock offset of one host in 100, for example 2s"},
        seed,
        {"price-kwh", Kind::number, "price per kWh"},
        {"carbon", Kind::number, "grams of CO2 per kWh"}}},
      {"profile",
       "measure operations and networks",
       {device,
        networks,
        {"batch", Kind::text, "samples per iteration, for example 1,32"},
        {"mode", Kind::text, "inference, training or both, separated by a comma"},
        precision,
        {"measure", Kind::text, "operations, networks or both, separated by a comma"},
        {"duration", Kind::text, "min duration of each measurement, for example 1s"},
        seed},
       true},
      {"reproduce",
       "compare the claims of a paper with results obtained here",
       {{"paper", Kind::argument, "v100s, thesis, batchsizer, arada or terascope", true}}},
  };
}

constexpr std::size_t kMaxTitle = 200, kMaxOptions = std::size_t{8} << 10;

// The text of a JSON value on a command line.
std::optional<std::string> text_of(const nlohmann::ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_integer()) return value.dump();
  if (value.is_number()) return shortest_text(value.get<double>());
  return std::nullopt;
}

// "a,b" for ["a", "b"].
Result<std::string> list_text(const std::string& name, const nlohmann::ordered_json& list) {
  std::string text;
  for (const auto& each : list) {
    const auto part = text_of(each);
    if (!part) return fail(Errc::invalid_input, "{}: is not a list of strings and numbers", printable(name));
    text += (text.empty() ? "" : ",") + *part;
  }
  return text;
}

std::string value_of(const Fields& options, std::string_view name) {
  for (const auto& [given, value] : options) {
    if (given == name) return value;
  }
  return "";
}

// Splits the options of two commands.
std::pair<Fields, Fields> split_options(const Fields& options,
                                        const std::vector<std::string_view>& of_second) {
  std::pair<Fields, Fields> both;
  for (const auto& option : options) {
    const bool second = std::find(of_second.begin(), of_second.end(), option.first) != of_second.end();
    (second ? both.second : both.first).push_back(option);
  }
  return both;
}

void append(std::vector<std::string>& words, std::initializer_list<std::string> more) {
  words.insert(words.end(), more);
}

Result<std::vector<JobStep>> fleet_steps(const JobKind& kind, const Fields& options, const Path& folder) {
  const auto [generating, analyzing] = split_options(options, {"price-kwh", "carbon"});
  auto generate = command_arguments({"fleet", "generate"}, kind.parameters, generating);
  if (!generate) return generate.error();
  Parameters prices = kind.parameters;
  for (Parameter& each : prices) each.required = false;
  auto analyze = command_arguments({"fleet", "analyze"}, prices, analyzing);
  if (!analyze) return analyze.error();
  const Path fleet = folder / "fleet";
  append(*generate, {"--out", fleet.string(), "--json"});
  append(*analyze, {"--checkpoints", (fleet / "application-checkpoints.csv").string(), "--gpu",
                    (fleet / "gpu.csv").string(), "--tasks", (fleet / "task-x-y.csv").string(), "--by",
                    "event,level,host,gpu,time", "--json"});
  return std::vector<JobStep>{{std::move(*generate)}, {std::move(*analyze)}};
}

}  // namespace

const std::vector<JobKind>& job_kinds() {
  static const std::vector<JobKind> all = all_job_kinds();
  return all;
}

const JobKind* find_job_kind(std::string_view command) {
  const auto& kinds = job_kinds();
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [&](const JobKind& each) { return each.command == command; });
  return found == kinds.end() ? nullptr : &*found;
}

Result<std::vector<JobStep>> job_steps(const JobKind& kind, const Fields& options, const Path& folder) {
  if (kind.command == "fleet") return fleet_steps(kind, options, folder);
  auto words = command_arguments({std::string(kind.command)}, kind.parameters, options);
  if (!words) return words.error();
  if (kind.command == "cap") {
    // The cap is passed in a file, so that it can be changed.
    std::erase_if(*words, [](const std::string& word) { return word.starts_with("--watts="); });
    append(*words, {"--cap-file", (folder / kCapFile).string(), "--log", (folder / kDecisionFile).string()});
  }
  if (kind.resumable) append(*words, {"--out", (folder / kind.command).string(), "--resume"});
  words->emplace_back("--json");
  std::vector<JobStep> steps{{std::move(*words)}};
  if (kind.command == "sweep")
    steps.push_back({{"sweep", "evaluate", (folder / "sweep").string(), "--points", "--json"}, true});
  return steps;
}

std::string job_title(const JobKind& kind, const Fields& options) {
  if (kind.command == "fleet")
    return fmt::format("{} hosts for {} h", value_of(options, "hosts"), value_of(options, "hours"));
  if (kind.command == "reproduce") return value_of(options, "paper");
  const std::string networks =
      printable(value_of(options, kind.command == "cap" ? "network" : "networks"), kMaxTitle);
  return fmt::format("{} on {}", networks, value_of(options, "device"));
}

bool known_simulated(const JobKind& kind, const Fields& options) {
  if (kind.command == "fleet") return true;
  const std::string device = value_of(options, "device");
  return !device.empty() && !device.starts_with("gpu") && !device.starts_with("cpu");
}

std::string option_text(const Job& job, std::string_view name) {
  const auto fields = fields_of_json(job.options.dump());
  return fields ? value_of(*fields, name) : "";
}

Result<nlohmann::ordered_json> options_to_store(const JobKind& kind, const nlohmann::ordered_json& options) {
  if (!options.is_object()) return fail(Errc::invalid_input, "options is not an object");
  nlohmann::ordered_json stored = nlohmann::ordered_json::object();
  std::size_t size = 0;
  for (const auto& [name, value] : options.items()) {
    if (auto known = check_name(kind.parameters, name); !known) return known.error();
    if (value.is_null()) continue;
    if (!value.is_array()) {
      stored[name] = value;
    } else if (auto list = list_text(name, value)) {
      stored[name] = std::move(*list);
    } else {
      return list.error();
    }
    size += name.size() +
            stored[name].dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace).size();
    if (size > kMaxOptions)
      return fail(Errc::invalid_input, "the options are longer than {} characters", kMaxOptions);
  }
  return stored;
}

Result<Fields> fields_of_json(std::string_view json_object_text) {
  const auto parsed = parse_json<nlohmann::ordered_json>(json_object_text);
  if (!parsed) return parsed.error().in("options");
  const nlohmann::ordered_json& json = *parsed;
  if (!json.is_object()) return fail(Errc::invalid_input, "options is not an object");
  Fields fields;
  for (const auto& [name, value] : json.items()) {
    if (value.is_null()) continue;
    if (value.is_array()) {
      auto list = list_text(name, value);
      if (!list) return list.error();
      fields.emplace_back(name, std::move(*list));
    } else if (auto text = text_of(value)) {
      fields.emplace_back(name, *std::move(text));
    } else {
      return fail(Errc::invalid_input, "{}: is not a string, a number or a list", printable(name));
    }
  }
  return fields;
}

}  // namespace ergon::service
