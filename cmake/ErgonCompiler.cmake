# Flags that hold for every target: warnings, sanitizers, ccache.

find_program(ERGON_CCACHE ccache)
if(ERGON_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${ERGON_CCACHE}")
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
                    -Wold-style-cast -Woverloaded-virtual -Wcast-qual -Wundef)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Designated initialisers leave the other members at their defaults on purpose.
  add_compile_options(-Wno-missing-field-initializers -Wduplicated-cond -Wlogical-op)
else()
  add_compile_options(-Wno-missing-field-initializers)
endif()

if(ERGON_SANITIZE)
  add_compile_options(-fsanitize=${ERGON_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ERGON_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The sanitizers' own instrumentation confuses it (GCC manual, -fsanitize): it fires inside <regex>.
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
endif()
