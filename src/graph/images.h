#pragma once

#include "graph/network.h"

namespace ergon::graph {

// Marks the tensors that are images. Reshapes and transposes do not say what they make, so images are found
// from what reads and writes them: convolutions and poolings work on images, what only moves or changes
// elements keeps an image one, and channels that are moved to the front belong to an image.
void mark_images(Network& network);

}  // namespace ergon::graph
