#include "service/api/parameter.h"

#include <gtest/gtest.h>

namespace ergon::service {
namespace {

using Words = std::vector<std::string>;

const Parameters& some_parameters() {
  static const Parameters all = {{"network", Parameter::Kind::argument, "a network", true},
                                 {"device", Parameter::Kind::text, "a device", false},
                                 {"batch", Parameter::Kind::number, "samples", false},
                                 {"curves", Parameter::Kind::flag, "more", false}};
  return all;
}

Result<Words> words_for(const Fields& given) {
  return command_arguments({"predict"}, some_parameters(), given);
}

std::string error_for(const Fields& given) {
  const auto words = words_for(given);
  EXPECT_FALSE(words);
  if (words) return "";
  EXPECT_EQ(words.error().kind, Errc::invalid_input);
  return words.error().message;
}

// True if the value is accepted unchanged, as an option and as an argument.
bool accepted(const std::string& value) {
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

TEST(Parameters, BecomeOptionsThenArguments) {
  EXPECT_EQ(*words_for({{"network", "resnet50"}}), (Words{"predict", "resnet50"}));
  EXPECT_EQ(
      *words_for({{"batch", "32"}, {"curves", "true"}, {"device", "a30,v100"}, {"network", "resnet50"}}),
      (Words{"predict", "--batch=32", "--curves", "--device=a30,v100", "resnet50"}));
  EXPECT_EQ(*command_arguments({"allocate", "compare"}, {}, {}), (Words{"allocate", "compare"}));
}

TEST(Parameters, ErrorsListTheValidParameters) {
  EXPECT_EQ(error_for({{"network", "n"}, {"netwrok", "m"}}),
            "unknown parameter \"netwrok\"; expected network, device, batch, curves");
  const auto none = command_arguments({"zoo"}, {}, {{"a", "b"}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "unknown parameter \"a\"; expected none");
  for (const char* name : {"", "--json", "Network", "network ", "net\nwork", "html"})
    EXPECT_NE(error_for({{"network", "n"}, {name, "x"}}), "") << name;
}

TEST(Parameters, RejectsDuplicateAndMissingParameters) {
  EXPECT_EQ(error_for({{"network", "n"}, {"network", "n"}}), "network: given twice");
  EXPECT_EQ(error_for({{"curves", "true"}, {"curves", "false"}, {"network", "n"}}), "curves: given twice");
  EXPECT_EQ(error_for({{"batch", "1"}}), "network is missing (a network)");
  EXPECT_EQ(error_for({{"network", ""}}), "network: is empty");
}

TEST(Parameters, FlagsAreTrueOrFalse) {
  EXPECT_EQ(*words_for({{"curves", "false"}, {"network", "n"}}), (Words{"predict", "n"}));
  for (const char* value : {"", "1", "0", "yes", "TRUE", "true ", "truefalse"})
    EXPECT_NE(error_for({{"curves", value}, {"network", "n"}}), "") << value;
}

TEST(Parameters, ChecksNumbers) {
  for (const char* value : {"0", "32", "0.5", "1e3", "-1"}) {
    const auto words = words_for({{"batch", value}, {"network", "n"}});
    ASSERT_TRUE(words) << value;
    EXPECT_EQ(words->at(1), std::string("--batch=") + value);
  }
  for (const char* value : {"", "x", "32x", "0x20", "nan", "inf", "1,2", " 1", "1 ", "--json"})
    EXPECT_NE(error_for({{"batch", value}, {"network", "n"}}), "") << value;
}

TEST(Parameters, KeepsNamesAndQuantities) {
  for (const char* value :
       {"resnet50", "a30", "v100:resnet50:32", "900MHz", "1.2GHz,900MHz", "2%", "poisson:300", "batchsizer+",
        "28GB/s", "32x32", "a b", "efficientnet-b0", "a=1", "json", "csv.x"})
    EXPECT_TRUE(accepted(value)) << value;
}

TEST(Parameters, ListsHaveALimitedLength) {
  std::string list = "1";
  for (int i = 1; i < 256; ++i) list += ",1";
  EXPECT_TRUE(accepted(list));
  EXPECT_EQ(error_for({{"device", list + ",1"}, {"network", "n"}}), "device: has 257 values, more than 256");
  const Parameters few = {{"batch", Parameter::Kind::text, "batches", false, 2}};
  EXPECT_TRUE(command_arguments({"tune"}, few, {{"batch", "1,2"}}));
  EXPECT_FALSE(command_arguments({"tune"}, few, {{"batch", "1,2,3"}}));
}

TEST(Parameters, RejectsFileNames) {
  for (const char* value :
       {"a.onnx",     "a.csv",     "a.json",    "a.cfg",    "a.csv.gz",  "a.csv.xz",    "a.csv.zst",
        "sub/a.onnx", ".onnx",     "a.onnx,b",  "b,a.onnx", "b,a.csv,c", "/etc/passwd", "b,/etc/passwd",
        "~/x",        "b,~x",      "../x",      "x/../y",   "b,../x",    "a..b",        "..",
        "trace:f",    "b,trace:f", "x=trace:f", "a\\b"})
    EXPECT_FALSE(accepted(value)) << value;
}

// The program recognizes file extensions in upper and lower case.
TEST(Parameters, RejectsFileNamesInUpperCase) {
  for (const char* value : {"a.ONNX", "a.Onnx", "NET.CSV", "b,a.Json", "Array.CFG", "a.csv.GZ", "TRACE:f"})
    EXPECT_FALSE(accepted(value)) << value;
}

TEST(Parameters, RejectsOptionsAndNonText) {
  for (const std::string value :
       {"-", "--", "-q", "--json", "--html=x", "a\nb", "a\tb", "\x7f", "caf\xc3\xa9", "\xff", "a\rb"})
    EXPECT_FALSE(accepted(value)) << value;
  EXPECT_FALSE(accepted(std::string("a\0b", 3)));
  EXPECT_TRUE(accepted(std::string(4096, 'x')));
  EXPECT_FALSE(accepted(std::string(4097, 'x')));
}

}  // namespace
}  // namespace ergon::service
