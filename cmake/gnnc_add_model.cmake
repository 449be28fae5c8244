# gnnc_add_model(<target> SOURCE <model.gnn>
#                [WEIGHTS <file>] [GRAPH <file>] [TARGET c|<machine>] [MODEL <name>]
#                [DIMS <name>=<value>...] [OPTIONS <gnnc option>...] [TRAIN])
#
# Compiles a model when the program is built: <target> becomes a static library with the generated header <target>.h on its
# include path. WEIGHTS gives the model its dimensions (or DIMS does); GRAPH is used for statistics only. At run time the library
# needs libc and libm alone; threads of an executor (gnnc/executor.h) take part in its runs.
#
# With TRAIN the library has the functions that train the model; their names begin with <model>_train_. A program may link it beside
# the library without TRAIN, which runs the model.
#
# With TARGET <machine>, where `gnnc --help` lists the machines, <target> is a custom target that makes a program of
# that machine. It needs GRAPH, and WEIGHTS where the model has weights, unless OPTIONS has --no-data. The target's property
# GNNC_PROGRAM is the path of the program.
# The program is built again when a file changes that gnnc has read, imports and files in OPTIONS included.
# install(TARGETS ... EXPORT) takes <target>; its header is a PUBLIC_HEADER.
cmake_policy(SET CMP0116 NEW) # paths in the list may be absolute
function(gnnc_add_model target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TRAIN" "SOURCE;WEIGHTS;GRAPH;TARGET;MODEL" "DIMS;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gnnc_add_model(${target}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_SOURCE)
    message(FATAL_ERROR "gnnc_add_model(${target}): SOURCE is missing")
  endif()
  if(NOT arg_TARGET)
    set(arg_TARGET c)
  endif()
  get_target_property(machines gnnc::gnnc GNNC_MACHINES)
  set(is_machine FALSE)
  if(arg_TARGET IN_LIST machines)
    set(is_machine TRUE)
  elseif(NOT arg_TARGET STREQUAL "c")
    list(JOIN machines ", " names)
    message(FATAL_ERROR "gnnc_add_model(${target}): TARGET ${arg_TARGET} is not known; expected c or one of the machines: ${names}")
  endif()
  if(is_machine AND arg_TRAIN)
    message(FATAL_ERROR "gnnc_add_model(${target}): TRAIN is for TARGET c; a program of a machine cannot be trained")
  endif()
  if(is_machine AND NOT arg_GRAPH)
    message(FATAL_ERROR "gnnc_add_model(${target}): TARGET ${arg_TARGET} needs GRAPH: a program is made for one graph")
  endif()

  get_filename_component(source "${arg_SOURCE}" ABSOLUTE)
  set(inputs "${source}")
  set(command --target=${arg_TARGET} "${source}")
  foreach(kind WEIGHTS GRAPH)
    if(arg_${kind})
      get_filename_component(file "${arg_${kind}}" ABSOLUTE)
      string(TOLOWER ${kind} option)
      list(APPEND command --${option} "${file}")
      list(APPEND inputs "${file}")
    endif()
  endforeach()
  if(arg_TRAIN)
    list(APPEND command --train)
  endif()
  if(arg_MODEL)
    list(APPEND command --model=${arg_MODEL})
  endif()
  foreach(dim IN LISTS arg_DIMS)
    list(APPEND command --dim ${dim})
  endforeach()
  list(APPEND command ${arg_OPTIONS})

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/gnnc/${target}")
  file(MAKE_DIRECTORY "${folder}")
  if(is_machine)
    add_custom_command(OUTPUT "${folder}/${target}.bin"
      COMMAND gnnc::gnnc ${command} -o "${folder}/${target}.bin" -MD
      DEPENDS ${inputs} gnnc::gnnc
      DEPFILE "${folder}/${target}.bin.d"
      COMMENT "Compiling ${arg_SOURCE}" VERBATIM)
    add_custom_target(${target} ALL DEPENDS "${folder}/${target}.bin")
    set_target_properties(${target} PROPERTIES GNNC_PROGRAM "${folder}/${target}.bin")
    return()
  endif()
  set(outputs "${folder}/${target}.c" "${folder}/${target}.h" "${folder}/${target}.json")
  add_custom_command(OUTPUT ${outputs}
    COMMAND gnnc::gnnc ${command} -o "${folder}/${target}.c" -MD
    DEPENDS ${inputs} gnnc::gnnc
    DEPFILE "${folder}/${target}.c.d"
    COMMENT "Compiling ${arg_SOURCE}" VERBATIM)

  add_library(${target} STATIC ${outputs})
  set_target_properties(${target} PROPERTIES C_STANDARD 17 C_EXTENSIONS OFF PUBLIC_HEADER "${folder}/${target}.h")
  target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${folder}>" "$<INSTALL_INTERFACE:include>")
  target_compile_options(${target} PRIVATE -ffp-contract=fast -fno-math-errno -O3)
  target_link_libraries(${target} PUBLIC m)
  # OpenMP's pragmas vectorise loops; its library is not linked.
  include(CheckCCompilerFlag)
  check_c_compiler_flag(-fopenmp-simd GNNC_HAS_OPENMP_SIMD)
  if(GNNC_HAS_OPENMP_SIMD)
    target_compile_options(${target} PRIVATE -fopenmp-simd -DGNNC_OPENMP_SIMD)
  endif()
endfunction()
