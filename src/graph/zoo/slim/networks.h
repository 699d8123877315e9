#pragma once

#include <span>
#include <string>

#include "graph/zoo/entry.h"

// The networks of TensorFlow Slim that the BatchSizer paper runs, with their 1001-class heads (a background
// class comes first).
namespace ergon::graph::zoo::slim {

inline constexpr std::int64_t kClasses = 1001;

Result<Network> inception_v1(const Choice& choice);
Result<Network> inception_v2(const Choice& choice);
// With the auxiliary head, which exists in training only.
Result<Network> inception_v3(const Choice& choice);
Result<Network> mobilenet_v1(const Choice& choice);
Result<Network> mobilenet_v2(const Choice& choice);
Result<Network> nasnet_mobile(const Choice& choice);
Result<Network> pnasnet_mobile(const Choice& choice);
Result<Network> resnet_v2(const std::string& name, std::span<const int> units, const Choice& choice);

}  // namespace ergon::graph::zoo::slim
