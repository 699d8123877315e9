#include "fleet/synthetic/tile.h"

#include "base/square.h"
#include "fleet/synthetic/random_stream.h"

namespace ergon::fleet::synthetic {
namespace {

constexpr std::int64_t kSide = 256, kBlock = 16;
constexpr std::uint64_t kHostsOfPicture = 1024, kTasksOfPicture = 64;

// A permutation of the 16-bit numbers.
std::uint32_t shuffled(std::uint32_t index) {
  for (int round = 0; round < 3; ++round) {
    index = (index * 0x9e35 + 0x3c6f) & 0xffff;
    index ^= index >> 7;
    index = (index * 0x6f4b + 0x51ed) & 0xffff;
    index ^= index >> 9;
  }
  return index;
}

constexpr double kMeanContent = 1.025;
constexpr double kEmpty = 0.48;  // view and sky are rendered there too
constexpr double kEmptyWidth = 60, kEmptyHeight = 52;
constexpr double kWholeCity = 1.3;

// Bilinear interpolation of random values in [-0.5, 0.5) on a grid of this spacing.
double hills(const Tile& tile, std::int64_t spacing, std::uint64_t seed) {
  const std::int64_t column = tile.x / spacing, row = tile.y / spacing;
  const auto height = [&](std::int64_t right, std::int64_t down) {
    const auto place = static_cast<std::uint64_t>((column + right) << 32 | (row + down));
    const std::uint64_t drawn =
        RandomStream::mix(RandomStream::mix(seed ^ static_cast<std::uint64_t>(spacing)) + place);
    return static_cast<double>(drawn >> 11) * 0x1p-53 - 0.5;
  };
  const double across = static_cast<double>(tile.x % spacing) / static_cast<double>(spacing);
  const double down = static_cast<double>(tile.y % spacing) / static_cast<double>(spacing);
  const double above = height(0, 0) * (1 - across) + height(1, 0) * across;
  const double below = height(0, 1) * (1 - across) + height(1, 1) * across;
  return above * (1 - down) + below * down;
}

bool is_empty(const Tile& tile) {
  const auto x = static_cast<double>(tile.x % kSide), y = static_cast<double>(tile.y % kSide);
  return square(x / kEmptyWidth) + square(y / kEmptyHeight) < 1;
}

}  // namespace

Tile tile_of(std::uint64_t host, std::uint64_t task) {
  if (host == 0 && task == 0) return {4, 0, 0};
  const std::uint64_t place = (host % kHostsOfPicture) * kTasksOfPicture + task % kTasksOfPicture;
  const std::uint32_t index = shuffled(static_cast<std::uint32_t>(place));
  const Tile tile{12, index % kSide + kSide * static_cast<std::int64_t>(host / kHostsOfPicture),
                  index / kSide + kSide * static_cast<std::int64_t>(task / kTasksOfPicture)};
  const bool middle = tile.x % kBlock == kBlock / 2 && tile.y % kBlock == kBlock / 2;
  return middle ? Tile{8, tile.x / kBlock, tile.y / kBlock} : tile;
}

double content_of(const Tile& tile, std::uint64_t seed) {
  if (tile.level == 4) return kWholeCity;
  if (tile.level == 8) {
    return content_of({12, tile.x * kBlock + kBlock / 2, tile.y * kBlock + kBlock / 2}, seed);
  }
  if (is_empty(tile)) return kEmpty;
  return kMeanContent + 0.35 * hills(tile, 64, seed) + 0.45 * hills(tile, 16, seed) +
         0.35 * hills(tile, 4, seed);
}

}  // namespace ergon::fleet::synthetic
