// Places and ranks by arithmetic against the stream written out.

#include "systolic/trace/operand_stream.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "systolic/random_layer.h"
#include "systolic/trace/read_demand.h"

namespace ergon::systolic {
namespace {

struct Word {
  StreamPosition position;
  StreamWord word;
};

std::vector<Word> written_out(const OperandStream& stream, const Geometry& g, bool is_ifmap) {
  std::vector<Word> words;
  for (std::int64_t block = 0; block < stream.blocks(); ++block) {
    for (std::int64_t row = 0; row < stream.rows(); ++row) {
      for (std::int64_t lane = 0; lane < stream.lanes_of(block); ++lane) {
        const std::int64_t index = block * stream.width() + lane;
        const bool by_position = stream.axis() == LaneAxis::positions;
        if (is_ifmap && (by_position ? g.is_missing(index, row) : g.is_missing(row, index))) continue;
        words.push_back({stream.position({block, row, lane}), {block, row, lane}});
      }
    }
  }
  std::sort(words.begin(), words.end(), [](const Word& a, const Word& b) { return a.position < b.position; });
  return words;
}

TEST(OperandStream, RanksAndPositionsMatchAnExplicitStream) {
  Random random(9);
  for (int i = 0; i < 150; ++i) {
    const RandomCase c = random_case(random);
    const auto g = geometry_of(c.row);
    ASSERT_TRUE(g);
    const auto m = map_layer(*g, c.machine.array, c.machine.dataflow);
    ASSERT_TRUE(m);
    for (const ReadDemand& demand : {ReadDemand::of_ifmap(*g, *m), ReadDemand::of_filter(*g, *m)}) {
      const OperandStream& stream = demand.stream();
      const auto words = written_out(stream, *g, demand.is_ifmap());
      ASSERT_EQ(stream.words(), static_cast<std::int64_t>(words.size())) << c;
      const std::size_t step = std::max<std::size_t>(1, words.size() / 97);
      for (std::size_t rank = 0; rank < words.size(); rank += step) {
        ASSERT_EQ(stream.position_of_rank(static_cast<std::int64_t>(rank)), words[rank].position)
            << c << " rank " << rank;
        ASSERT_EQ(stream.rank_of(words[rank].word), static_cast<std::int64_t>(rank)) << c;
      }
      ASSERT_LT(words.back().position, stream.position_of_rank(stream.words())) << c;
    }
  }
}

}  // namespace
}  // namespace ergon::systolic
