#include "table/text_input.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "support/peak_memory.h"
#include "support/temporary_folder.h"
#include "table/csv/read.h"
#include "table/inflate/inflate.h"

namespace ergon::table {
namespace {

using std::filesystem::path;

void write_bytes(const path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

std::string bytes_of(const path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string long_text() {
  std::string text = "a,b\n";
  for (int row = 0; row < 60'000; ++row) text += std::to_string(row * 7919 % 10'007) + ",value\n";
  return text;
}

struct Tool {
  Compression compression;
  const char* name;
  const char* command;  // from standard input to standard output
};

std::ostream& operator<<(std::ostream& out, const Tool& tool) { return out << tool.name; }

class CompressedInput : public testing::TestWithParam<Tool> {
 protected:
  void SetUp() override {
    const std::string probe = std::string("command -v ") + GetParam().name + " >/dev/null 2>&1";
    if (std::system(probe.c_str()) != 0) GTEST_SKIP() << GetParam().name << " is not installed";
    const auto supported = inflate(GetParam().compression, compressed("x"), [](auto) { return Result<>{}; });
    if (!supported && supported.error().kind == Errc::unsupported) GTEST_SKIP() << supported.error().message;
  }

  std::string compressed(const std::string& text) const {
    write_bytes(folder_ / "plain", text);
    const std::string command = std::string(GetParam().command) + " < '" + (folder_ / "plain").string() +
                                "' > '" + (folder_ / "packed").string() + "'";
    if (std::system(command.c_str()) != 0) ADD_FAILURE() << command;
    return bytes_of(folder_ / "packed");
  }

  Result<std::string> opened(const std::string& bytes, const std::string& name = "input.csv",
                             const InputLimits& limits = {}) const {
    write_bytes(folder_ / name, bytes);
    const auto input = TextInput::open(folder_ / name, {}, limits);
    if (!input) return input.error();
    return std::string(input->text());
  }

  void expect_refused(const std::string& bytes, const std::string& what) const {
    const auto result = opened(bytes);
    ASSERT_FALSE(result) << what << " was expanded to " << result->size() << " bytes";
    EXPECT_EQ(result.error().kind, Errc::invalid_input) << what;
    EXPECT_NE(result.error().message.find("input.csv"), std::string::npos) << result.error().message;
  }

  test::TemporaryFolder folder_;
};

TEST_P(CompressedInput, IsDetectedByContentNotName) {
  const std::string text = long_text();
  for (const char* name : {"input.csv", "input.gz", "input.xz", "input.zst", "input"}) {
    const auto result = opened(compressed(text), name);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_TRUE(*result == text) << name;
  }
}

TEST_P(CompressedInput, MembersFollowOneAnother) {
  const auto result =
      opened(compressed("a,b\n1,") + compressed("") + compressed("2\n") + compressed(long_text()));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(*result == "a,b\n1,2\n" + long_text());
}

TEST_P(CompressedInput, MayBeEmpty) {
  const auto result = opened(compressed(""));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(*result, "");
  const auto table = read_csv(folder_ / "input.csv");
  ASSERT_FALSE(table);
  EXPECT_NE(table.error().message.find("is empty"), std::string::npos) << table.error().message;
}

// Exactly as large as the decompression buffer, and one byte less and more.
TEST_P(CompressedInput, OfAWholeBufferIsComplete) {
  for (const std::size_t size : {(1u << 20) - 1, 1u << 20, (1u << 20) + 1, 4u << 20, (4u << 20) + 1}) {
    const std::string text(size, 'x');
    const auto result = opened(compressed(text));
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_TRUE(*result == text) << size;
    const auto twice = opened(compressed(text) + compressed("end"));
    ASSERT_TRUE(twice) << twice.error().message;
    EXPECT_TRUE(*twice == text + "end") << size;
  }
}

TEST_P(CompressedInput, TruncatedAnywhereIsAnError) {
  for (const std::string& text : {std::string("a,b\n1,2\n"), long_text(), std::string()}) {
    const std::string whole = compressed(text);
    for (std::size_t size = 6; size < whole.size(); size += std::max<std::size_t>(1, whole.size() / 97)) {
      expect_refused(whole.substr(0, size),
                     std::to_string(size) + " of " + std::to_string(whole.size()) + " bytes");
    }
    expect_refused(whole.substr(0, whole.size() - 1), "all but the last byte");
  }
}

TEST_P(CompressedInput, ATruncatedSecondMemberIsAnError) {
  const std::string member = compressed(long_text());
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{3}, std::size_t{9}, member.size() / 2, member.size() - 1}) {
    expect_refused(member + member.substr(0, size), "a second member of " + std::to_string(size) + " bytes");
  }
}

TEST_P(CompressedInput, ADamagedByteIsAnError) {
  const std::string whole = compressed(long_text());
  for (const std::size_t at : {whole.size() / 3, whole.size() / 2, whole.size() - 5}) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    expect_refused(damaged, "damaged at byte " + std::to_string(at));
  }
}

TEST_P(CompressedInput, WithGarbageBehindItIsAnError) {
  expect_refused(compressed("a,b\n1,2\n") + "garbage", "garbage");
  expect_refused(compressed("a,b\n1,2\n") + "\n", "a line end");
}

TEST_P(CompressedInput, IsReadAsATable) {
  ASSERT_TRUE(opened(compressed(long_text())));
  const auto result = read_csv(folder_ / "input.csv");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->table.rows(), 60'000u);
  EXPECT_EQ(result->notes.text_bytes, long_text().size());
}

TEST_P(CompressedInput, AnErrorOfTheSinkStopsTheDecompression) {
  int calls = 0;
  const auto result =
      inflate(GetParam().compression, compressed(std::string(5u << 20, 'x')), [&](auto) -> Result<> {
        ++calls;
        return fail(Errc::cancelled, "enough");
      });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, Errc::cancelled);
  EXPECT_EQ(result.error().message, "enough");
  EXPECT_EQ(calls, 1);
}

// Zeros that expand to 10 GiB; 10 MB as gzip. Members count together, so the bomb may as well be in pieces.
TEST_P(CompressedInput, AFileOfZerosIsRefusedEarly) {
  const std::string member = compressed(std::string(64u << 20, '\0'));
  std::string bomb;
  for (int i = 0; i < 160; ++i) bomb += member;
  write_bytes(folder_ / "input.csv", bomb);
  const test::PeakMemory memory;
  const auto input = TextInput::open(folder_ / "input.csv");
  ASSERT_FALSE(input);
  EXPECT_EQ(input.error().kind, Errc::invalid_input);
  EXPECT_EQ(
      input.error().message,
      (folder_ / "input.csv").string() +
          ": expands to more than 500 times its size; set ERGON_INPUT_LIMITS=expansion=N to raise the limit");
  EXPECT_LT(memory.growth_mib().value_or(0), 32);
}

// The same zeros in one small file, if the user says so.
TEST_P(CompressedInput, TheLimitOfExpansionCanBeRaised) {
  const std::string bytes = compressed(std::string(20u << 20, '\0'));
  EXPECT_FALSE(opened(bytes));
  const auto result = opened(bytes, "input.csv", {.expansion = 1'000'000});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->size(), 20u << 20);
}

TEST_P(CompressedInput, TelemetryOfIdleGpusIsNotRefused) {
  std::string text = "time,host,gpu,watts\n";
  for (int row = 0; text.size() < (24u << 20); ++row)
    text += "2018-11-08T07:" + std::to_string(10 + row / 6000 % 50) + ":" +
            std::to_string(10 + row / 100 % 50) + "." + std::to_string(100 + row % 100) +
            "Z,host-17,GPU-5f1c9b0e,35.00\n";
  const auto result = opened(compressed(text));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(*result == text);
}

TEST_P(CompressedInput, TheLengthOfTheTextIsLimited) {
  const std::string bytes = compressed(long_text());
  EXPECT_TRUE(opened(bytes, "input.csv", {.expanded_bytes = long_text().size()}));
  const auto result = opened(bytes, "input.csv", {.expanded_bytes = 4096});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message,
            (folder_ / "input.csv").string() +
                ": expands to more than 4 KiB; set ERGON_INPUT_LIMITS=expanded=SIZE to raise the limit");
}

TEST_P(CompressedInput, MemoryOfTheDecoderIsLimited) {
  if (GetParam().compression == Compression::gzip) GTEST_SKIP() << "gzip needs 32 KiB";
  const auto result = opened(compressed(long_text()), "input.csv", {.window_bytes = 1u << 16});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, Errc::invalid_input);
  EXPECT_EQ(result.error().message, (folder_ / "input.csv").string() +
                                        ": needs more than 64 KiB of memory to expand; set "
                                        "ERGON_INPUT_LIMITS=window=SIZE to raise the limit");
}

INSTANTIATE_TEST_SUITE_P(Tools, CompressedInput,
                         testing::Values(Tool{Compression::gzip, "gzip", "gzip -c"},
                                         Tool{Compression::xz, "xz", "xz -c"},
                                         Tool{Compression::zstd, "zstd", "zstd -q -c"}),
                         [](const auto& which) { return std::string(which.param.name); });

TEST(TextInput, APlainFileIsItsBytes) {
  const test::TemporaryFolder folder;
  const std::string text = long_text();
  write_bytes(folder / "t.csv", text);
  const auto input = TextInput::open(folder / "t.csv");
  ASSERT_TRUE(input) << input.error().message;
  EXPECT_TRUE(input->text() == text);
}

TEST(TextInput, ReleasedBytesComeBackWhenTouched) {
  const test::TemporaryFolder folder;
  const std::string text = long_text();
  write_bytes(folder / "t.csv", text);
  const auto input = TextInput::open(folder / "t.csv");
  ASSERT_TRUE(input) << input.error().message;
  input->release(0, text.size());
  input->release(5, 5000);
  input->release(text.size(), text.size());
  EXPECT_TRUE(input->text() == text);
}

TEST(TextInput, ReleasingBytesThatNoFileHoldsKeepsThem) {
  const test::TemporaryFolder folder;
  const path fifo = folder / "pipe";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const std::string text = long_text();
  std::jthread writer([&] { write_bytes(fifo, text); });
  const auto input = TextInput::open(fifo);
  ASSERT_TRUE(input) << input.error().message;
  input->release(0, text.size());
  EXPECT_TRUE(input->text() == text);
}

TEST(TextInput, MovesWithoutLosingTheText) {
  const test::TemporaryFolder folder;
  write_bytes(folder / "t.csv", "a,b\n");
  auto input = TextInput::open(folder / "t.csv");
  ASSERT_TRUE(input) << input.error().message;
  const TextInput moved = std::move(*input);
  EXPECT_EQ(moved.text(), "a,b\n");
}

TEST(TextInput, AnEmptyFileIsNoText) {
  const test::TemporaryFolder folder;
  write_bytes(folder / "t.csv", "");
  const auto input = TextInput::open(folder / "t.csv");
  ASSERT_TRUE(input) << input.error().message;
  EXPECT_EQ(input->text(), "");
}

TEST(TextInput, APlainFileMayBeCalledCompressed) {
  const test::TemporaryFolder folder;
  write_bytes(folder / "t.csv.gz", "a,b\n1,2\n");
  const auto input = TextInput::open(folder / "t.csv.gz");
  ASSERT_TRUE(input) << input.error().message;
  EXPECT_EQ(input->text(), "a,b\n1,2\n");
}

TEST(TextInput, APipeIsReadToItsEnd) {
  const test::TemporaryFolder folder;
  const path fifo = folder / "pipe";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::string text = long_text();
  while (text.size() < (9u << 20)) text += text;
  std::jthread writer([&] { write_bytes(fifo, text); });
  const auto input = TextInput::open(fifo);
  ASSERT_TRUE(input) << input.error().message;
  EXPECT_TRUE(input->text() == text);
}

TEST(TextInput, ThePipesLengthIsLimited) {
  const test::TemporaryFolder folder;
  const path fifo = folder / "pipe";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::jthread writer([&] { write_bytes(fifo, "a,b\n1,2\n"); });
  const auto input = TextInput::open(fifo, {}, {.expanded_bytes = 7});
  ASSERT_FALSE(input);
  EXPECT_EQ(input.error().kind, Errc::invalid_input);
  EXPECT_NE(input.error().message.find("a pipe with more than 7 B"), std::string::npos)
      << input.error().message;
}

TEST(TextInput, AMissingFileIsNotFound) {
  const test::TemporaryFolder folder;
  const auto input = TextInput::open(folder / "absent.csv");
  ASSERT_FALSE(input);
  EXPECT_EQ(input.error().kind, Errc::not_found);
  EXPECT_NE(input.error().message.find("absent.csv"), std::string::npos) << input.error().message;
}

TEST(TextInput, AFolderIsRejected) {
  const test::TemporaryFolder folder;
  const auto input = TextInput::open(folder.path());
  ASSERT_FALSE(input);
  EXPECT_EQ(input.error().kind, Errc::invalid_input);
}

TEST(TextInput, AnUnreadableFileIsAPermissionError) {
  const test::TemporaryFolder folder;
  write_bytes(folder / "secret.csv", "a,b\n");
  ASSERT_EQ(::chmod((folder / "secret.csv").c_str(), 0), 0);
  // Root can read everything, so another user reads, in a folder that allows it.
  const bool root = ::geteuid() == 0;
  if (root) {
    ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
    ASSERT_EQ(::seteuid(65534), 0);
  }
  const auto input = TextInput::open(folder / "secret.csv");
  const int restored = root ? ::seteuid(0) : 0;
  ASSERT_EQ(restored, 0);
  ASSERT_FALSE(input);
  EXPECT_EQ(input.error().kind, Errc::permission);
  EXPECT_NE(input.error().message.find("secret.csv"), std::string::npos) << input.error().message;
}

TEST(CompressionOf, IsDetectedByTheFirstBytes) {
  using namespace std::string_view_literals;
  EXPECT_EQ(compression_of("\x1f\x8b\x08"sv), Compression::gzip);
  EXPECT_EQ(compression_of("\xfd"
                           "7zXZ\0\0\0"sv),
            Compression::xz);
  EXPECT_EQ(compression_of("\x28\xb5\x2f\xfd"sv), Compression::zstd);
  EXPECT_EQ(compression_of("a,b\n"sv), std::nullopt);
  EXPECT_EQ(compression_of("\x1f"sv), std::nullopt);
  EXPECT_EQ(compression_of(""sv), std::nullopt);
}

// Reading from a pipe that is always full never blocks, so no signal interrupts it: the reader must poll.
TEST(TextInput, StopsWithoutASignal) {
  std::stop_source stop;
  EXPECT_TRUE(TextInput::open("/dev/null", stop.get_token()));
  stop.request_stop();
  const auto input = TextInput::open("/dev/null", stop.get_token());
  ASSERT_FALSE(input);
  EXPECT_EQ(input.error().kind, Errc::cancelled);
}

}  // namespace
}  // namespace ergon::table
