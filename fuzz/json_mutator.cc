#include "fuzz/json_mutator.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "fuzz/mutation.h"

namespace ergon::fuzz {
namespace {

using Json = nlohmann::ordered_json;

// A value with its parent, which is null for the document.
struct Position {
  Json* value;
  Json* parent;
};

void collect(Json& value, Json* parent, std::vector<Position>& all) {
  all.push_back({&value, parent});
  if (value.is_structured()) {
    for (Json& child : value) collect(child, &value, all);
  }
}

std::string text_of(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json unusual_value(Random& random) {
  static const std::vector<Json> kValues = {
      nullptr,
      true,
      false,
      0,
      -0.0,
      1,
      -1,
      2,
      63,
      64,
      1000,
      0.5,
      1e-9,
      1e9,
      1e15,
      1e100,
      1e300,
      std::numeric_limits<double>::max(),
      std::numeric_limits<double>::lowest(),
      std::numeric_limits<double>::denorm_min(),
      std::numeric_limits<std::int32_t>::max(),
      std::numeric_limits<std::int32_t>::min(),
      std::numeric_limits<std::int64_t>::max(),
      std::numeric_limits<std::int64_t>::min(),
      std::numeric_limits<std::uint64_t>::max(),
      (std::int64_t{1} << 53) + 1,
      "",
      " ",
      "0",
      "-1",
      "1e999",
      "nan",
      "../x",
      std::string("a\0b", 3),
      "\n",
      std::string(300, 'x'),
      Json::array(),
      Json::object(),
      Json::array({Json::array()}),
  };
  return pick(kValues, random);
}

Json nearby_number(const Json& number, Random& random) {
  const double value = number.get<double>();
  switch (random.below(8)) {
    case 0:
      return value * 2;
    case 1:
      return value / 2;
    case 2:
      return -value;
    case 3:
      return value * 1e3;
    case 4:
      return value * (0.5 + random.uniform());
    case 5:
      return value;  // an integer becomes a float
    default: {
      if (!number.is_number_integer()) return std::nextafter(value, random.uniform() < 0.5 ? -1e308 : 1e308);
      const auto bits = number.get<std::uint64_t>() + (one_in(random, 2) ? 1 : UINT64_MAX);
      return number.is_number_unsigned() ? Json(bits) : Json(static_cast<std::int64_t>(bits));
    }
  }
}

// Renames a member. Names of other objects of the document are likely to mean something here.
void rename(Json& object, const std::vector<Position>& all, Random& random) {
  const Position& other = pick(all, random);
  std::string name = "x";
  if (other.value->is_object() && !other.value->empty()) {
    name =
        std::next(other.value->begin(), static_cast<std::ptrdiff_t>(random.below(other.value->size()))).key();
  }
  const auto member = std::next(object.begin(), static_cast<std::ptrdiff_t>(random.below(object.size())));
  Json value = *member;
  object.erase(member);
  object[name] = std::move(value);
}

void change_children(Json& parent, const std::vector<Position>& all, Random& random) {
  const auto some = [&] {
    return std::next(parent.begin(), static_cast<std::ptrdiff_t>(random.below(parent.size())));
  };
  switch (random.below(5)) {
    case 0:
      parent.erase(some());
      return;
    case 1:
      std::swap(*some(), *some());
      return;
    case 2: {  // repeat a child
      const Json copy = *some();
      if (parent.is_array()) {
        for (int i = number_of_changes(random); i > 0; --i) parent.insert(some(), copy);
      } else {
        *some() = copy;
      }
      return;
    }
    case 3:
      if (parent.is_object()) return rename(parent, all, random);
      parent.insert(some(), unusual_value(random));
      return;
    default: {  // a child takes its parent's place
      Json child = *some();
      parent = std::move(child);
    }
  }
}

void change(Json& document, Random& random) {
  std::vector<Position> all;
  collect(document, nullptr, all);
  Json& value = *pick(all, random).value;
  if (value.is_structured() && !value.empty() && !one_in(random, 4))
    return change_children(value, all, random);
  switch (random.below(6)) {
    case 0:
      value = unusual_value(random);
      return;
    case 1: {
      Json copy = *pick(all, random).value;
      value = std::move(copy);
      return;
    }
    case 2:  // a value of the same type
      for (int attempt = 0; attempt < 20; ++attempt) {
        const Json& other = *pick(all, random).value;
        if (other.type() != value.type()) continue;
        Json copy = other;
        value = std::move(copy);
        return;
      }
      return;
    case 3:
      value = one_in(random, 2) ? Json::array({value}) : Json{{"x", value}};
      return;
    default:
      if (value.is_string()) {
        value = with_mutated_bytes(value.get<std::string>());
      } else if (value.is_number()) {
        value = nearby_number(value, random);
      } else {
        value = unusual_value(random);
      }
  }
}

std::size_t mutate_json(const Input& input, unsigned seed) {
  Random random(seed);
  if (one_in(random, 16)) return input.mutate_bytes();
  const auto parsed = parse_json<Json>(input.text());
  if (!parsed) return input.mutate_bytes();
  for (int attempt = 0; attempt < 8; ++attempt) {
    Json document = *parsed;
    for (int i = number_of_changes(random); i > 0; --i) change(document, random);
    if (repair_document != nullptr && !one_in(random, 4)) repair_document(document);
    const std::string text = text_of(document);
    if (text.size() <= input.max_size) return input.replace(text);
  }
  return input.mutate_bytes();
}

// Replaces a value of `text` by a value of `other`, preferably one of the same name.
std::string crossed(std::string_view text, std::string_view other, unsigned seed) {
  auto document = parse_json<Json>(text), donor = parse_json<Json>(other);
  if (!document || !donor) return std::string(other);
  Random random(seed);
  std::vector<Position> places, donors;
  collect(*document, nullptr, places);
  collect(*donor, nullptr, donors);
  const Position& place = pick(places, random);
  const Json* value = pick(donors, random).value;
  if (place.parent != nullptr && place.parent->is_object()) {
    for (const auto& [name, member] : place.parent->items()) {
      if (&member != place.value) continue;
      std::vector<const Json*> namesakes;
      for (const Position& each : donors) {
        if (each.value->is_object() && each.value->contains(name)) namesakes.push_back(&(*each.value)[name]);
      }
      if (!namesakes.empty()) value = pick(namesakes, random);
      break;
    }
  }
  *place.value = *value;
  if (repair_document != nullptr) repair_document(*document);
  return text_of(*document);
}

}  // namespace
}  // namespace ergon::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return ergon::fuzz::mutate_json({data, size, max_size}, seed);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second, std::size_t second_size,
                                                 std::uint8_t* out, std::size_t max_size, unsigned seed) {
  using ergon::fuzz::text_of;
  return ergon::fuzz::Input{out, 0, max_size}.replace(
      ergon::fuzz::crossed(text_of(first, first_size), text_of(second, second_size), seed));
}
