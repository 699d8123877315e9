#pragma once

#include <cstdint>

namespace ergon::fleet::synthetic {

// The city is a picture of 256 x 256 tiles of level 12. Seen from further away, 16 x 16 of them are one tile
// of level 8, and all of them the one of level 4.
struct Tile {
  int level = 12;
  std::int64_t x = 0, y = 0;

  friend bool operator==(const Tile&, const Tile&) = default;
};

// What a host's task renders. No tile comes twice. 64 tasks on each of 1,024 hosts make a picture, in no
// order; more tasks, or more hosts, begin the next one, whose tiles go on counting below it or beside it. Of
// every 16 x 16 tiles one makes way for that of level 8, and the first task of host 0 is the tile of level 4.
Tile tile_of(std::uint64_t host, std::uint64_t task);

// How much there is to render, around 1: streets and houses lie together, and one corner is empty.
double content_of(const Tile& tile, std::uint64_t seed);

}  // namespace ergon::fleet::synthetic
