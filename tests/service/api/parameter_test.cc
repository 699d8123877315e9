#include "service/api/parameter.h"

#include <gtest/gtest.h>

namespace ergon::service {
namespace {

using Words = std::vector<std::string>;

const Parameters& some_parameters() {
  static const Parameters all = {{"network", Parameter::Kind::word, "a network", true},
                                 {"device", Parameter::Kind::text, "a device", false},
                                 {"batch", Parameter::Kind::number, "samples", false},
                                 {"curves", Parameter::Kind::flag, "more", false}};
  return all;
}

Result<Words> words_for(const Fields& given) { return words_of({"predict"}, some_parameters(), given); }

std::string complaint_about(const Fields& given) {
  const auto words = words_for(given);
  EXPECT_FALSE(words);
  if (words) return "";
  EXPECT_EQ(words.error().kind, Errc::invalid_input);
  return words.error().message;
}

// A value of the device, or of the network: true where it is taken as it is.
bool taken(const std::string& value) {
  const auto as_option = words_for({{"network", "n"}, {"device", value}});
  const auto as_word = words_for({{"network", value}});
  EXPECT_EQ(bool(as_option), bool(as_word)) << value;
  if (as_option) {
    EXPECT_EQ(*as_option, (Words{"predict", "--device=" + value, "n"}));
  }
  if (as_word) {
    EXPECT_EQ(*as_word, (Words{"predict", value}));
  }
  return bool(as_option) && bool(as_word);
}

TEST(Parameters, BecomeOptionsAndThenArguments) {
  EXPECT_EQ(*words_for({{"network", "resnet50"}}), (Words{"predict", "resnet50"}));
  EXPECT_EQ(
      *words_for({{"batch", "32"}, {"curves", "true"}, {"device", "a30,v100"}, {"network", "resnet50"}}),
      (Words{"predict", "--batch=32", "--curves", "--device=a30,v100", "resnet50"}));
  EXPECT_EQ(*words_of({"allocate", "compare"}, {}, {}), (Words{"allocate", "compare"}));
}

TEST(Parameters, UnknownOnesAreNamedBesideThoseThereAre) {
  EXPECT_EQ(complaint_about({{"network", "n"}, {"netwrok", "m"}}),
            "there is no parameter \"netwrok\"; there are network, device, batch, curves");
  const auto none = words_of({"zoo"}, {}, {{"a", "b"}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "there is no parameter \"a\"; there are none");
  for (const char* name : {"", "--json", "Network", "network ", "net\nwork", "html"})
    EXPECT_NE(complaint_about({{"network", "n"}, {name, "x"}}), "") << name;
}

TEST(Parameters, DoubledAndMissingOnesAreRefused) {
  EXPECT_EQ(complaint_about({{"network", "n"}, {"network", "n"}}), "network: is there twice");
  EXPECT_EQ(complaint_about({{"curves", "true"}, {"curves", "false"}, {"network", "n"}}),
            "curves: is there twice");
  EXPECT_EQ(complaint_about({{"batch", "1"}}), "network is missing: a network");
  EXPECT_EQ(complaint_about({{"network", ""}}), "network: is empty");
}

TEST(Parameters, FlagsAreTrueOrFalse) {
  EXPECT_EQ(*words_for({{"curves", "false"}, {"network", "n"}}), (Words{"predict", "n"}));
  for (const char* value : {"", "1", "0", "yes", "TRUE", "true ", "truefalse"})
    EXPECT_NE(complaint_about({{"curves", value}, {"network", "n"}}), "") << value;
}

TEST(Parameters, NumbersAreNumbers) {
  for (const char* value : {"0", "32", "0.5", "1e3", "-1"}) {
    const auto words = words_for({{"batch", value}, {"network", "n"}});
    ASSERT_TRUE(words) << value;
    EXPECT_EQ(words->at(1), std::string("--batch=") + value);
  }
  for (const char* value : {"", "x", "32x", "0x20", "nan", "inf", "1,2", " 1", "1 ", "--json"})
    EXPECT_NE(complaint_about({{"batch", value}, {"network", "n"}}), "") << value;
}

TEST(Parameters, NamesAndQuantitiesAreTakenAsTheyAre) {
  for (const char* value :
       {"resnet50", "a30", "v100:resnet50:32", "900MHz", "1.2GHz,900MHz", "2%", "poisson:300", "batchsizer+",
        "28GB/s", "32x32", "a b", "efficientnet-b0", "a=1", "json", "csv.x"})
    EXPECT_TRUE(taken(value)) << value;
}

TEST(Parameters, FilesAreTheServersOwn) {
  for (const char* value :
       {"a.onnx",     "a.csv",     "a.json",    "a.cfg",    "a.csv.gz",  "a.csv.xz",    "a.csv.zst",
        "sub/a.onnx", ".onnx",     "a.onnx,b",  "b,a.onnx", "b,a.csv,c", "/etc/passwd", "b,/etc/passwd",
        "~/x",        "b,~x",      "../x",      "x/../y",   "b,../x",    "a..b",        "..",
        "trace:f",    "b,trace:f", "x=trace:f", "a\\b"})
    EXPECT_FALSE(taken(value)) << value;
}

// The program knows files by their endings in any case (`lower(name).ends_with(".csv")`).
TEST(Parameters, FilesInCapitalsAreFilesToo) {
  for (const char* value : {"a.ONNX", "a.Onnx", "NET.CSV", "b,a.Json", "Array.CFG", "a.csv.GZ", "TRACE:f"})
    EXPECT_FALSE(taken(value)) << value;
}

TEST(Parameters, NothingThatLooksLikeAnOptionOrNoText) {
  for (const std::string value :
       {"-", "--", "-q", "--json", "--html=x", "a\nb", "a\tb", "\x7f", "caf\xc3\xa9", "\xff", "a\rb"})
    EXPECT_FALSE(taken(value)) << value;
  EXPECT_FALSE(taken(std::string("a\0b", 3)));
  EXPECT_TRUE(taken(std::string(4096, 'x')));
  EXPECT_FALSE(taken(std::string(4097, 'x')));
}

}  // namespace
}  // namespace ergon::service
