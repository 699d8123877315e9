# Flags that hold for every target: warnings, hardening, visibility, sanitizers, ccache. Warnings are errors where
# CMAKE_COMPILE_WARNING_AS_ERROR is ON: in the presets for development and in CI, not in those for users.

find_program(ERGON_CCACHE ccache)
if(ERGON_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Depend mode: the first build does not preprocess every file twice.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_DEPEND=1;${ERGON_CCACHE}")
endif()

add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wno-sign-conversion>"
                    "$<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor;-Wold-style-cast;-Woverloaded-virtual;-Wcast-qual;-Wundef>")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Designated initializers leave the other members at their defaults on purpose.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wno-missing-field-initializers;-Wduplicated-cond;-Wlogical-op>")
else()
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wno-missing-field-initializers>")
  if(CMAKE_UNITY_BUILD)
    # Names of one file are not shadowed by those of another. The preset dev, file by file, checks each.
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow>")
  endif()
endif()

# Programs and shared libraries show what they declare as public, and nothing else.
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

# Position-independent programs; libraries are linked into programs and shared libraries alike.
include(CheckPIESupported)
check_pie_supported(OUTPUT_VARIABLE ERGON_PIE_MESSAGE LANGUAGES CXX)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# Hardening. The sanitizers have checks of their own, and _FORTIFY_SOURCE needs optimization.
# tests/packaging/hardening reads the result from the programs.
if(NOT ERGON_SANITIZE)
  add_compile_options(-fstack-protector-strong)
  add_compile_options("$<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
  # The standard library checks indices and iterators, as far as that takes no space.
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  add_link_options("LINKER:-z,relro,-z,now,-z,noexecstack")
  # Control-flow enforcement (endbr64, shadow stacks) and stack clashes: not on every processor. The first is in effect only
  # where all libraries are marked for it; docs/security.md.
  include(CheckCXXCompilerFlag)
  foreach(flag -fcf-protection=full -fstack-clash-protection)
    string(MAKE_C_IDENTIFIER "ERGON_HAS${flag}" has)
    check_cxx_compiler_flag(${flag} ${has})
    if(${has})
      add_compile_options(${flag})
    endif()
  endforeach()
endif()

if(ERGON_SANITIZE)
  add_compile_options(-fsanitize=${ERGON_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ERGON_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The sanitizers' own instrumentation confuses it (GCC manual, -fsanitize): it fires inside <regex>.
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
endif()

# Under `make fuzz` the libraries need libFuzzer's coverage too, without its main().
if(ERGON_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
