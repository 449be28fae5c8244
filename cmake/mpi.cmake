# Messages between processes are a module of their own, which gnn-run loads when it is asked to: nothing else needs MPI.
option(GNNC_MPI "build the module for MPI where MPI is found" ON)
if(GNNC_MPI)
  find_package(MPI COMPONENTS C QUIET)
endif()
if(NOT MPI_C_FOUND)
  message(STATUS "no MPI: ranks are threads of one process, and the tests of MPI are left out")
endif()

# gnnc_mpi_module(name definition...): makes a module from the one file that includes mpi.h.
function(gnnc_mpi_module name)
  add_library(${name} MODULE ${PROJECT_SOURCE_DIR}/runtime/comm/comm_mpi.c)
  set_target_properties(${name} PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden)
  target_compile_definitions(${name} PRIVATE GNNC_VERSION="${PROJECT_VERSION}" ${ARGN})
  target_link_libraries(${name} PRIVATE gnnc_options MPI::MPI_C)
endfunction()
