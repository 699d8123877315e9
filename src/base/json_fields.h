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

// Reads the fields of a JSON object and keeps the first error. finish() also reports unknown fields: those
// that were never read.
class Fields {
 public:
  // A positive number within the range of physical quantities.
  static bool is_sensible(const nlohmann::json& value);

  static Result<Fields> parse(std::string_view text, std::string_view source);

  std::string text(const std::string& path);
  double positive(const std::string& path);
  // From 0 to 1.
  double share(const std::string& path);
  std::int64_t whole(const std::string& path, std::int64_t least);
  std::vector<std::string> texts(const std::string& path);
  // An object of positive numbers; empty when the field is absent.
  std::map<std::string, double> numbers(const std::string& path);
  // The value itself, or null.
  const nlohmann::json& raw(const std::string& path);

  void complain(const std::string& path, std::string_view wanted);
  // The first error, or an unknown field.
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
