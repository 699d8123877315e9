#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "fleet/tally_range.h"
#include "report/fleet_part.h"
#include "report/fleet_part_numbers.h"

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kPartOfAnyVersion = "ergon.fleet.part/";

// Reads numbers from a JSON list; complete() tells whether all were valid.
class FromJson {
 public:
  explicit FromJson(const Json& list) : list_(list), good_(list.is_array()) {}

  template <Dimension D>
  void operator()(Quantity<D>& quantity) {
    double si = 0;
    (*this)(si);
    quantity = Quantity<D>{si};
  }
  void operator()(double& number) {
    take(number, [](const Json& each) { return each.is_number(); });
  }
  void operator()(std::int64_t& number) {
    take(number, [](const Json& each) { return each.is_number_integer(); });
  }
  void operator()(std::uint64_t& number) {
    take(number, [](const Json& each) { return each.is_number_unsigned(); });
  }
  bool complete() const { return good_ && next_ == list_.size(); }

 private:
  template <typename Number, typename Fits>
  void take(Number& number, const Fits& fits) {
    good_ = good_ && next_ < list_.size() && fits(list_[next_]);
    if (good_) number = list_[next_++].template get<Number>();
  }

  const Json& list_;
  std::size_t next_ = 0;
  bool good_;
};

// Reads one part. The first invalid entry is reported.
class PartReader {
 public:
  explicit PartReader(const Json& json) : json_(json) {}

  Result<fleet::Tally> read() {
    rules();
    FromJson checkpoints(at(json_, "checkpoints")), samples(at(json_, "samples"));
    visit_counts(tally_.checkpoints, checkpoints);
    visit_counts(tally_.samples, samples);
    need(checkpoints.complete() && samples.complete(), "row counts");
    for (const Json& each : list(json_, "hosts")) {
      if (entry(each, 2, 1, "hosts")) read_host(tally_.hosts[each[0].get<std::string>()], each[1]);
    }
    for (const Json& each : list(json_, "spreads")) read_distribution(each);
    for (const Json& each : list(json_, "longest")) read_long(each);
    for (const Json& job : list(json_, "jobs")) {
      need(job.is_string(), "jobs");
      if (good()) tally_.jobs.insert(job.get<std::string>());
    }
    for (const Json& task : list(json_, "tasks")) {
      need(task.is_number_unsigned() && (tally_.tasks.empty() || task > tally_.tasks.back()), "tasks");
      if (good()) tally_.tasks.push_back(task.get<std::uint64_t>());
    }
    const Json& simulated = at(json_, "simulated");
    need(simulated.is_boolean(), "simulated");
    need(agrees(), "consistency of hosts and spreads");
    if (!good()) return fail(Errc::invalid_input, "not a valid fleet part: {} is missing or invalid", wrong_);
    if (auto checked = fleet::check_range(tally_); !checked) return checked.error();
    tally_.simulated = simulated.get<bool>() || tally_.checkpoints.simulated + tally_.samples.simulated > 0 ||
                       std::ranges::any_of(tally_.jobs, fleet::is_simulated_job);
    return std::move(tally_);
  }

 private:
  bool good() const { return wrong_.empty(); }
  // Hosts and distributions have the same numbers of events.
  bool agrees() const {
    std::map<fleet::EventKey, std::uint64_t> events;
    for (const auto& [name, host] : tally_.hosts) {
      for (const auto& [key, totals] : host.event_totals) events[key] += totals.events;
    }
    std::map<fleet::EventKey, std::uint64_t> counted;
    for (const auto& [key, distribution] : tally_.distributions)
      counted[key] = distribution.durations_ns.count();
    return events == counted;
  }
  bool need(bool holds, std::string_view what) {
    if (!holds && good()) wrong_ = what;
    return holds && good();
  }
  static const Json& at(const Json& json, const char* key) {
    static const Json kNull;
    return json.is_object() && json.contains(key) ? json[key] : kNull;
  }
  const Json& list(const Json& json, const char* key) {
    static const Json kNone = Json::array();
    const Json& found = at(json, key);
    return need(found.is_array(), key) ? found : kNone;
  }
  const Json& object(const Json& json, const char* key) {
    static const Json kNone = Json::object();
    const Json& found = at(json, key);
    return need(found.is_object(), key) ? found : kNone;
  }
  // Checks that an entry is a list of `size` elements that begins with `texts` strings.
  bool entry(const Json& json, std::size_t size, std::size_t texts, std::string_view what) {
    bool fits = json.is_array() && json.size() == size;
    for (std::size_t i = 0; fits && i < texts; ++i) fits = json[i].is_string();
    return need(fits, what);
  }

  void rules() {
    const Json& rules = object(json_, "rules");
    const Json &keep = at(rules, "keep_duplicates"), &gap = at(rules, "gap_seconds"),
               &longest = at(rules, "longest_event_seconds");
    if (!need(keep.is_boolean() && gap.is_number() && longest.is_number(), "rules")) return;
    tally_.rules = {keep.get<bool>(), Seconds{gap.get<double>()}, Seconds{longest.get<double>()}};
  }

  void read_host(fleet::HostTally& host, const Json& json) {
    for (const Json& each : list(json, "cells")) {
      if (!entry(each, 3, 2, "cells")) return;
      FromJson numbers(each[2]);
      visit_event_totals(host.event_totals[{each[0].get<std::string>(), each[1].get<std::string>()}],
                         numbers);
      need(numbers.complete(), "cells");
    }
    for (const Json& each : list(json, "gpus")) {
      if (!entry(each, 4, 2, "gpus") || !need(each[2].is_boolean(), "gpus")) return;
      fleet::GpuTally gpu{
          each[0].get<std::string>(), each[1].get<std::string>(), each[2].get<bool>(), {}, {}, {}};
      FromJson numbers(each[3]);
      visit_gpu(gpu.sums, numbers);
      visit_activity(gpu.activity, numbers);
      visit_history(gpu.history, numbers);
      if (need(numbers.complete() && gpu.history.is_valid(), "gpus")) host.gpus.push_back(std::move(gpu));
    }
    for (const Json& each : list(json, "changes")) {
      if (!entry(each, 5, 1, "changes")) return;
      if (!need(each[1].is_number_integer() && each[2].is_number() && each[3].is_number() &&
                    each[4].is_number(),
                "changes"))
        return;
      host.changes[each[0].get<std::string>()] = {Timestamp{each[1].get<std::int64_t>()},
                                                  each[2].get<double>(), each[3].get<double>(),
                                                  each[4].get<double>()};
    }
    for (const Json& each : list(json, "leftovers")) {
      if (!entry(each, 5, 1, "leftovers")) return;
      if (!need(each[1].is_number_integer() && each[2].is_number_unsigned() && each[3].is_boolean() &&
                    each[4].is_boolean(),
                "leftovers"))
        return;
      host.unpaired_checkpoints.push_back(
          {each[0].get<std::string>(),
           {Timestamp{each[1].get<std::int64_t>()}, each[2].get<std::uint64_t>(), 0, each[3].get<bool>(),
            each[4].get<bool>()}});
    }
    const Json& duplicates = at(json, "duplicates");
    if (need(duplicates.is_number_unsigned(), "duplicates"))
      host.duplicates = duplicates.get<std::uint64_t>();
  }

  std::optional<statistics::QuantileSketch> sketch(const Json& json) {
    std::map<std::int32_t, double> buckets;
    const Json& zeros = at(json, "zeros");
    if (!need(zeros.is_number() && zeros >= 0, "sketch")) return std::nullopt;
    for (const Json& each : list(json, "buckets")) {
      if (!entry(each, 2, 0, "sketch") ||
          !need(each[0].is_number_integer() && each[1].is_number() && each[1] > 0, "sketch"))
        return std::nullopt;
      buckets[each[0].get<std::int32_t>()] = each[1].get<double>();
    }
    return statistics::QuantileSketch::of(std::move(buckets), zeros.get<double>());
  }

  void read_distribution(const Json& json) {
    if (!entry(json, 3, 2, "spreads") || !need(json[2].is_object(), "spreads")) return;
    fleet::EventDistribution& distribution =
        tally_.distributions[{json[0].get<std::string>(), json[1].get<std::string>()}];
    if (json[2].contains("duration_sketch")) {
      if (const auto durations = sketch(at(json[2], "duration_sketch")))
        distribution.durations_ns = statistics::CountedValues::of(*durations);
    } else {
      for (const Json& each : list(json[2], "durations")) {
        if (!entry(each, 2, 0, "durations") ||
            !need(each[0].is_number_integer() && each[0] >= 0 && each[1].is_number_unsigned(), "durations"))
          return;
        distribution.durations_ns.add(each[0].get<std::int64_t>(), each[1].get<std::uint64_t>());
      }
    }
    if (auto watts = sketch(at(json[2], "watts"))) distribution.power = std::move(*watts);
    if (auto joules = sketch(at(json[2], "joules"))) distribution.energy = std::move(*joules);
  }

  void read_long(const Json& json) {
    if (!entry(json, 8, 4, "longest") ||
        !need(json[4].is_number_unsigned() && json[5].is_number_integer() && json[6].is_number_integer() &&
                  (json[7].is_number() || json[7].is_null()),
              "longest"))
      return;
    tally_.longest.push_back(
        {json[0].get<std::string>(), json[1].get<std::string>(), json[2].get<std::string>(),
         json[3].get<std::string>(), json[4].get<std::uint64_t>(), Timestamp{json[5].get<std::int64_t>()},
         json[6].get<std::int64_t>(),
         json[7].is_null() ? std::nullopt : std::optional(Joules{json[7].get<double>()})});
  }

  const Json& json_;
  fleet::Tally tally_;
  std::string wrong_;
};

}  // namespace

InputLimits fleet_part_limits() {
  constexpr std::uint64_t kPartBytes = std::uint64_t{4} << 30;
  InputLimits limits = input_limits();
  limits.file_bytes = std::max(limits.file_bytes, kPartBytes);
  return limits;
}

Result<fleet::Tally> read_fleet_part(std::string_view text, const InputLimits& limits) {
  const auto parsed = parse_json<Json>(text, {}, limits);
  if (!parsed)
    return fail(parsed.error().kind, "{}; `ergon fleet analyze --part FILE` writes a part",
                parsed.error().message);
  const Json& json = *parsed;
  const bool has_schema = json.is_object() && json.contains("schema") && json["schema"].is_string();
  if (has_schema && json["schema"] != kFleetPartSchema &&
      json["schema"].get_ref<const std::string&>().starts_with(kPartOfAnyVersion))
    return fail(Errc::invalid_input,
                "a fleet part of another version of Ergon ({}; expected {}); analyze again",
                printable(json["schema"].get_ref<const std::string&>()), kFleetPartSchema);
  if (!has_schema || json["schema"] != kFleetPartSchema)
    return fail(Errc::invalid_input,
                "not a fleet part (schema {}); `ergon fleet analyze --part FILE` writes one",
                kFleetPartSchema);
  return PartReader(json).read();
}

Result<fleet::Tally> read_fleet_part_at(const std::filesystem::path& file_or_folder) {
  std::error_code failed;
  const bool folder = std::filesystem::is_directory(file_or_folder, failed);
  const std::filesystem::path file = folder ? file_or_folder / kFleetPartFile : file_or_folder;
  const auto text = read_file(file, fleet_part_limits());
  if (!text) return text.error();
  auto tally = read_fleet_part(*text);
  if (!tally) return tally.error().in(file.string());
  return tally;
}

}  // namespace ergon::report
