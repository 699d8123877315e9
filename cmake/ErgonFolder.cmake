# One folder of src/ is one target and one namespace.
#
#   ergon_folder(table DEPENDS base PRIVATE fmt::fmt)
#
# makes the static library ergon_table (alias ergon::table) from every .cc below the current folder. DEPENDS names the
# folders it may include from; PRIVATE names vendor libraries that only its .cc files see; APART names folders inside it
# that are targets of their own; HEADERS names the public headers of an adapter, whose other headers know its vendor
# and are not for others. Every header becomes part of a verified header set: the target
# all_verify_interface_header_sets compiles each one alone.

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
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/src" FILES ${headers})
  set_target_properties(${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}/src")
  list(TRANSFORM arg_DEPENDS PREPEND ergon::)
  target_link_libraries(${target} PUBLIC fmt::fmt ${arg_DEPENDS} PRIVATE ${arg_PRIVATE})
  ergon_unity(${target})
endfunction()
