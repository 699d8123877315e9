#include <ergon/quantity_text.h>

#include "base/units_text.h"

namespace ergon {

Result<Hertz> parse_hertz(std::string_view text, std::string_view name) {
  return parse_quantity<Hertz>(text, name);
}

Result<Seconds> parse_seconds(std::string_view text, std::string_view name) {
  return parse_quantity<Seconds>(text, name);
}

Result<Watts> parse_watts(std::string_view text, std::string_view name) {
  return parse_quantity<Watts>(text, name);
}

}  // namespace ergon
