#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"

namespace ergon {

// Reads the fields of a JSON object and remembers the first that is wrong; asked for everything, it names
// what nobody asked for.
class Fields {
 public:
  // A number above 0 of a size that a quantity can have.
  static bool is_sensible(const nlohmann::json& value);

  static Result<Fields> parse(std::string_view text, std::string_view source);

  std::string text(const std::string& path);
  double positive(const std::string& path);
  std::int64_t whole(const std::string& path, std::int64_t least);
  std::vector<std::string> texts(const std::string& path);
  // An object of positive numbers; empty when it is not there.
  std::map<std::string, double> numbers(const std::string& path);
  // The value itself, or null.
  const nlohmann::json& raw(const std::string& path);

  void complain(const std::string& path, std::string_view wanted);
  // The first thing that was wrong, or a field that means nothing.
  std::optional<Error> error() const;

 private:
  Fields(std::shared_ptr<const nlohmann::json> json, std::string source)
      : json_(std::move(json)), source_(std::move(source)) {}

  std::shared_ptr<const nlohmann::json> json_;
  std::string source_;
  std::vector<std::string> asked_;
  std::optional<Error> error_;
};

}  // namespace ergon
