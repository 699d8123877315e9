#include "commands.h"
#include "fleet/fleet_commands.h"

namespace ergon::app {

Command fleet_command() {
  return {
      .name = "fleet",
      .summary = "energy and time of many GPUs, attributed to tasks",
      .description =
          "Joins application events (START and STOP of tasks) with GPU samples over the interval of each "
          "event. docs/fleet.md describes the method.",
      .children = {fleet_analyze_command(), fleet_merge_command(), fleet_generate_command()},
  };
}

}  // namespace ergon::app
