#pragma once

namespace ergon {

constexpr double square(double x) { return x * x; }

}  // namespace ergon
