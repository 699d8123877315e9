#include "commands.h"
#include "fleet/fleet_commands.h"

namespace ergon::app {

Command fleet_command() {
  return {
      .name = "fleet",
      .summary = "where the energy and the time of many GPUs went",
      .description =
          "Application events (START and STOP of tasks) and what GPUs showed meanwhile, joined over every "
          "event's whole interval. docs/fleet.md says how.",
      .children = {fleet_analyze_command(), fleet_merge_command(), fleet_generate_command()},
  };
}

}  // namespace ergon::app
