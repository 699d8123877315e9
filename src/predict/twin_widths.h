#pragma once

#include <optional>
#include <string>

#include "device/twin/specification.h"
#include "predict/model/model.h"

namespace ergon::predict {

// Half widths of the intervals of a twin, from its errors on held-out networks. Errors on other programs do
// not count: those were predicted from a measurement of the same program at another clock.
IntervalWidths twin_widths(const device::Specification& gpu);

// Why the widths of a twin are defaults; empty if its errors on networks were measured.
std::optional<std::string> twin_width_warning(const device::Specification& gpu);

}  // namespace ergon::predict
