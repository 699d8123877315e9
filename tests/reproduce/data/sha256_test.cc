#include "reproduce/data/sha256.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace ergon::reproduce {
namespace {

std::string sha256_of(std::string_view text) {
  Sha256 sum;
  sum.add(text);
  return sum.finish();
}

// Examples of FIPS 180-4.
TEST(Sha256, MatchesTheExamplesOfTheStandard) {
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_of(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnThePieces) {
  const std::string text(300, 'x');
  for (const std::size_t piece : {1U, 7U, 63U, 64U, 65U, 128U}) {
    Sha256 sum;
    for (std::size_t at = 0; at < text.size(); at += piece) sum.add(std::string_view(text).substr(at, piece));
    EXPECT_EQ(sum.finish(), sha256_of(text)) << piece;
  }
}

// Lengths around the end of a block, where the padding needs a second block.
TEST(Sha256, AgreesWithSha256sum) {
  const test::TemporaryFolder folder;
  for (const std::size_t length : {0U, 55U, 56U, 63U, 64U, 65U, 119U, 120U, 3'000'000U}) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) text += static_cast<char>(i * 31 % 251);
    const auto path = folder.path() / "file";
    ASSERT_TRUE(write_file(path, text));
    const auto sum = sha256_of_file(path);
    ASSERT_TRUE(sum);
    EXPECT_EQ(test::run_shell("sha256sum < " + path.string()).out, *sum + "  -\n") << length;
  }
}

TEST(Sha256, ReportsAFileThatIsNotThere) {
  const auto sum = sha256_of_file("/nowhere/file");
  ASSERT_FALSE(sum);
  EXPECT_EQ(sum.error().kind, Errc::not_found);
}

}  // namespace
}  // namespace ergon::reproduce
