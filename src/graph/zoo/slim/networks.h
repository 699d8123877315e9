#pragma once

#include <span>
#include <string>

#include "graph/zoo/entry.h"

// The TensorFlow Slim networks of the BatchSizer paper, with 1001-class heads (class 0 is background).
namespace ergon::graph::zoo::slim {

inline constexpr std::int64_t kClasses = 1001;

Result<Network> inception_v1(const InputSize& input);
Result<Network> inception_v2(const InputSize& input);
// Includes the auxiliary head, which exists in training only.
Result<Network> inception_v3(const InputSize& input);
Result<Network> mobilenet_v1(const InputSize& input);
Result<Network> mobilenet_v2(const InputSize& input);
Result<Network> nasnet_mobile(const InputSize& input);
Result<Network> pnasnet_mobile(const InputSize& input);
Result<Network> resnet_v2(const std::string& name, std::span<const int> units, const InputSize& input);

}  // namespace ergon::graph::zoo::slim
