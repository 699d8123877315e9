#pragma once

#include <optional>
#include <string>

#include "device/twin/specification.h"
#include "predict/model/model.h"

namespace ergon::predict {

// Smallest half width of an interval that comes from few networks.
inline constexpr double kMinNetworkWidth = 0.1;
// Half width of a twin for kinds of networks of which none was measured: -30 to +42 %.
inline constexpr double kUnvalidatedWidth = 0.35;
inline constexpr IntervalWidths kUnvalidatedWidths{kUnvalidatedWidth, kUnvalidatedWidth, kUnvalidatedWidth};

// Half widths of the intervals of a twin, from its errors on held-out networks of the same kind: mode,
// precision, GPU-bound or host-bound. Errors on other programs do not count: those were predicted from a
// measurement of the same program at another clock.
IntervalWidths twin_widths(const device::Specification& gpu, const WorkloadConfig& config, bool host_bound);

// Why the widths of a twin are defaults; empty if its errors on networks of this kind were measured.
std::optional<std::string> twin_width_warning(const device::Specification& gpu, const WorkloadConfig& config,
                                              bool host_bound);

// Half widths of a model that was calibrated with few rows (fit_few()). Not below those of a twin without
// validation, for modes and precisions of which no network was measured.
IntervalWidths calibrated_widths(const Model& model, const device::Specification& gpu,
                                 const WorkloadConfig& config, bool host_bound);
// Why these widths are defaults; empty if networks of this mode and precision were measured.
std::optional<std::string> calibrated_width_warning(const Model& model, const device::Specification& gpu,
                                                    const WorkloadConfig& config);

}  // namespace ergon::predict
