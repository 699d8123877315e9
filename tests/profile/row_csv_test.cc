#include "profile/row_csv.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "profile/some_rows.h"

namespace ergon::profile {
namespace {

constexpr auto kOperation = Subject::Kind::operation;
constexpr auto kNetwork = Subject::Kind::network;

std::string text_of(const Row& row) { return row_header(row.subject.kind) + *row_line(row); }

std::string message(std::string_view text, Subject::Kind what = kOperation) {
  const auto rows = parse_rows(text, "here.csv", what);
  return rows ? "" : rows.error().message;
}

TEST(RowCsv, WritesAnOperation) {
  EXPECT_EQ(
      row_header(kOperation),
      "id,operation,attributes,inputs,batch,mode,precision,layout,launch,requested_clock_hertz,device,repeat,"
      "status,detail,iterations,instances,time_seconds,time_deviation_seconds,host_seconds,proportion,"
      "power_watts,power_deviation_watts,readings,readings_dropped,energy_joules,"
      "energy_uncertainty_joules,energy_statistical_joules,clock_min_hertz,clock_max_hertz,"
      "temperature_before_celsius,temperature_after_celsius,macs,flops,bytes,weight_bytes,valid,reasons,"
      "simulated,at,session\n");
  EXPECT_EQ(
      *row_line(test::some_operation(1)),
      "0000000000000011,conv,kernel=3x3 stride=2x2 out=64,32x64x56x56 32x64x56x56,32,training,fp16,nhwc,"
      "replay,1410000000,GPU-5c2a,0,measured,,1000,4,0.00025,3e-06,2e-05,1.01,251.3,1.5,90,2,0.03125,"
      "0.001,0.0005,1395000000,1410000000,41,44.5,115605504,231211008,38535168,147456,false,"
      "clock_moved;too_short,false,2024-05-01T10:40:00.001Z,1\n");
}

TEST(RowCsv, WritesANetwork) {
  const std::string header = row_header(kNetwork);
  EXPECT_EQ(header.substr(0, header.find(",mode")), "network,inputs,batch");
  const auto rows = parse_rows(text_of(test::some_network(2)), "", kNetwork);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->at(0).subject.kind, kNetwork);
  EXPECT_EQ(rows->at(0).subject.id, "net2");
  EXPECT_EQ(rows->at(0).subject.name, "net2");
  EXPECT_EQ(rows->at(0).key(), test::some_network(2).key());
}

TEST(RowCsv, ReadsColumnNamesOfOlderVersions) {
  const Row row = test::some_operation(1);
  std::string text = text_of(row);
  for (const auto& [now, before] : {std::pair{"requested_clock_hertz", "clock_asked_hertz"},
                                    {"clock_min_hertz", "clock_slowest_hertz"},
                                    {"clock_max_hertz", "clock_fastest_hertz"},
                                    {"temperature_after_celsius", "temperature_behind_celsius"}}) {
    text.replace(text.find(now), std::string_view(now).size(), before);
  }
  const auto rows = parse_rows(text, "", kOperation);
  ASSERT_TRUE(rows);
  EXPECT_EQ(text_of(rows->at(0)), text_of(row));
}

TEST(RowCsv, AnAbsentValueIsAnEmptyField) {
  Row row;
  row.subject.id = "7";
  row.status = Status::out_of_memory;
  EXPECT_EQ(*row_line(row),
            "7,,,,1,inference,tf32,nchw,eager,,,0,out_of_memory,,0,0,,,,,,,0,0,,,,,,,,0,0,0,0,true,,false,"
            "1970-01-01T00:00:00Z,0\n");
  const auto rows = parse_rows(text_of(row), "", kOperation);
  ASSERT_TRUE(rows);
  EXPECT_FALSE(rows->at(0).requested_clock || rows->at(0).time || rows->at(0).energy ||
               rows->at(0).temperature_before);
  EXPECT_TRUE(rows->at(0).reasons.empty());
}

TEST(RowCsv, TextsAreQuotedAndStayOnOneLine) {
  Row row = test::some_operation(0);
  row.detail = "CUDA said \"no\", twice:\nfirst\r\nsecond";
  const std::string text = text_of(row);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_EQ(parse_rows(text, "", kOperation)->at(0).detail, "CUDA said \"no\", twice: first  second");
}

TEST(RowCsv, MeasuredValuesHaveNineDigits) {
  Row row = test::some_operation(0);
  row.time = Seconds{0.0012345678912345};
  row.energy = Joules{0.0012345678912345};
  const auto rows = parse_rows(text_of(row), "", kOperation);
  EXPECT_EQ(rows->at(0).time, Seconds{0.00123456789});
  EXPECT_EQ(rows->at(0).energy, Joules{0.00123456789});
}

TEST(RowCsv, UnreadableValuesAreNotWritten) {
  const auto refusal = [](auto change) {
    Row row = test::some_operation(0);
    change(row);
    const auto line = row_line(row);
    if (line) return std::string();
    EXPECT_EQ(line.error().kind, Errc::internal);
    const std::string& message = line.error().message;
    const std::size_t begin = message.find(": ") + 2;
    return message.substr(begin, message.find("; this is a defect") - begin);
  };
  EXPECT_EQ(refusal([](Row& row) { row.time = Seconds{std::nan("")}; }),
            "time_seconds: expected a number that is not negative, not \"nan\"");
  EXPECT_EQ(refusal([](Row& row) { row.power = Watts{std::numeric_limits<double>::infinity()}; }),
            "power_watts: expected a power from 0 to 5000 W, not \"inf\"");
  EXPECT_EQ(refusal([](Row& row) { row.energy = Joules{-1}; }),
            "energy_joules: expected a number that is not negative, not \"-1\"");
  EXPECT_EQ(refusal([](Row& row) { row.condition.batch = 0; }),
            "batch: expected a whole number above 0, not \"0\"");
  EXPECT_EQ(refusal([](Row& row) { row.subject.id.clear(); }), "id: expected a text, not \"\"");
  EXPECT_EQ(refusal([](Row& row) { row.temperature_before = Celsius{-10}; }), "");
}

TEST(RowCsv, UnknownColumnsAreIgnoredInAnyOrder) {
  std::string text =
      "network,inputs,batch,mode,precision,layout,launch,comment,session,device,repeat,status,";
  text +=
      "detail,iterations,instances,readings,readings_dropped,macs,flops,bytes,weight_bytes,valid,reasons,";
  text +=
      "simulated,at\r\nresnet50,1x3x8x8,1,inference,fp32,nchw,eager,\"a, b\",3,GPU-1,0,measured,,1,1,0,0,";
  text += "5,6,7,8,true,,true,2024-05-01\r\n\n";
  const auto rows = parse_rows("\xef\xbb\xbf" + text, "", kNetwork);
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 1u);
  EXPECT_EQ(rows->at(0).session, 3);
  EXPECT_EQ(rows->at(0).weight_bytes, 8);
  EXPECT_TRUE(rows->at(0).simulated);
  EXPECT_FALSE(rows->at(0).time);  // optional columns may be missing
}

TEST(RowCsv, ErrorsNameFileLineAndColumn) {
  const std::string header = row_header(kOperation), good = *row_line(test::some_operation(0));
  const auto changed = [&](std::string_view from, std::string_view to) {
    std::string line = good;
    line.replace(line.find(from), from.size(), to);
    return message(header + good + line);
  };
  EXPECT_EQ(changed(",32,", ",many,"), "here.csv:3: batch: expected a whole number above 0, not \"many\"");
  EXPECT_EQ(changed("training", "playing"),
            "here.csv:3: mode: expected inference or training, not \"playing\"");
  EXPECT_EQ(changed("fp16", "fp8"), "here.csv:3: precision: expected fp32, tf32, bf16 or fp16, not \"fp8\"");
  EXPECT_EQ(changed("nhwc", ""), "here.csv:3: layout: expected nchw or nhwc, not \"\"");
  EXPECT_EQ(changed("251.3", "nan"),
            "here.csv:3: power_watts: expected a power from 0 to 5000 W, not \"nan\"");
  EXPECT_EQ(changed("251.3", "1e6"),
            "here.csv:3: power_watts: expected a power from 0 to 5000 W, not \"1e6\"");
  EXPECT_EQ(changed("1395000000", "1.4e15"),
            "here.csv:3: clock_min_hertz: expected a clock from 0 to 1e10 Hz, not \"1.4e15\"");
  EXPECT_EQ(
      changed(",44.5,", ",317.5,"),
      "here.csv:3: temperature_after_celsius: expected a temperature from -40 to 150 degrees Celsius, not "
      "\"317.5\"");
  EXPECT_EQ(changed("true", "yes"), "here.csv:3: valid: expected true or false, not \"yes\"");
  EXPECT_EQ(changed("2024-05-01T10:40:00Z", "2024-05-41"),
            "here.csv:3: at: expected a time such as 2024-05-01T12:00:00Z, not \"2024-05-41\"");
  EXPECT_EQ(changed(",32,", ",32,32,"), "here.csv:3: 41 fields, but the header has 40");
  EXPECT_EQ(changed("conv", "\"conv"), "here.csv:3: a quote that is never closed");
  EXPECT_EQ(message("a,b\n"), "here.csv:1: column \"id\" is missing");
  EXPECT_EQ(message("id," + header), "here.csv:1: column \"id\" appears twice");
  EXPECT_EQ(message(""), "");
  EXPECT_EQ(message(header), "");
}

}  // namespace
}  // namespace ergon::profile
