# cpack: the components of cmake --install as Debian packages, gnnc and libgnnc-dev (docs/install.md). With -G TGZ one archive for each.
set(GNNC_MAINTAINER "gnnc maintainers <maintainers@gnnc.invalid>" CACHE STRING "name and address in the field Maintainer of packages")
set(GNNC_HOMEPAGE "" CACHE STRING "address in the field Homepage of packages; empty: no field")
set(GNNC_PACKAGE_REVISION 1 CACHE STRING "revision of the packages of one version")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gnnc)
set(CPACK_PACKAGE_VENDOR "${GNNC_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "gnnc built using CMake") # the default; any other would head both descriptions below
set(CPACK_PACKAGE_HOMEPAGE_URL "${GNNC_HOMEPAGE}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_RESOURCE_FILE_README ${PROJECT_SOURCE_DIR}/README.md)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL gnnc libgnnc-dev)
if(TARGET gnnc_mpi)
  list(APPEND CPACK_COMPONENTS_ALL gnnc-mpi)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${GNNC_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_RELEASE ${GNNC_PACKAGE_REVISION})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(version "${PROJECT_VERSION}-${GNNC_PACKAGE_REVISION}")

set(CPACK_DEBIAN_GNNC_PACKAGE_NAME gnnc)
set(CPACK_DEBIAN_GNNC_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_GNNC_PACKAGE_RECOMMENDS "gcc | c-compiler, libc6-dev") # gnn-run compiles C
set(CPACK_DEBIAN_GNNC_PACKAGE_SUGGESTS libgnnc-dev)
set(CPACK_DEBIAN_GNNC_DESCRIPTION "compiler toolchain for graph neural networks
gnnc compiles models of graph neural networks, written in a small language, to
C17 that needs libc and libm alone, or to programs of accelerators.
.
The package has the compiler, gnn-run, which runs models and simulates
accelerators, tools for data sets, IR and programs, and their documentation.")
find_program(GNNC_SHLIBDEPS dpkg-shlibdeps)
if(GNNC_SHLIBDEPS)
  set(CPACK_DEBIAN_GNNC_PACKAGE_SHLIBDEPS ON)
else() # names as in Debian 12
  set(metis "")
  if(METIS_LIBRARY)
    set(metis ", libmetis5")
  endif()
  set(CPACK_DEBIAN_GNNC_PACKAGE_DEPENDS "libc6, libelf1, libgcc-s1, libjansson4, libstdc++6, libxxhash0, zlib1g${metis}")
endif()

# What gnnc::runtime and gnnc.pc link comes with it.
set(CPACK_DEBIAN_LIBGNNC-DEV_PACKAGE_NAME libgnnc-dev)
set(CPACK_DEBIAN_LIBGNNC-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBGNNC-DEV_PACKAGE_DEPENDS "gnnc (= ${version}), libelf-dev, libjansson-dev, libxxhash-dev, zlib1g-dev")
set(CPACK_DEBIAN_LIBGNNC-DEV_PACKAGE_SUGGESTS "gcc | c-compiler, cmake, pkg-config")
set(CPACK_DEBIAN_LIBGNNC-DEV_DESCRIPTION "graph neural networks compiled by gnnc in programs
Headers and the static runtime library libgnnc.a, which reads graphs and
weights and runs models and programs of simulated accelerators.
.
With them come the CMake package gnnc, whose function gnnc_add_model compiles
models when a program is built, and a file for pkg-config.")

set(CPACK_DEBIAN_GNNC-MPI_PACKAGE_NAME gnnc-mpi)
set(CPACK_DEBIAN_GNNC-MPI_PACKAGE_SECTION science)
set(CPACK_DEBIAN_GNNC-MPI_PACKAGE_DEPENDS "gnnc (= ${version})")
set(CPACK_DEBIAN_GNNC-MPI_PACKAGE_SHLIBDEPS ON) # the names of MPI's packages follow the one that was built with
set(CPACK_DEBIAN_GNNC-MPI_DESCRIPTION "graph neural networks on several machines by MPI
The module that gnn-run loads where mpirun starts it, so that the processes
compute one graph together.")

# Dates in packages are those of the last commit, so equal sources make equal packages.
find_program(GNNC_GIT git)
set(date "$ENV{SOURCE_DATE_EPOCH}")
if(NOT date AND GNNC_GIT)
  execute_process(COMMAND ${GNNC_GIT} log -1 --format=%ct WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(ENV{SOURCE_DATE_EPOCH} "${date}")
string(TIMESTAMP GNNC_PACKAGE_EPOCH "%s" UTC)
string(TIMESTAMP year "%Y" UTC)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${PROJECT_BINARY_DIR}/package/changelog.Debian "gnnc (${version}) unstable; urgency=medium

  * Version ${PROJECT_VERSION}; its changes are in changelog.gz.

 -- ${GNNC_MAINTAINER}  ${date}
")
file(READ LICENSE license)
string(REGEX REPLACE "^.*(As an exception, if.*)$" "\\1" exceptions "${license}")
string(STRIP "${exceptions}" exceptions)
string(REGEX REPLACE "\n\n" "\n.\n" exceptions "${exceptions}")
string(REPLACE "\n" "\n " exceptions "${exceptions}")
file(WRITE ${PROJECT_BINARY_DIR}/package/copyright
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: gnnc
Comment: The programs gnnc and gnn-opt contain code of LLVM and MLIR, which have the same license.

Files: *
Copyright: ${year} the authors of gnnc
License: Apache-2.0 with LLVM exceptions
 On Debian systems the text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0. There are exceptions:
 .
 ${exceptions}
")
configure_file(${PROJECT_SOURCE_DIR}/cmake/package_files.cmake.in ${PROJECT_BINARY_DIR}/package/package_files.cmake @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_BINARY_DIR}/package/package_files.cmake)
include(CPack)
