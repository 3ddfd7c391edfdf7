# The files of `make install`, and those that are built only to be installed.  Included by
# CMakeLists.txt; packaging/debian divides the same tree into packages.

set(CORDON_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING
    "where zsh looks for completions")
set(made ${CMAKE_BINARY_DIR}/install)
file(MAKE_DIRECTORY ${made})

# Make completions from the help pages.
set(completions ${made}/cordon.bash ${made}/_cordon ${made}/cordon.fish)
add_custom_command(OUTPUT ${completions}
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/completions.py ${made}
    cordon=${PROJECT_SOURCE_DIR}/src/cli/help cordond=${PROJECT_SOURCE_DIR}/src/daemon/help
  DEPENDS ${PROJECT_SOURCE_DIR}/tools/completions.py ${PROJECT_SOURCE_DIR}/tools/pages.py
    ${help_pages} ${daemon_pages}
  COMMENT "Making the completions for bash, zsh and fish" VERBATIM)
add_custom_target(completions ALL DEPENDS ${completions})

configure_file(packaging/libcordon.pc.in ${made}/libcordon.pc @ONLY)
configure_file(packaging/cordond.service.in ${made}/cordond.service @ONLY)
configure_file(packaging/apparmor.in ${made}/cordon.apparmor @ONLY)

# List the linked libraries, as the linker reports them.
if(TARGET cordon_shared AND CORDON_MUSL)
  target_link_options(cordond PRIVATE -Wl,-Map,${gen}/cordond.map)
  target_link_options(cordon_shared PRIVATE -Wl,-Map,${gen}/libcordon.map)
  add_custom_command(OUTPUT ${made}/cordon.spdx.json
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/sbom.py ${made}/cordon.spdx.json
      ${PROJECT_VERSION} cordon=${CORDON_OUT}/cordon=${gen}/cordon.map
      cordond=$<TARGET_FILE:cordond>=${gen}/cordond.map
      libcordon.so=$<TARGET_FILE:cordon_shared>=${gen}/libcordon.map
    DEPENDS ${PROJECT_SOURCE_DIR}/tools/sbom.py cordon ${CORDON_OUT}/cordon cordond cordon_shared
      ${PROJECT_SOURCE_DIR}/packaging/debian/changelog
    COMMENT "Listing what is linked" VERBATIM)
  add_custom_target(sbom ALL DEPENDS ${made}/cordon.spdx.json)
  install(FILES ${made}/cordon.spdx.json DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()

install(PROGRAMS ${CORDON_OUT}/cordon DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS cordond DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES include/cordon.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS cordon_static DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET cordon_shared)
  install(TARGETS cordon_shared DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(FILES ${made}/libcordon.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

foreach(section 1 3 5)
  file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/man/*.${section})
  install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()
install(FILES ${made}/cordon.bash RENAME cordon
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${made}/_cordon DESTINATION ${CORDON_ZSH_DIR})
install(FILES ${made}/cordon.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES ${made}/cordond.service DESTINATION lib/systemd/user)
install(FILES ${made}/cordon.apparmor RENAME cordon
    DESTINATION ${CMAKE_INSTALL_DATADIR}/cordon/apparmor)

file(GLOB documents CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/doc/*)
install(FILES README.md NEWS.md SECURITY.md THREATS.md LICENSE ${documents}
    DESTINATION ${CMAKE_INSTALL_DOCDIR})
