#pragma once

#include <cstdint>

namespace ergon::fleet::synthetic {

// The city is an image of 256 x 256 tiles of level 12. 16 x 16 of them are one tile of level 8, and all of
// them are the tile of level 4.
struct Tile {
  int level = 12;
  std::int64_t x = 0, y = 0;

  friend bool operator==(const Tile&, const Tile&) = default;
};

// The tile of a task. No tile occurs twice. 64 tasks on each of 1,024 hosts make one image, in shuffled
// order; more tasks or hosts start the next image, with continued coordinates. Of every 16 x 16 tiles, one is
// replaced by the tile of level 8. The first task of host 0 is the tile of level 4.
Tile tile_of(std::uint64_t host, std::uint64_t task);

// Relative rendering work, around 1. It is spatially correlated, and one corner is empty.
double content_of(const Tile& tile, std::uint64_t seed);

}  // namespace ergon::fleet::synthetic
