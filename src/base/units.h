#pragma once

// Quantities as types, from the public API.

#include <ergon/units.h>
