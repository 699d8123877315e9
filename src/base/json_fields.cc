#include "base/json_fields.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/text.h"

namespace ergon {
namespace {

using Json = nlohmann::json;

const Json kNull;

// Limits of physically plausible quantities; products of two stay finite.
constexpr double kLeast = 1e-9, kMost = 1e12;

}  // namespace

bool Fields::is_sensible(const Json& value) {
  return value.is_number() && value.get<double>() >= kLeast && value.get<double>() <= kMost;
}

Result<Fields> Fields::parse(std::string_view text, std::string_view source) {
  auto json = parse_json<Json>(text, source);
  if (!json) return json.error();
  if (!json->is_object()) return fail(Errc::invalid_input, "{}: not a JSON object", source);
  return Fields(std::make_shared<const Json>(std::move(*json)), std::string(source));
}

// "scratchpads_kib.ifmap" is a field of a field.
const Json& Fields::raw(const std::string& path) {
  const Json* at = json_.get();
  for (const std::string_view name : split(path, '.')) {
    if (at == json_.get()) asked_.emplace_back(name);
    const auto found = at->is_object() ? at->find(std::string(name)) : at->end();
    if (!at->is_object() || found == at->end()) return kNull;
    at = &*found;
  }
  return *at;
}

void Fields::complain(const std::string& path, std::string_view wanted) {
  if (error_) return;
  const Json& value = raw(path);
  error_ = value.is_null()
               ? fail(Errc::invalid_input, "{}: \"{}\" is missing", source_, path)
               : fail(Errc::invalid_input, "{}: \"{}\": expected {}, not {}", source_, path, wanted,
                      printable(value.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

std::string Fields::text(const std::string& path) {
  const Json& value = raw(path);
  if (value.is_string() && !value.get_ref<const std::string&>().empty()) return value;
  complain(path, "a text");
  return "";
}

double Fields::positive(const std::string& path) {
  const Json& value = raw(path);
  if (is_sensible(value)) return value;
  complain(path, "a number above 0");
  return 1;
}

double Fields::share(const std::string& path) {
  const Json& value = raw(path);
  if (value.is_number() && value.get<double>() >= 0 && value.get<double>() <= 1) return value;
  complain(path, "a share from 0 to 1");
  return 0;
}

std::int64_t Fields::whole(const std::string& path, std::int64_t least) {
  const Json& value = raw(path);
  if (value.is_number_integer() && value.get<std::int64_t>() >= least &&
      value.get<std::int64_t>() <= std::int64_t{1} << 40) {
    return value;
  }
  complain(path, "a whole number from 1 on");
  return least;
}

std::vector<std::string> Fields::texts(const std::string& path) {
  std::vector<std::string> texts;
  const Json& value = raw(path);
  if (value.is_null()) return texts;
  const bool fine = value.is_array() &&
                    std::all_of(value.begin(), value.end(), [](const Json& one) { return one.is_string(); });
  if (!fine) return complain(path, "a list of texts"), texts;
  for (const Json& one : value) texts.push_back(one);
  return texts;
}

std::map<std::string, double> Fields::numbers(const std::string& path) {
  std::map<std::string, double> numbers;
  const Json& value = raw(path);
  if (value.is_null()) return numbers;
  if (!value.is_object()) return complain(path, "an object of numbers"), numbers;
  for (const auto& [name, number] : value.items()) {
    if (!is_sensible(number)) return complain(path, "numbers above 0"), numbers;
    numbers[name] = number;
  }
  return numbers;
}

std::optional<Error> Fields::error() const {
  if (error_) return error_;
  for (const auto& [name, value] : json_->items()) {
    if (std::find(asked_.begin(), asked_.end(), name) == asked_.end()) {
      return fail(Errc::invalid_input, "{}: unknown field \"{}\"{}", source_, printable(name),
                  suggestion(name, asked_));
    }
  }
  return std::nullopt;
}

}  // namespace ergon
