#include "base/json.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ergon {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

std::string repeated_text(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

std::string lists(std::size_t depth) { return repeated_text("[", depth) + repeated_text("]", depth); }

std::string json_refusal(std::string_view text, std::string_view source = {},
                         const InputLimits& limits = {}) {
  const auto json = parse_json<Json>(text, source, limits);
  const auto ordered = parse_json<OrderedJson>(text, source, limits);
  EXPECT_FALSE(json);
  EXPECT_FALSE(ordered);
  if (json || ordered) return "";
  EXPECT_EQ(json.error().kind, Errc::invalid_input);
  EXPECT_EQ(json.error().message, ordered.error().message);
  return json.error().message;
}

TEST(ParseJson, EqualsTheLibrarysParser) {
  for (const char* text :
       {"null", "true", "-3", "18446744073709551615", "0.5e-3", "\"a\\u00e9\\n\"", "[]", "{}", "[[],{}]",
        R"({"b": 1, "a": [1, -2, 3.5, "x", null, false, {"c": {}}], "": ""})", " [ 1 , [ 2 , 3 ] , { } ] ",
        R"({"a": 1, "b": 2, "a": [3]})", R"({"a": [1], "a": {"b": 2}})"}) {
    EXPECT_EQ(parse_json<Json>(text).value().dump(), Json::parse(text).dump()) << text;
    EXPECT_EQ(parse_json<OrderedJson>(text).value().dump(), OrderedJson::parse(text).dump()) << text;
  }
}

// Larger objects are built with an index.
TEST(ParseJson, ObjectsOfManyNamesKeepOrderAndTheLastValue) {
  std::string text = "{";
  for (int i = 0; i < 500; ++i)
    text += "\"k" + std::to_string(i * 7 % 200) + "\": [" + std::to_string(i) + "],";
  text += R"("inner": {"k1": 1, "k1": 2}, "k3": 0})";
  EXPECT_EQ(parse_json<OrderedJson>(text).value().dump(), OrderedJson::parse(text).dump());
  EXPECT_EQ(parse_json<Json>(text).value().dump(), Json::parse(text).dump());
}

// The library compares every name with all names before it: minutes for these.
TEST(ParseJson, AMillionNamesTakeLinearTime) {
  std::string text = "{";
  for (int i = 0; i < 1'000'000; ++i) text += "\"k" + std::to_string(i) + "\":1,";
  const auto json = parse_json<OrderedJson>(text + "\"last\":2}");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->size(), 1'000'001u);
  EXPECT_EQ(json->back(), 2);
}

TEST(ParseJson, DepthIsLimited) {
  EXPECT_TRUE(parse_json<Json>(lists(128)));
  EXPECT_TRUE(parse_json<OrderedJson>(lists(128)));
  const std::string message =
      "nested deeper than 128 levels; set ERGON_INPUT_LIMITS=depth=N to raise the limit";
  EXPECT_EQ(json_refusal(lists(129)), message);
  EXPECT_EQ(json_refusal(lists(129), "a.json"), "a.json: " + message);
  EXPECT_EQ(json_refusal(repeated_text(R"({"a":)", 129) + "1" + repeated_text("}", 129)), message);
  EXPECT_EQ(json_refusal(repeated_text(R"([{"a":)", 65) + "1" + repeated_text("}]", 65)), message);
  EXPECT_EQ(json_refusal(lists(50'000)), message);
  EXPECT_EQ(json_refusal(repeated_text("[", 20'000'000)), message)
      << "an invalid text is refused at the same level";
  EXPECT_TRUE(parse_json<Json>(lists(500), {}, {.depth = 500}));
}

TEST(ParseJson, WidthAndTextsAreNotDepth) {
  EXPECT_TRUE(parse_json<Json>("[" + repeated_text("[],", 1000) + "[]]"));
  EXPECT_TRUE(parse_json<Json>("\"" + repeated_text("[{", 1000) + "\""));
}

TEST(ParseJson, SizeIsLimited) {
  EXPECT_EQ(json_refusal("[1,2,3,4]", "a.json", {.file_bytes = 8}),
            "a.json: larger than 8 B; set ERGON_INPUT_LIMITS=file=SIZE to raise the limit");
  EXPECT_TRUE(parse_json<Json>("[1,2,3]", "a.json", {.file_bytes = 8}));
}

TEST(ParseJson, ErrorsNameSourceAndLine) {
  for (const char* text : {"", " ", "{", "[1,]", "[1] 2", "{\"a\" 1}", "nul", "\"\xff\"", "// c\n1", "[NaN]"})
    EXPECT_EQ(json_refusal(text), "not JSON") << text;
  EXPECT_EQ(json_refusal("{\n\n\"a\": }", "a.json"), "a.json:3: not JSON");
  EXPECT_EQ(json_refusal("[1e999]", "a.json"), "a.json: not JSON: a number is out of range");
}

}  // namespace
}  // namespace ergon
