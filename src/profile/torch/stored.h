#pragma once

#include <ATen/core/Tensor.h>
#include <memory>
#include <optional>

#include "base/result.h"
#include "graph/content.h"

namespace ergon::profile::torch {

// The element type as ATen knows it; nothing for those that it has no arithmetic for.
std::optional<at::ScalarType> scalar_type_of(graph::ElementType type);

// A tensor of the file on the processor, with memory of its own.
Result<at::Tensor> to_tensor(const graph::StoredTensor& stored);
// A floating tensor back in its stored form.
std::shared_ptr<const graph::StoredTensor> to_stored(const at::Tensor& tensor);

// The numbers of a small tensor of any type.
std::vector<double> numbers_in(const graph::StoredTensor& stored);
std::vector<std::int64_t> integers_in(const graph::StoredTensor& stored);

}  // namespace ergon::profile::torch
