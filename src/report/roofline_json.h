#pragma once

#include <span>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "systolic/roofline.h"

namespace ergon::report {

// Body of `ergon roofline`: every roof with the point of every layer.
nlohmann::ordered_json roofline_json(const std::string& network, const systolic::Rooflines& rooflines,
                                     std::span<const systolic::RooflineChart> charts,
                                     std::span<const systolic::Layer> layers);

}  // namespace ergon::report
