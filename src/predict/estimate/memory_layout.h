#pragma once

#include "graph/network.h"

namespace ergon::predict {

// Memory layout of tensors after view operations. Views (transpose, reshape, slice) change strides, not data;
// elementwise operations keep the layout of their input. An operation that needs another layout pays for a
// copy.

// The last two dimensions are not contiguous, so a batched matrix product copies its operand first.
bool has_strided_matrices(const graph::Network& network, graph::ValueId value);

// The tensor is channels-last (NHWC) although the network is channels-first, e.g. after a ConvNeXt block: it
// was written channels-last and then transposed as a view. Convolutions, batch norms, pools and elementwise
// operations keep the layout.
bool is_unintended_channels_last(const graph::Network& network, graph::ValueId image);

// Elements along the last dimension are not adjacent in memory. Images with two spatial dimensions are
// written channels-first, or channels-last if `images_channels_last`; flattening them keeps that layout.
bool has_strided_rows(const graph::Network& network, graph::ValueId value, bool images_channels_last);

// The image is channels-first although convolutions write channels-last, as they do in 16 bits. Group norms
// only write channels-first; the operations after them keep that layout.
bool is_unintended_channels_first(const graph::Network& network, graph::ValueId image);

// The tensor is a slice of an image's channels, so samples are not adjacent in memory.
bool is_channel_slice(const graph::Network& network, graph::ValueId value);

}  // namespace ergon::predict
