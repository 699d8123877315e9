// nlohmann's parser reports values one after another (SAX) and does not recurse. The builder below makes the
// value from them, as the library itself would, and stops at the first level that is too deep: nothing deeper
// is ever built. nlohmann's callback parser can do the same, but takes 17 times as long.
//
// An ordered_json keeps the members of an object as a list and searches it for every new name, which takes
// hours for an object with millions of names. Larger objects therefore get an index while they are built.

#include "base/json.h"

#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace ergon {
namespace {

constexpr std::size_t kSearched = 32;  // members of an object without an index
constexpr int kOutOfRange = 406;       // nlohmann's number of the error

template <typename Json>
class Builder {
 public:
  explicit Builder(std::size_t max_depth) : max_depth_(max_depth) {}

  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(std::int64_t value) { return put(value); }
  bool number_unsigned(std::uint64_t value) { return put(value); }
  bool number_float(double value, const std::string&) { return put(value); }
  bool string(std::string& value) { return put(std::move(value)); }
  bool binary(typename Json::binary_t&) { return false; }
  bool start_array(std::size_t) { return open(Json::value_t::array); }
  bool start_object(std::size_t) { return open(Json::value_t::object); }
  bool end_array() { return close(); }
  bool end_object() { return close(); }

  bool key(std::string& name) {
    member_ = &member(levels_.back(), name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const typename Json::exception& error) {
    position_ = position;
    out_of_range_ = error.id == kOutOfRange;
    return false;
  }

  bool too_deep() const { return too_deep_; }
  bool out_of_range() const { return out_of_range_; }
  std::size_t position() const { return position_; }
  Json take() { return std::move(root_); }

 private:
  using Index = std::unordered_map<std::string, std::size_t>;

  struct Level {
    Json* value;
    std::unique_ptr<Index> index;
  };

  template <typename Value>
  Json& add(Value&& value) {
    if (levels_.empty()) return root_ = Json(std::forward<Value>(value));
    Json& parent = *levels_.back().value;
    if (!parent.is_array()) return *member_ = Json(std::forward<Value>(value));
    auto& list = parent.template get_ref<typename Json::array_t&>();
    list.emplace_back(std::forward<Value>(value));
    return list.back();
  }

  template <typename Value>
  bool put(Value&& value) {
    add(std::forward<Value>(value));
    return true;
  }

  bool open(typename Json::value_t kind) {
    too_deep_ = levels_.size() >= max_depth_;
    if (too_deep_) return false;
    levels_.push_back({&add(kind), nullptr});
    return true;
  }

  bool close() {
    levels_.pop_back();
    return true;
  }

  static Json& member(Level& level, std::string& name) {
    auto& object = level.value->template get_ref<typename Json::object_t&>();
    if constexpr (std::is_same_v<Json, nlohmann::ordered_json>) {
      if (object.size() >= kSearched) return indexed_member(level, object, name);
    }
    return object[std::move(name)];
  }

  static Json& indexed_member(Level& level, typename Json::object_t& object, std::string& name) {
    if (!level.index) {
      level.index = std::make_unique<Index>();
      for (std::size_t i = 0; i < object.size(); ++i)
        level.index->emplace((object.begin() + static_cast<std::ptrdiff_t>(i))->first, i);
    }
    const auto [found, is_new] = level.index->emplace(name, object.size());
    if (is_new) object.emplace_back(std::move(name), Json());
    return (object.begin() + static_cast<std::ptrdiff_t>(found->second))->second;
  }

  std::size_t max_depth_;
  Json root_;
  std::vector<Level> levels_;
  Json* member_ = nullptr;  // of the innermost object: where its next value belongs
  bool too_deep_ = false;
  bool out_of_range_ = false;
  std::size_t position_ = 0;
};

Error named(std::string_view source, const Error& error) { return source.empty() ? error : error.in(source); }

template <typename Json>
Error error_of(const Builder<Json>& builder, std::string_view text, std::string_view source,
               const InputLimits& limits) {
  if (builder.too_deep())
    return named(source, fail(Errc::invalid_input, "nested deeper than {} levels; {}", limits.depth,
                              how_to_raise("depth", "N")));
  if (builder.out_of_range())
    return named(source, fail(Errc::invalid_input, "not JSON: a number is out of range"));
  if (source.empty()) return fail(Errc::invalid_input, "not JSON");
  const std::string_view until = text.substr(0, builder.position());
  return fail(Errc::invalid_input, "{}:{}: not JSON", source,
              1 + std::count(until.begin(), until.end(), '\n'));
}

}  // namespace

template <typename Json>
Result<Json> parse_json(std::string_view text, std::string_view source, const InputLimits& limits) {
  if (const auto fits = check_file_size(text.size(), limits); !fits) return named(source, fits.error());
  Builder<Json> builder(limits.depth);
  if (!Json::sax_parse(text.begin(), text.end(), &builder)) return error_of(builder, text, source, limits);
  return builder.take();
}

template Result<nlohmann::json> parse_json(std::string_view, std::string_view, const InputLimits&);
template Result<nlohmann::ordered_json> parse_json(std::string_view, std::string_view, const InputLimits&);

}  // namespace ergon
