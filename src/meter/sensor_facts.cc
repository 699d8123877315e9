#include "meter/sensor_facts.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include <nlohmann/json.hpp>

#include "base/contract.h"
#include "base/json.h"
#include "base/si_prefixes.h"
#include "base/text.h"

namespace ergon::meter {
namespace {

using Json = nlohmann::json;

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(lower(std::exchange(word, {})));
    }
  }
  if (!word.empty()) words.push_back(lower(word));
  return words;
}

std::optional<device::PowerField> field_called(std::string_view name) {
  using device::PowerField;
  for (const PowerField field :
       {PowerField::usage, PowerField::average, PowerField::instant, PowerField::samples}) {
    if (device::name_of(field) == name) return field;
  }
  return std::nullopt;
}

class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  Result<SensorFacts> sensor(const Json& json, const Json& sources) {
    SensorFacts facts;
    const auto field = field_called(text(json, "field"));
    if (!field)
      return fail(Errc::invalid_input, "{}: \"field\" of a sensor must be usage, average, instant or samples",
                  source_);
    facts.field = *field;
    facts.period = Seconds{number(json, "period_ms", 1, 10000) * kMilli};
    facts.window = Seconds{number(json, "window_ms", 1, 10000) * kMilli};
    facts.gain = number(json, "gain", 0.5, 1.5);
    facts.gain_spread = number(json, "gain_spread", 0, 0.5);
    facts.offset = Watts{number(json, "offset_w", -100, 100)};
    facts.offset_spread = Watts{number(json, "offset_spread_w", 0, 100)};
    facts.noise = Watts{number(json, "noise_w", 0, 100)};
    const std::string key = text(json, "source");
    if (text(sources, key.c_str()).empty())
      return fail(Errc::invalid_input, "{}: the source \"{}\" is not in \"sources\"", source_,
                  printable(key));
    facts.source = text(sources, key.c_str());
    facts.known = key != "unknown";
    if (error_) return *error_;
    return facts;
  }

 private:
  static std::string text(const Json& json, const char* name) {
    if (!json.is_object() || !json.contains(name) || !json[name].is_string()) return "";
    return json[name];
  }

  double number(const Json& json, const char* name, double min, double max) {
    const Json value = json.value(name, Json());
    if (value.is_number() && value.get<double>() >= min && value.get<double>() <= max)
      return value.get<double>();
    if (!error_) {
      error_ =
          fail(Errc::invalid_input, "{}: \"{}\" must be a number from {} to {}", source_, name, min, max);
    }
    return min;
  }

  std::string source_;
  std::optional<Error> error_;
};

}  // namespace

Result<SensorCatalog> SensorCatalog::parse(std::string_view json, std::string_view source) {
  const auto parsed = parse_json<Json>(json, source);
  if (!parsed) return parsed.error();
  const Json& file = *parsed;
  if (!file.is_object() || !file.contains("products") || !file["products"].is_array() ||
      !file.contains("sources") || !file["sources"].is_object())
    return fail(Errc::invalid_input, "{}: expected an object with \"sources\" and \"products\"", source);
  SensorCatalog catalog;
  for (const Json& each : file["products"]) {
    if (!each.is_object() || !each.contains("match") || !each["match"].is_array() ||
        !each.contains("sensors") || !each["sensors"].is_array())
      return fail(Errc::invalid_input, "{}: a product needs the lists \"match\" and \"sensors\"", source);
    Product product;
    for (const Json& name : each["match"]) {
      if (!name.is_string())
        return fail(Errc::invalid_input, "{}: \"match\" must be a list of names", source);
      product.names.push_back(words_of(name.get<std::string>()));
      if (product.names.back().empty())
        return fail(Errc::invalid_input, "{}: \"match\" must be a list of names", source);
    }
    for (const Json& sensor : each["sensors"]) {
      auto facts = Reader(source).sensor(sensor, file["sources"]);
      if (!facts) return facts.error();
      product.sensors.push_back(std::move(*facts));
    }
    catalog.products_.push_back(std::move(product));
  }
  if (catalog.products_.empty() || !catalog.products_.back().names.empty())
    return fail(Errc::invalid_input,
                "{}: the last product must have an empty \"match\" (it applies to all others)", source);
  return catalog;
}

std::vector<SensorFacts> SensorCatalog::of(std::string_view product) const {
  const auto words = words_of(product);
  const auto is_called = [&](const std::vector<std::string>& name) {
    return std::search(words.begin(), words.end(), name.begin(), name.end()) != words.end();
  };
  for (const Product& each : products_) {
    if (each.names.empty() || std::any_of(each.names.begin(), each.names.end(), is_called))
      return each.sensors;
  }
  return {};
}

const SensorCatalog& sensor_catalog() {
  static const SensorCatalog catalog = [] {
    auto parsed = SensorCatalog::parse(builtin_sensor_facts(), "power_sensors.json");
    ERGON_EXPECTS(parsed);
    return std::move(*parsed);
  }();
  return catalog;
}

Result<SensorFacts> best_sensor(device::Device& device, const SensorCatalog& catalog) {
  for (const std::string_view product : {std::string_view(device.identity().name), std::string_view()}) {
    for (const SensorFacts& facts : catalog.of(product)) {
      if (device.capabilities().has(facts.field)) return facts;
    }
  }
  return fail(Errc::unsupported, "{} ({}) has no power sensor", device.identity().id, device.identity().name);
}

}  // namespace ergon::meter
