# What `make install` and `make package` put where. Two components, two packages: `programs` has what users run, `dev`
# what developers build against. An installation can be moved: everything is found relative to the program or library.

set(ergon_private_folder "${CMAKE_INSTALL_LIBDIR}/ergon")
set(ergon_documentation "${PROJECT_BINARY_DIR}/documentation")

# Builds all that is installed, and nothing else.
add_custom_target(programs DEPENDS ergon fake-gpu fake_nvml documentation)

install(TARGETS ergon fake-gpu RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT programs)
# In a folder of its own, so that no program loads it by accident instead of the driver's.
install(TARGETS fake_nvml LIBRARY DESTINATION "${ergon_private_folder}" COMPONENT programs NAMELINK_SKIP)
if(TARGET ergon_torch)
  add_dependencies(programs ergon_torch)
  # PyTorch's own libraries may be outside the system's folders.
  set_target_properties(ergon_torch PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS ergon_torch LIBRARY DESTINATION "${ergon_private_folder}" COMPONENT programs)
endif()

install(DIRECTORY "${ergon_documentation}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}" COMPONENT programs)
install(FILES "${PROJECT_SOURCE_DIR}/packaging/fake-gpu.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT programs)
install(FILES "${ergon_documentation}/completions/ergon"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMPONENT programs)
# The measured datasets stay in the repository: 20 MB that only fitting the bundled models again would need.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/data/" DESTINATION "${CMAKE_INSTALL_DATADIR}/ergon/data" COMPONENT programs
        PATTERN measured EXCLUDE PATTERN "*.py" EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT programs)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/" DESTINATION "${CMAKE_INSTALL_DOCDIR}/docs" COMPONENT programs
        FILES_MATCHING PATTERN "*.md" PATTERN adr EXCLUDE PATTERN pictures EXCLUDE PATTERN transcripts EXCLUDE
        PATTERN prometheus EXCLUDE)

if(TARGET libergon)
  include(CMakePackageConfigHelpers)
  set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/ergon")
  add_dependencies(programs libergon)
  install(TARGETS libergon EXPORT ergon
          LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT programs NAMELINK_COMPONENT dev
          FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT dev)
  install(EXPORT ergon NAMESPACE ergon:: FILE ergon-targets.cmake DESTINATION "${package_folder}" COMPONENT dev)
  configure_package_config_file("${PROJECT_SOURCE_DIR}/packaging/ergon-config.cmake.in"
                                "${PROJECT_BINARY_DIR}/packaging/ergon-config.cmake"
                                INSTALL_DESTINATION "${package_folder}")
  # Before 1.0 a minor version may change the API.
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/packaging/ergon-config-version.cmake"
                                   COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/packaging/ergon-config.cmake"
                "${PROJECT_BINARY_DIR}/packaging/ergon-config-version.cmake"
          DESTINATION "${package_folder}" COMPONENT dev)

  # The prefix is found from the place of ergon.pc, so that it can be moved.
  set(pkgconfig_folder "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}/${pkgconfig_folder}"
             OUTPUT_VARIABLE ERGON_PREFIX_FROM_PC)
  configure_file("${PROJECT_SOURCE_DIR}/packaging/ergon.pc.in" "${PROJECT_BINARY_DIR}/packaging/ergon.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/packaging/ergon.pc" DESTINATION "${pkgconfig_folder}" COMPONENT dev)
  file(GLOB examples CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.cc")
  install(FILES ${examples} DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/ergon-dev/examples" COMPONENT dev)
endif()

# Two Debian packages, in build/package. packaging/deb.cmake finds what they depend on.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ergon)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_CONTACT "The Ergon developers <ergon@localhost>")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_SOURCE_DIR}/build/package")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "energy of neural networks on GPUs and accelerators")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL programs)
if(TARGET libergon)
  list(APPEND CPACK_COMPONENTS_ALL dev)
endif()
if(TARGET ergon_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME ergon)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SUGGESTS bash-completion)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_COMPONENT_PROGRAMS_DESCRIPTION
    "energy of neural networks on GPUs and accelerators
Ergon measures what a neural network costs on an accelerator, predicts what it
would cost elsewhere, and finds the clock, batch size, power limit and schedule
that need the least energy. It holds power caps and analyzes the energy of
whole fleets of GPUs.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME ergon-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "ergon (= ${PROJECT_VERSION}-1)")
set(CPACK_COMPONENT_DEV_DESCRIPTION
    "energy of neural networks - development files
Headers, CMake package and pkg-config file of libergon, the library of Ergon:
costs of networks, devices and their energy, predictions, operating points and
power caps.")
if(TARGET ergon_python)
  # The module is built for one version of Python.
  math(EXPR next_minor "${Python3_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-ergon)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "ergon (= ${PROJECT_VERSION}-1), python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${next_minor})")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/packaging/python3-ergon/postinst"
                                                "${PROJECT_SOURCE_DIR}/packaging/python3-ergon/prerm")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-torch, python3-pandas, python3-matplotlib")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION
      "energy of neural networks - Python package
Measures the energy of Python programs with an uncertainty, predicts what
PyTorch modules cost on a device, and holds a power cap over a loop. Includes a
replacement of Zeus's monitor.")
endif()
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_SOURCE_DIR}/packaging/deb.cmake")
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/packaging/deb_files.cmake")
set(CPACK_ERGON_SOURCE "${PROJECT_SOURCE_DIR}")
set(CPACK_ERGON_BUILD "${PROJECT_BINARY_DIR}")
include(CPack)
