#include "device/lease/journal.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/text.h"
#include "device/lease/journal_content.h"
#include "device/lease/journal_record.h"

namespace ergon::device {
namespace {

using namespace ergon::literals;

const JournalOpening kOpening{"GPU-5fb1/0", "boot 1", {4711, "ergon sweep", {1'000'000'000}}};

std::string signed_lines(const std::vector<std::string>& records) {
  JournalChain chain;
  std::string text;
  for (const std::string& record : records) text += chain.sign(record);
  return text;
}

JournalContent parse_lines(const std::vector<std::string>& records) {
  return parse_journal(signed_lines(records));
}

TEST(Journal, IsReadableText) {
  EXPECT_EQ(record_text(kOpening), "lease 1 GPU-5fb1%2F0 boot%201 4711 1970-01-01T00:00:01Z ergon%20sweep");
  EXPECT_EQ(record_text(ControlChange{Control::power_limit, ControlValue{300_W, {}}, {250.5_W, {}}}),
            "change power_limit 300W 250.5W");
  EXPECT_EQ(record_text(ControlChange{Control::core_clock, {}, {{}, ClockRange{900_MHz, 1.2_GHz}}}),
            "change core_clock unread 900MHz..1.2GHz");
  EXPECT_EQ(record_text(ControlChange{Control::memory_clock, ControlValue{}, {}}),
            "change memory_clock unlocked unlocked");
  EXPECT_EQ(record_text(JournalSetting{Control::power_limit, {200_W, {}}}), "set power_limit 200W");
  EXPECT_EQ(record_text(JournalRestored{Control::memory_clock}), "restored memory_clock");
}

TEST(Journal, ChecksumIsCrc32) {
  // The check value in the catalog of CRC algorithms.
  EXPECT_EQ(JournalChain().sign("123456789"), "123456789 cbf43926\n");
}

TEST(Journal, ListsTheChangesToRestore) {
  const JournalContent content = parse_lines({
      record_text(kOpening),
      "change power_limit 300W 250W",
      "change core_clock unread 900MHz..1.2GHz",
      "set power_limit 200W",
      "change memory_clock 1GHz..1GHz unlocked",
      "restored core_clock",
  });
  EXPECT_FALSE(content.damage);
  EXPECT_EQ(content.opening, kOpening);
  ASSERT_EQ(content.changes.size(), 2u);
  EXPECT_EQ(content.changes[0], (ControlChange{Control::power_limit, ControlValue{300_W, {}}, {200_W, {}}}));
  EXPECT_EQ(content.changes[1],
            (ControlChange{Control::memory_clock, ControlValue{{}, ClockRange{1_GHz, 1_GHz}}, {}}));
}

TEST(Journal, MatchesItsDocumentation) {
  const auto page = read_file(std::filesystem::path(ERGON_REPOSITORY) / "docs/leases.md");
  ASSERT_TRUE(page);
  std::string text;
  for (const std::string_view line : split(*page, '\n')) {
    if (line.starts_with("    ")) text += std::string(line.substr(4)) + "\n";
  }
  const JournalContent content = parse_journal(text);
  EXPECT_FALSE(content.damage) << content.damage->message;
  ASSERT_TRUE(content.opening);
  EXPECT_EQ(content.opening->holder.command, "ergon sweep");
  ASSERT_EQ(content.changes.size(), 1u);
  EXPECT_EQ(content.changes[0].requested.power_limit, 450_W);
}

TEST(Journal, AnEmptyFileIsAnEmptyJournal) {
  const JournalContent content = parse_journal("");
  EXPECT_FALSE(content.opening || content.damage);
  EXPECT_TRUE(content.changes.empty());
}

TEST(Journal, ZerosAfterAPowerLossAreAnIncompleteRecord) {
  const std::string whole = signed_lines({record_text(kOpening)});
  const JournalContent content = parse_journal(whole + std::string(100, '\0'));
  EXPECT_FALSE(content.damage);
  EXPECT_EQ(content.end.size, whole.size());
}

TEST(Journal, InvalidRecordsAreDamage) {
  const std::string opening = record_text(kOpening);
  const std::vector<std::string> kBad[] = {
      {"hello"},
      {"change power_limit 300W 250W"},
      {opening, opening},
      {opening, "set power_limit 250W"},
      {opening, "restored power_limit"},
      {opening, "change power_limit 300W 250W", "change power_limit 300W 250W"},
      {opening, "change power_limit unread 250W"},
      {opening, "change power_limit unlocked 250W"},
      {opening, "change power_limit 300W -250W"},
      {opening, "change power_limit 300W 250"},
      {opening, "change power_limit 300W 250W 200W"},
      {opening, "change power_limit 300MHz 250W"},
      {opening, "change fan_speed 10W 20W"},
      {opening, "change core_clock unlocked unread"},
      {opening, "change core_clock unlocked 1.2GHz"},
      {opening, "change core_clock unlocked 1.2GHz..900MHz"},
      {opening, "change core_clock unlocked 250W"},
      {opening, ""},
      {"lease 1 GPU boot x 1970-01-01T00:00:01Z ergon"},
      {"lease 1 GPU boot 1 yesterday ergon"},
      {"lease 1 GPU%2 boot 1 1970-01-01T00:00:01Z ergon"},
      {"lease 1 GPU boot"},
      {"lease"},
  };
  for (const auto& records : kBad) {
    const JournalContent content = parse_lines(records);
    ASSERT_TRUE(content.damage) << records.back();
    EXPECT_EQ(content.damage->kind, Errc::invalid_input);
    EXPECT_NE(content.damage->message.find("line " + std::to_string(records.size())), std::string::npos)
        << content.damage->message;
    // Earlier records are kept.
    EXPECT_EQ(content.opening.has_value(), records.size() > 1);
  }
}

TEST(Journal, ANewerFormatIsUnsupported) {
  const JournalContent content = parse_lines({"lease 2 what comes then"});
  ASSERT_TRUE(content.damage);
  EXPECT_EQ(content.damage->kind, Errc::unsupported);
}

TEST(Journal, DetectsLostDuplicatedAndMovedLines) {
  JournalChain chain;
  const std::string opening = chain.sign(record_text(kOpening));
  const std::string power = chain.sign("change power_limit 300W 250W");
  const std::string core = chain.sign("change core_clock unread unlocked");
  const std::string further = chain.sign("set power_limit 200W");
  EXPECT_FALSE(parse_journal(opening + power + core + further).damage);
  EXPECT_TRUE(parse_journal(opening + power + further).damage);
  EXPECT_TRUE(parse_journal(opening + power + core + further + further).damage);
  EXPECT_TRUE(parse_journal(opening + core + power + further).damage);
}

TEST(Journal, AnIncompleteLineMustBeThePrefixOfARecord) {
  const std::string opening = signed_lines({record_text(kOpening)});
  for (const std::string torn : {"c", "change", "change power_l", "set power_limit 250W 12", "restored "}) {
    EXPECT_FALSE(parse_journal(opening + torn).damage) << torn;
  }
  for (const std::string other : {"x", "chance", "hello", " set"}) {
    EXPECT_TRUE(parse_journal(opening + other).damage) << other;
  }
  EXPECT_TRUE(parse_journal(opening + "set " + std::string(5000, '1')).damage);
}

}  // namespace
}  // namespace ergon::device
