#pragma once

#include <optional>
#include <vector>

#include "graph/content.h"

namespace ergon::graph::onnx {

// Bytes of one element; nothing where two share a byte, and for text.
std::optional<std::size_t> width_of(ElementType type);

std::int64_t elements_of(const std::vector<std::int64_t>& sizes);

// The elements of a tensor as numbers to compute with. Nothing where the type has none (eight bits and less
// of floating point) or is of the other sort: integers and truth values here, floating point there.
std::optional<std::vector<std::int64_t>> integers_of(const StoredTensor& tensor);
std::optional<std::vector<double>> reals_of(const StoredTensor& tensor);

// And back, rounded to what the type can hold; integers lose their upper bits. Nothing when the numbers are
// not as many as the sizes say.
std::optional<StoredTensor> stored_integers(ElementType type, const std::vector<std::int64_t>& sizes,
                                            const std::vector<std::int64_t>& numbers);
std::optional<StoredTensor> stored_reals(ElementType type, const std::vector<std::int64_t>& sizes,
                                         const std::vector<double>& numbers);

}  // namespace ergon::graph::onnx
