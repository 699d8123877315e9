#include "systolic/setup/bandwidth.h"

#include <gtest/gtest.h>

namespace ergon::systolic {
namespace {

TEST(Bandwidth, IsWordsARateOrCalculated) {
  EXPECT_EQ(*parse_bandwidth("20")->words_per_cycle, 20);
  EXPECT_EQ(*parse_bandwidth("0.5")->words_per_cycle, 0.5);
  EXPECT_EQ(*parse_bandwidth("28.8GB/s")->rate, BytesPerSecond{28.8e9});
  EXPECT_TRUE(parse_bandwidth("calc")->is_calculated());
  EXPECT_EQ(parse_bandwidth("28.8GB/s")->text, "28.8GB/s");
  for (const char* text : {"", "0", "-1", "2e9", "1e-7", "28GB", "-1GB/s", "CALC", "many"})
    EXPECT_FALSE(parse_bandwidth(text)) << text;
}

TEST(MemoryPortOf, ConvertsRatesByClockAndWordSize) {
  Accelerator accelerator;
  accelerator.memory_bytes_per_word = 2;
  const auto port = port_of(*parse_bandwidth("8GB/s"), Semantics::ergon, &accelerator, Hertz{500e6});
  ASSERT_TRUE(port);
  EXPECT_DOUBLE_EQ(port->channel_words, 8);
  EXPECT_EQ(port->ports.ifmap, 8);
  EXPECT_FALSE(port_of(*parse_bandwidth("8GB/s"), Semantics::ergon, nullptr, std::nullopt));
  EXPECT_FALSE(port_of(*parse_bandwidth("8GB/s"), Semantics::ergon, &accelerator, std::nullopt));
  EXPECT_TRUE(port_of(*parse_bandwidth("calc"), Semantics::v3, nullptr, std::nullopt)->calculated);
}

TEST(MemoryPortOf, ScaleSimNeedsAWholeWord) {
  EXPECT_TRUE(port_of(0.5, Semantics::ergon));
  for (const Semantics semantics : {Semantics::v3, Semantics::v2, Semantics::v2_2021}) {
    EXPECT_FALSE(port_of(0.5, semantics));
    EXPECT_TRUE(port_of(1, semantics));
  }
  EXPECT_FALSE(port_of(1e-7, Semantics::ergon));
  EXPECT_FALSE(port_of(2e9, Semantics::ergon));
}

TEST(WordsText, ShowsThePortThatCounts) {
  EXPECT_EQ(words_text(MemoryPort::of(8.25), Semantics::ergon), "8.25");
  EXPECT_EQ(words_text(MemoryPort::of(8.25), Semantics::v3), "8");
  EXPECT_EQ(words_text(MemoryPort::as_needed(), Semantics::v3), "calc");
}

}  // namespace
}  // namespace ergon::systolic
