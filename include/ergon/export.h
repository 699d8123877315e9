#pragma once

// Marks what libergon.so exports. All other symbols of the library are hidden.
#define ERGON_API __attribute__((visibility("default")))
