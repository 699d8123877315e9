#pragma once

// Factors of SI prefixes, for conversions at borders where a name carries the unit: clock.si() / kMega.

namespace ergon {

inline constexpr double kPico = 1e-12, kMicro = 1e-6, kMilli = 1e-3, kMega = 1e6, kGiga = 1e9, kTera = 1e12;

}  // namespace ergon
