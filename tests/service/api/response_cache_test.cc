#include "service/api/response_cache.h"

#include <thread>

#include <gtest/gtest.h>

namespace ergon::service {
namespace {

std::shared_ptr<const std::string> text(std::string body) {
  return std::make_shared<const std::string>(std::move(body));
}

TEST(ResponseCache, ReturnsInsertedResponses) {
  ResponseCache cache(100);
  EXPECT_FALSE(cache.find("a"));
  cache.insert("a", text("1"));
  cache.insert("", text(""));
  EXPECT_EQ(*cache.find("a"), "1");
  EXPECT_EQ(*cache.find(""), "");
  EXPECT_FALSE(cache.find("b"));
  EXPECT_EQ(cache.bytes(), 2u);
}

TEST(ResponseCache, KeepsTheFirstResponse) {
  ResponseCache cache(100);
  cache.insert("a", text("1"));
  cache.insert("a", text("22"));
  EXPECT_EQ(*cache.find("a"), "1");
  EXPECT_EQ(cache.bytes(), 2u);
}

TEST(ResponseCache, EvictsTheLeastRecentlyUsed) {
  ResponseCache cache(6);
  for (const char* question : {"a", "b", "c"}) cache.insert(question, text("1"));
  EXPECT_TRUE(cache.find("a"));
  cache.insert("d", text("1"));
  EXPECT_FALSE(cache.find("b"));
  for (const char* question : {"a", "c", "d"}) EXPECT_TRUE(cache.find(question)) << question;
  EXPECT_EQ(cache.bytes(), 6u);
}

TEST(ResponseCache, IgnoresEntriesLargerThanTheLimit) {
  ResponseCache cache(10);
  cache.insert("a", text("1"));
  cache.insert("b", text(std::string(10, 'x')));
  EXPECT_FALSE(cache.find("b"));
  EXPECT_TRUE(cache.find("a"));
  cache.insert("b", text(std::string(9, 'x')));
  EXPECT_TRUE(cache.find("b"));
  EXPECT_FALSE(cache.find("a"));
  EXPECT_EQ(cache.bytes(), 10u);
}

TEST(ResponseCache, IsThreadSafe) {
  ResponseCache cache(40);
  {
    std::vector<std::jthread> all;
    for (int thread = 0; thread < 4; ++thread) {
      all.emplace_back([&cache, thread] {
        for (int i = 0; i < 2000; ++i) {
          const std::string question = std::to_string((i * 7 + thread) % 30);
          if (const auto known = cache.find(question)) {
            EXPECT_EQ(*known, question);
          }
          cache.insert(question, text(question));
        }
      });
    }
  }
  EXPECT_LE(cache.bytes(), 40u);
  EXPECT_GT(cache.bytes(), 30u);
}

}  // namespace
}  // namespace ergon::service
