# `cmake --install` installs the tools, the runtime library with its headers, the CMake package, the pkg-config file, the
# documentation and the man pages. They form two components, which are Debian packages as well (cmake/packages.cmake): gnnc
# has the programs and the documentation, libgnnc-dev has what programs that embed models need. The module for MPI, where it
# is built, is the third, gnnc-mpi, so that gnnc needs no MPI.
include(CMakePackageConfigHelpers)

set(GNNC_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/gnnc)
foreach(tool gnnc gnn-opt gnn-run gnn-data gnn-as gnn-objdump gnn-spmm gnn-train)
  if(TARGET ${tool})
    install(TARGETS ${tool} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT gnnc)
  endif()
endforeach()

if(TARGET gnnc_mpi)
  install(TARGETS gnnc_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/gnnc COMPONENT gnnc-mpi)
endif()

# libgnnc.a contains the rooms runtime, sim, kernels, isa, data and support as one object whose only global symbols start with
# gnnc_, so that a user's program can have an arena_create of its own.
if(NOT TARGET gnnc_runtime)
  return()
endif()
find_program(GNNC_OBJCOPY NAMES objcopy REQUIRED)
set(library ${PROJECT_BINARY_DIR}/libgnnc.a)
set(rooms gnnc_runtime gnnc_sim gnnc_kernels gnnc_isa gnnc_data gnnc_support)
set(archives "")
foreach(room IN LISTS rooms)
  list(APPEND archives $<TARGET_FILE:${room}>)
endforeach()
add_custom_command(OUTPUT ${library}
  COMMAND ${CMAKE_LINKER} -r --whole-archive ${archives} -o libgnnc.o
  COMMAND ${GNNC_OBJCOPY} --wildcard --keep-global-symbol=gnnc_* libgnnc.o
  COMMAND ${CMAKE_COMMAND} -E rm -f ${library}
  COMMAND ${CMAKE_AR} rcs ${library} libgnnc.o
  COMMAND ${CMAKE_COMMAND} -E rm -f libgnnc.o
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
  DEPENDS ${rooms}
  COMMENT "Combining libgnnc.a" VERBATIM)
add_custom_target(gnnc_library ALL DEPENDS ${library})
install(FILES ${library} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libgnnc-dev)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/gnnc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT libgnnc-dev
  FILES_MATCHING PATTERN "*.h")

# The package lists the machines by name, and each machine has a page about its instructions.
file(STRINGS ${PROJECT_SOURCE_DIR}/isa/machines.def rows REGEX "^MACHINE\\(")
list(TRANSFORM rows REPLACE "^MACHINE\\(([a-z0-9_]+),.*" "\\1" OUTPUT_VARIABLE GNNC_MACHINES)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/gnnc-config.cmake.in ${PROJECT_BINARY_DIR}/gnnc-config.cmake
  INSTALL_DESTINATION ${GNNC_CMAKE_DIR} PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gnnc-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gnnc-config.cmake ${PROJECT_BINARY_DIR}/gnnc-config-version.cmake
  ${PROJECT_SOURCE_DIR}/cmake/gnnc_add_model.cmake DESTINATION ${GNNC_CMAKE_DIR} COMPONENT libgnnc-dev)
# The path is relative to the file itself, so that `cmake --install --prefix` and moved trees work.
file(RELATIVE_PATH GNNC_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/gnnc.pc.in ${PROJECT_BINARY_DIR}/gnnc.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gnnc.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT libgnnc-dev)

# These pages are made from the tables; they are installed beside the written ones.
set(generated ${PROJECT_BINARY_DIR}/docs)
file(MAKE_DIRECTORY ${generated})
# gnnc_generated_page(page tool argument...): writes what the tool prints, and writes it again whenever the tool is
# rebuilt.
function(gnnc_generated_page page tool)
  add_custom_command(OUTPUT ${generated}/${page} COMMAND ${tool} ${ARGN} > ${generated}/${page}
    DEPENDS ${tool} VERBATIM COMMENT "Writing docs/${page}")
endfunction()
gnnc_generated_page(ops.md gnn-opt --print-ops-md)
gnnc_generated_page(passes.md gnn-opt --print-passes-md)
gnnc_generated_page(errors.md gnnc --print-errors-md)
set(isa_pages "")
foreach(machine IN LISTS GNNC_MACHINES)
  gnnc_generated_page(isa_${machine}.md gnn-objdump --print-isa-md=${machine})
  list(APPEND isa_pages ${generated}/isa_${machine}.md)
endforeach()
set(generated_pages ${generated}/ops.md ${generated}/passes.md ${generated}/errors.md ${isa_pages})
add_custom_target(gnnc_docs ALL DEPENDS ${generated_pages})

# Scripts that complete options in bash, and in zsh with bashcompinit. bash-completion finds each by the name of its program.
set(completions ${PROJECT_BINARY_DIR}/completions)
file(MAKE_DIRECTORY ${completions})
set(scripts "")
foreach(tool gnnc gnn-opt gnn-run gnn-data gnn-as gnn-objdump gnn-spmm gnn-train)
  add_custom_command(OUTPUT ${completions}/${tool} COMMAND ${tool} --completion=bash > ${completions}/${tool}
    DEPENDS ${tool} VERBATIM COMMENT "Writing completions/${tool}")
  list(APPEND scripts ${completions}/${tool})
endforeach()
add_custom_target(gnnc_completions ALL DEPENDS ${scripts})
install(FILES ${scripts} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT gnnc)

file(GLOB pages ${PROJECT_SOURCE_DIR}/docs/*.md)
install(FILES ${pages} ${generated_pages} README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT gnnc)
install(DIRECTORY docs/devices DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT gnnc FILES_MATCHING
  PATTERN "*.md" PATTERN "*.svg")
file(GLOB manuals ${PROJECT_SOURCE_DIR}/docs/man/*.1)
install(FILES ${manuals} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT gnnc)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT gnnc)
install(DIRECTORY frontend/library DESTINATION ${CMAKE_INSTALL_DATADIR}/gnnc COMPONENT gnnc FILES_MATCHING PATTERN "*.gnn")
install(DIRECTORY python/ DESTINATION ${CMAKE_INSTALL_DATADIR}/gnnc/python COMPONENT gnnc FILES_MATCHING PATTERN "*.py")
install(DIRECTORY data/devices DESTINATION ${CMAKE_INSTALL_DATADIR}/gnnc COMPONENT gnnc FILES_MATCHING PATTERN "*.json")
include(packages)
