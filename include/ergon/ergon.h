#pragma once

// The public API of Ergon. docs/api.md is its guide.

#include "ergon/cap.h"
#include "ergon/cap_loop.h"
#include "ergon/device.h"
#include "ergon/document.h"
#include "ergon/estimate.h"
#include "ergon/export.h"
#include "ergon/fleet.h"
#include "ergon/measure.h"
#include "ergon/network.h"
#include "ergon/predict.h"
#include "ergon/profile.h"
#include "ergon/quantity_text.h"
#include "ergon/result.h"
#include "ergon/simulate.h"
#include "ergon/tune.h"
#include "ergon/units.h"
#include "ergon/version.h"
