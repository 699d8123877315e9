#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ergon::predict {

// The text of a device's bundled model file (data/models); empty if there is no bundled model.
std::string_view builtin_model(std::string_view device);
// Names of the devices with a bundled model.
std::vector<std::string> builtin_models();

}  // namespace ergon::predict
