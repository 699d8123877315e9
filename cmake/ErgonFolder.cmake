# One folder of src/ is one target and one namespace.
#
#   ergon_folder(table DEPENDS base PRIVATE fmt::fmt)
#
# makes the static library ergon_table (alias ergon::table) from every .cc below the current folder. DEPENDS names the
# folders it may include from; PRIVATE names vendor libraries that only its .cc files see. Every header becomes part
# of a verified header set: the target all_verify_interface_header_sets compiles each one alone.

function(ergon_folder name)
  cmake_parse_arguments(arg "" "" "DEPENDS;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cc")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  set(target ergon_${name})
  add_library(${target} STATIC ${sources})
  add_library(ergon::${name} ALIAS ${target})
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/src" FILES ${headers})
  set_target_properties(${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}/src")
  list(TRANSFORM arg_DEPENDS PREPEND ergon::)
  target_link_libraries(${target} PUBLIC fmt::fmt ${arg_DEPENDS} PRIVATE ${arg_PRIVATE})
endfunction()
