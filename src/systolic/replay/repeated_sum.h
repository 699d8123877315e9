#pragma once

#include <cstdint>

namespace ergon::systolic {

// sum + value + value + ... (`count` times), rounded after every addition as a loop would, in time
// independent of `count`. Contract: `sum` and `value` are not negative.
double add_repeatedly(double sum, double value, std::int64_t count);

}  // namespace ergon::systolic
