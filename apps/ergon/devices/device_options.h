#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/twin/precision.h"
#include "options.h"
#include "predict/estimate/launch_host.h"
#include "shell.h"
#include "sources/device_source.h"
#include "sources/measured_tables.h"

namespace ergon::app {

using sources::DeviceSource;

// Declares --precision; the default is that of the network.
void declare_precision(Options& options, std::optional<device::Precision>& precision);
// The same with shorter help, for commands with many options.
void declare_precision_briefly(Options& options, std::optional<device::Precision>& precision);

// Prints warnings to standard error, besides the result that contains them.
void note_warnings(const std::vector<std::string>& warnings, Shell& shell);

// Declares --host, the program that launches kernels; the default depends on the network.
void declare_host(Options& options, std::optional<predict::LaunchHost>& host);

// Declares --tables, folders of measured tables.
void declare_tables(Options& options, sources::MeasuredTablesSource& tables);

}  // namespace ergon::app
