# One folder of src/ is one target and one namespace.
#
#   ergon_folder(table DEPENDS base PRIVATE fmt::fmt)
#
# makes the static library ergon_table (alias ergon::table) from every .cc below the current folder. DEPENDS names the
# folders it may include from; PRIVATE names vendor libraries that only its .cc files see; APART names folders inside it
# that are targets of their own; HEADERS names the public headers of an adapter, whose other headers know its vendor
# and are not for others.
#
# Every header compiles alone. A .cc file includes the header of its own name first (tests/guards), so a build file by
# file shows it for most; with ERGON_CHECK_HEADERS, as in the preset dev, the others are compiled by files made here.

option(ERGON_CHECK_HEADERS "Compile alone each header that no .cc file of its name includes" OFF)

# ergon_check_headers(TARGET ROOT HEADER...): adds one file for each header that has no .cc file beside it. ROOT is the
# folder that its includes begin at.
function(ergon_check_headers target root)
  if(NOT ERGON_CHECK_HEADERS)
    return()
  endif()
  foreach(header IN LISTS ARGN)
    cmake_path(REPLACE_EXTENSION header LAST_ONLY cc OUTPUT_VARIABLE source)
    if(EXISTS "${source}")
      continue()
    endif()
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY "${root}" OUTPUT_VARIABLE name)
    set(file "${CMAKE_CURRENT_BINARY_DIR}/headers/${name}.cc")
    file(CONFIGURE OUTPUT "${file}" CONTENT "#include \"${name}\"  // IWYU pragma: keep\n")
    target_sources(${target} PRIVATE "${file}")
  endforeach()
endfunction()

function(ergon_folder name)
  cmake_parse_arguments(arg "" "" "DEPENDS;PRIVATE;APART;HEADERS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cc")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  if(arg_HEADERS)
    list(TRANSFORM arg_HEADERS PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" OUTPUT_VARIABLE headers)
  endif()
  foreach(folder IN LISTS arg_APART)
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${folder}/")
    list(FILTER headers EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${folder}/")
  endforeach()
  set(target ergon_${name})
  add_library(${target} STATIC ${sources})
  add_library(ergon::${name} ALIAS ${target})
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
  list(TRANSFORM arg_DEPENDS PREPEND ergon::)
  target_link_libraries(${target} PUBLIC fmt::fmt ${arg_DEPENDS} PRIVATE ${arg_PRIVATE})
  ergon_unity(${target})
  ergon_check_headers(${target} "${PROJECT_SOURCE_DIR}/src" ${headers})
endfunction()
