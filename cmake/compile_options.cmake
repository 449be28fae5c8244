# The language level and the warnings, the same for every target of the project.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

option(GNNC_FUZZ "build the libFuzzer entries (clang only)" OFF)
option(GNNC_WERROR "treat warnings as errors (CI)" OFF)
set(GNNC_SANITIZE "" CACHE STRING "comma-separated sanitizers, e.g. address,undefined")

add_library(gnnc_options INTERFACE)
target_compile_definitions(gnnc_options INTERFACE _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE)
target_compile_options(gnnc_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wformat=2 -Wvla
  $<$<BOOL:${GNNC_WERROR}>:-Werror>)
if(GNNC_SANITIZE)
  target_compile_options(gnnc_options INTERFACE -fsanitize=${GNNC_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(gnnc_options INTERFACE -fsanitize=${GNNC_SANITIZE})
endif()
if(GNNC_FUZZ)
  target_compile_options(gnnc_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
target_include_directories(gnnc_options INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
