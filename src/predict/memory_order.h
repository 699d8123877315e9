#pragma once

#include "graph/network.h"

namespace ergon::predict {

// How tensors lie in memory after views: turning axes moves nothing, and what is computed element by element
// keeps the order it finds. Whoever reads such a tensor in another order pays for it.

// Whether its matrices (the last two axes) do not follow each other.
bool is_scattered(const graph::Network& network, graph::ValueId value);

// Whether an image lies with its channels last although nobody asked for that: what was written in that order
// was only turned to channels first. Convolutions, batch norms, pools and what goes element by element keep
// the order.
bool lies_turned(const graph::Network& network, graph::ValueId image);

// Whether neighbours along its last axis do not lie side by side; matrices do not mind. Images of two sides
// are written channels first, or with their channels last where `images_last`; flattened, they lie as they
// did.
bool rows_lie_apart(const graph::Network& network, graph::ValueId value, bool images_last);

// Whether an image lies with its channels first although convolutions write theirs the other way round, as
// they do in 16 bits: group norms know no other order, and what follows them keeps it.
bool lies_channels_first(const graph::Network& network, graph::ValueId image);

// Whether it was cut out of the channels of an image, so that every sample's part lies by itself.
bool is_cut_from_channels(const graph::Network& network, graph::ValueId value);

}  // namespace ergon::predict
