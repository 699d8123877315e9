#include "commands.h"

#include "arrays/array_commands.h"
#include "cap/cap_command.h"
#include "devices/device_commands.h"
#include "measure/measure_commands.h"
#include "networks/network_commands.h"
#include "predict/predict_commands.h"
#include "profile/profile_commands.h"
#include "reproduce/reproduce_commands.h"
#include "schedules/schedule_commands.h"
#include "serve/serve_commands.h"
#include "sweep/sweep_commands.h"

namespace ergon::app {

std::vector<Command> builtin_commands() {
  return {
      zoo_command(),     inspect_command(),   export_command(),   devices_command(),  measure_command(),
      profile_command(), sweep_command(),     estimate_command(), predict_command(),  tune_command(),
      fit_command(),     cap_command(),       simulate_command(), roofline_command(), allocate_command(),
      fleet_command(),   reproduce_command(), table_command(),    report_command(),   serve_command(),
  };
}

}  // namespace ergon::app
