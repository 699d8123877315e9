#include "fleet/task_file.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_folder.h"

namespace ergon::fleet {
namespace {

constexpr const char* kHeader =
    "task,host,event,level,start,duration_ms,energy_joules,power_watts,temperature_celsius,utilization,"
    "memory,"
    "covered,simulated\n";

TEST(TaskFile, HasARowPerTask) {
  const ergon::test::TemporaryFolder folder;
  auto file = TaskFile::create(folder / "new/tables");
  ASSERT_TRUE(file) << file.error().message;
  Event when;
  when.start = *parse_timestamp("2018-11-08T07:00:00Z");
  when.stop = *parse_timestamp("2018-11-08T07:00:01.500Z");
  EventTelemetry telemetry;
  telemetry.energy = Joules{150};
  telemetry.mean = {100, 50, 90, 20};
  telemetry.coverage = 1;
  ASSERT_TRUE(file->add({"h", "dropped", "Render", "12", when, telemetry}));
  ASSERT_TRUE(file->restart());
  ASSERT_TRUE(file->add({"h", "say \"t\"", "Render", "12", when, telemetry}));
  telemetry.coverage = 0;
  telemetry.mean = kAllUnknown;
  ASSERT_TRUE(file->add({"h", "u", "Render", "12", when, telemetry, true}));
  EXPECT_FALSE(read_file(folder / "new/tables/tasks.csv")) << "not before commit()";
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(
      *read_file(folder / "new/tables/tasks.csv"),
      std::string(kHeader) +
          "\"say \"\"t\"\"\",\"h\",\"Render\",\"12\",2018-11-08T07:00:00Z,1500,150,100,50,90,20,1,false\n"
          "\"u\",\"h\",\"Render\",\"12\",2018-11-08T07:00:00Z,1500,,,,,,0,true\n");
}

}  // namespace
}  // namespace ergon::fleet
