#pragma once

// Factors of SI and binary prefixes, for conversions at borders where a name carries the unit:
// clock.si() / kMega.

namespace ergon {

inline constexpr double kPico = 1e-12, kMicro = 1e-6, kMilli = 1e-3, kMega = 1e6, kGiga = 1e9, kTera = 1e12;
inline constexpr double kMebi = 1048576, kGibi = 1073741824;

}  // namespace ergon
