#include "report/or_null.h"

#include <nlohmann/json.hpp>

namespace ergon::report {

nlohmann::ordered_json or_null(const std::optional<double>& number) {
  return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json(nullptr);
}

}  // namespace ergon::report
