#include "device/machine/device_name.h"

#include <gtest/gtest.h>

namespace ergon::device {
namespace {

TEST(DeviceName, MeansAProcessorAGpuOrATwin) {
  EXPECT_EQ(kind_of_name("cpu"), NameKind::processor);
  EXPECT_EQ(kind_of_name("CPU"), NameKind::processor);
  for (const char* name : {"gpu0", "GPU7", "0", "12", "GPU-5c2a0000", "gpu-5c2a0000"})
    EXPECT_EQ(kind_of_name(name), NameKind::gpu) << name;
  for (const char* name : {"", "gpu", "cpu0", "a30", "0a", "-1", "board.json"})
    EXPECT_EQ(kind_of_name(name), NameKind::twin) << name;
}

TEST(DeviceName, OfAFileEndsInJson) {
  EXPECT_TRUE(is_device_file("board.json"));
  EXPECT_TRUE(is_device_file("folder/Board.JSON"));
  EXPECT_FALSE(is_device_file("json"));
  EXPECT_FALSE(is_device_file("a30"));
}

}  // namespace
}  // namespace ergon::device
