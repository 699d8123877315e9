# Runs in cpack, before the packages are made. Sets the packages that the programs depend on. libergon_torch.so is
# loaded only when a network is run, so its libraries, some hundreds of megabytes, are recommended and not required.

find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(NOT DPKG_SHLIBDEPS)
  message(FATAL_ERROR "dpkg-shlibdeps is missing. Run tools/setup package.")
endif()

# dpkg-shlibdeps reads the names of the packages that are made here.
set(work "${CPACK_PACKAGE_DIRECTORY}/shlibdeps")
file(WRITE "${work}/debian/control" "Source: ergon\n\nPackage: ergon\nArchitecture: any\n")
file(GLOB torch "${CPACK_ERGON_BUILD}/lib/libergon_torch.so")
set(programs "${CPACK_ERGON_BUILD}/bin/ergon" "${CPACK_ERGON_BUILD}/bin/fake-gpu"
             "${CPACK_ERGON_BUILD}/fake-nvml/libnvidia-ml.so.1")
if(EXISTS "${CPACK_ERGON_BUILD}/lib/libergon.so")
  list(APPEND programs "${CPACK_ERGON_BUILD}/lib/libergon.so")
endif()
list(TRANSFORM programs PREPEND -e)
list(TRANSFORM torch PREPEND -e)
execute_process(COMMAND "${DPKG_SHLIBDEPS}" -O --ignore-missing-info ${programs} -dRecommends ${torch}
                WORKING_DIRECTORY "${work}" OUTPUT_VARIABLE lines ERROR_VARIABLE messages RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "dpkg-shlibdeps failed:\n${messages}")
endif()
# "shlibs:Depends=libc6 (>= 2.34), ..." and "shlibs:Recommends=libtorch1.13, ...".
foreach(field DEPENDS RECOMMENDS)
  string(SUBSTRING "${field}" 1 -1 rest)
  string(SUBSTRING "${field}" 0 1 first)
  string(TOLOWER "${rest}" rest)
  if(lines MATCHES "shlibs:${first}${rest}=([^\n]*)")
    set(CPACK_DEBIAN_PROGRAMS_PACKAGE_${field} "${CMAKE_MATCH_1}")
  endif()
endforeach()
file(REMOVE_RECURSE "${work}")
