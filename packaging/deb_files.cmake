# Runs in cpack, after the files of a package were collected: copyright, changelog and compressed manual pages, as
# Debian's policy asks for.

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(pair "programs|ergon" "dev|ergon-dev" "python|python3-ergon")
  string(REPLACE "|" ";" pair "${pair}")
  list(GET pair 0 component)
  list(GET pair 1 package)
  set(root "${CPACK_TEMPORARY_DIRECTORY}/${component}/usr/share")
  if(NOT EXISTS "${CPACK_TEMPORARY_DIRECTORY}/${component}")
    continue()
  endif()
  file(MAKE_DIRECTORY "${root}/doc/${package}")
  file(COPY "${CPACK_ERGON_SOURCE}/packaging/copyright" DESTINATION "${root}/doc/${package}")
  file(REMOVE "${root}/doc/${package}/LICENSE" "${root}/doc/${package}/CHANGELOG.md")
  configure_file("${CPACK_ERGON_SOURCE}/CHANGELOG.md" "${root}/doc/${package}/changelog" COPYONLY)
  file(WRITE "${root}/doc/${package}/changelog.Debian"
       "ergon (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) stable; urgency=medium\n\n"
       "  * Ergon ${CPACK_PACKAGE_VERSION}. changelog.gz has the release notes.\n\n"
       " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  file(GLOB pages "${root}/man/man1/*.1")
  execute_process(COMMAND gzip -9nf "${root}/doc/${package}/changelog" "${root}/doc/${package}/changelog.Debian" ${pages} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
