#pragma once

#include <optional>
#include <vector>

#include "graph/content.h"

namespace ergon::graph::onnx {

// Bytes per element; empty for 4-bit types and strings.
std::optional<std::size_t> width_of(ElementType type);

std::int64_t elements_of(const std::vector<std::int64_t>& sizes);

// Elements of a tensor, converted for arithmetic: integers_of for integer and boolean types, reals_of for
// floating point. Empty for other types and for floating point of 8 bits or less.
std::optional<std::vector<std::int64_t>> integers_of(const StoredTensor& tensor);
std::optional<std::vector<double>> reals_of(const StoredTensor& tensor);

// The inverse. Floating-point values are rounded to the type; integers lose their upper bits. Empty if the
// count does not match the sizes.
std::optional<StoredTensor> stored_integers(ElementType type, const std::vector<std::int64_t>& sizes,
                                            const std::vector<std::int64_t>& numbers);
std::optional<StoredTensor> stored_reals(ElementType type, const std::vector<std::int64_t>& sizes,
                                         const std::vector<double>& numbers);

}  // namespace ergon::graph::onnx
