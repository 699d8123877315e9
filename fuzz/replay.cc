// Runs a fuzz target once over every file of its corpus and, if it has a custom mutator, over a few mutations
// of each, always the same.

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "base/file.h"
#include "fuzz/mutation.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" [[gnu::weak]] std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                                             std::size_t max_size, unsigned seed);

namespace {

constexpr unsigned kMutations = 20;
constexpr std::size_t kMaxGrowth = 4096;

void run_mutations(const std::string& input) {
  for (unsigned seed = 1; seed <= kMutations; ++seed) {
    std::vector<std::uint8_t> bytes(input.begin(), input.end());
    bytes.resize(input.size() + kMaxGrowth);
    bytes.resize(LLVMFuzzerCustomMutator(bytes.data(), input.size(), bytes.size(), seed));
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
}

}  // namespace

// Stands in for libFuzzer's: changes one byte.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size) {
  if (size == 0 && max_size > 0) data[size++] = '0';
  if (size > 0) data[size / 2] ^= 1U;
  return size;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    const auto content = ergon::read_file(entry.path());
    if (!content) return 1;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(content->data()), content->size());
    if (LLVMFuzzerCustomMutator != nullptr) run_mutations(*content);
    ++files;
  }
  std::printf("%d files\n", files);
  return files > 0 ? 0 : 1;
}
