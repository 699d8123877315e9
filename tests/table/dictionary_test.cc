#include "table/dictionary.h"

#include <string>

#include <gtest/gtest.h>

namespace ergon::table {
namespace {

TEST(Dictionary, CodesCountInTheOrderOfAdding) {
  Dictionary dictionary;
  EXPECT_EQ(dictionary.size(), 0u);
  EXPECT_EQ(dictionary.code_of("b"), 0u);
  EXPECT_EQ(dictionary.code_of("a"), 1u);
  EXPECT_EQ(dictionary.code_of("b"), 0u);
  EXPECT_EQ(dictionary.code_of(""), 2u);
  EXPECT_EQ(dictionary.size(), 3u);
  EXPECT_EQ(dictionary.at(0), "b");
  EXPECT_EQ(dictionary.at(1), "a");
  EXPECT_EQ(dictionary.at(2), "");
}

TEST(Dictionary, TextsThatDifferOnlyInZerosAreDifferent) {
  Dictionary dictionary;
  for (std::size_t zeros = 0; zeros < 40; ++zeros) {
    EXPECT_EQ(dictionary.code_of(std::string(zeros, '\0')), zeros);
  }
  EXPECT_EQ(dictionary.at(17).size(), 17u);
}

TEST(Dictionary, CompactingKeepsAllTextsInLessMemory) {
  Dictionary dictionary;
  for (int i = 0; i < 10'000; ++i) dictionary.code_of("text " + std::to_string(i));
  const Bytes before = dictionary.memory();
  dictionary.compact();
  EXPECT_LT(dictionary.memory(), before);
  EXPECT_EQ(dictionary.code_of("text 1234"), 1234u);
  EXPECT_EQ(dictionary.code_of("new"), 10'000u);
  EXPECT_EQ(dictionary.at(9'999), "text 9999");
}

TEST(Dictionary, ACompactEmptyDictionaryStillTakesTexts) {
  Dictionary dictionary;
  dictionary.compact();
  EXPECT_EQ(dictionary.code_of("a"), 0u);
}

TEST(Dictionary, FindsItsTexts) {
  Dictionary dictionary;
  for (int i = 0; i < 1000; ++i) dictionary.code_of(std::to_string(i));
  for (Code code = 0; code < 1000; ++code) EXPECT_EQ(dictionary.code_of(dictionary.at(code)), code);
  EXPECT_EQ(dictionary.size(), 1000u);
}

}  // namespace
}  // namespace ergon::table
