#pragma once

#include "profile/torch/kernel.h"

namespace ergon::profile::torch {

// One function per operation type, grouped by source file.

// convolution_kernels.cc
Result<Kernel> kernel_for(const NodeView& view, const graph::Convolution& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::TransposedConvolution& op);

// matrix_kernels.cc
Result<Kernel> kernel_for(const NodeView& view, const graph::Dense& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::MatrixProduct& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::Einsum& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::Embedding& op);

// recurrent_kernels.cc
Result<Kernel> kernel_for(const NodeView& view, const graph::Recurrent& op);

// norm_kernels.cc
Result<Kernel> kernel_for(const NodeView& view, const graph::BatchNorm& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::GroupNorm& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::LayerNorm& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::LocalResponseNorm& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::Normalization& op);

// function_kernels.cc, arithmetic_kernels.cc, softmax_kernels.cc
Result<Kernel> kernel_for(const NodeView& view, const graph::Elementwise& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::Arithmetic& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::Softmax& op);

// pooling_kernels.cc, reduce_kernels.cc
Result<Kernel> kernel_for(const NodeView& view, const graph::Pool& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::AdaptivePool& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::Reduce& op);

// movement_kernels.cc, pad_kernels.cc, expand_kernels.cc, gather_kernels.cc, resize_kernels.cc
Result<Kernel> kernel_for(const NodeView& view, const graph::Concat& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::Split& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::Slice& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::Reshape& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::Transpose& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::Dropout& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::Identity& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::Parameter& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::Pad& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::Expand& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::Gather& op);
Result<Kernel> kernel_for(const NodeView& view, const graph::Resize& op);

// recurrent_weights.cc: per direction the input matrix, the state matrix and both biases.
Result<std::vector<WeightPlan>> recurrent_weights(const NodeView& view, const graph::Recurrent& op);

}  // namespace ergon::profile::torch
