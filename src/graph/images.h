#pragma once

#include "graph/network.h"

namespace ergon::graph {

// Marks the tensors that are images (channels-first). Shapes alone do not tell, so the marks are propagated:
// convolutions and poolings read and write images, elementwise operations and copies preserve the mark, and a
// transpose that moves channels first outputs an image.
void mark_images(Network& network);

}  // namespace ergon::graph
