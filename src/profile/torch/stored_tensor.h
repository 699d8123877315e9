#pragma once

#include <ATen/core/Tensor.h>
#include <memory>
#include <optional>

#include "base/result.h"
#include "graph/content.h"

namespace ergon::profile::torch {

// ATen's element type; empty if ATen has no arithmetic for it.
std::optional<at::ScalarType> scalar_type_of(graph::ElementType type);

// A copy of a file's tensor on the processor.
Result<at::Tensor> to_tensor(const graph::StoredTensor& stored);
// The inverse, for floating-point tensors.
std::shared_ptr<const graph::StoredTensor> to_stored(const at::Tensor& tensor);

// The elements of a tensor of any type.
std::vector<double> numbers_in(const graph::StoredTensor& stored);
std::vector<std::int64_t> integers_in(const graph::StoredTensor& stored);

}  // namespace ergon::profile::torch
