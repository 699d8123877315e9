#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ergon::predict {

// The model of a device that comes with Ergon (data/models), as its file has it; empty where there is none.
std::string_view builtin_model(std::string_view device);
std::vector<std::string> builtin_models();

}  // namespace ergon::predict
