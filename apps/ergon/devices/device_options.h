#pragma once

#include <optional>

#include "device/twin/precision.h"
#include "graph/network.h"
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

// Warns if the network has operations whose speed the twins do not model, such as int8 products.
void warn_of_unmodeled_types(const graph::Network& network, device::Precision precision, Shell& shell);

// Declares --host, the program that launches kernels; the default depends on the network.
void declare_host(Options& options, std::optional<predict::LaunchHost>& host);

// Declares --tables, folders of measured tables.
void declare_tables(Options& options, sources::MeasuredTablesSource& tables);

}  // namespace ergon::app
