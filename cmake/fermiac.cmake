# Helpers of the top-level CMakeLists: one library per folder, one test per file.

add_library(fermiac_flags INTERFACE)
target_compile_options(fermiac_flags INTERFACE -Wall -Wextra -Wpedantic $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local> -Wno-psabi
                       $<$<CXX_COMPILER_ID:Clang>:-Wno-bitwise-instead-of-logical>  # one formula for bool and for masks of lanes
                       -Wno-missing-field-initializers)  # designated initialisers leave defaults to the struct
target_link_options(fermiac_flags INTERFACE $<$<CONFIG:Release>:-Wl,--gc-sections>)  # of sources as fermiac_small compiles them
if(FERMIAC_WERROR)
  target_compile_options(fermiac_flags INTERFACE -Werror)
endif()
if(FERMIAC_SANITIZE)
  target_compile_definitions(fermiac_flags INTERFACE FERMIAC_SANITIZED)
  target_compile_options(fermiac_flags INTERFACE -fsanitize=${FERMIAC_SANITIZE} -fno-omit-frame-pointer
                                                 -fno-sanitize-recover=all)
  target_link_options(fermiac_flags INTERFACE -fsanitize=${FERMIAC_SANITIZE})
endif()
if(FERMIAC_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_definitions(fermiac_flags INTERFACE FERMIAC_VERIFIES)  # invariants of traces, after every pass
endif()

# fermiac_library(NAME DEPENDS targets...): the sources of folder NAME as static library fermiac_NAME. Files named
# *.isa.cpp are left to fermiac_isa_kernels, bindings/bridgestan/bundle to fermiac_model_template, bindings/c to fermiac_shared_library.
function(fermiac_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "\\.isa\\.cpp$|/capi/(bundle|library)/")
  add_library(fermiac_${name} STATIC ${sources})
  target_include_directories(fermiac_${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(fermiac_${name} PUBLIC ${ARG_DEPENDS} PRIVATE fermiac_flags)
endfunction()

# fermiac_small(patterns... [EXCEPT patterns...]): in a release, these sources are compiled for size: what no gradient and no draw waits for
# takes half the room then. What nothing refers to goes when a program is linked.
function(fermiac_small)
  cmake_parse_arguments(ARG "" "" "EXCEPT" ${ARGN})
  list(TRANSFORM ARG_UNPARSED_ARGUMENTS PREPEND ${CMAKE_SOURCE_DIR}/)
  list(TRANSFORM ARG_EXCEPT PREPEND ${CMAKE_SOURCE_DIR}/)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${ARG_UNPARSED_ARGUMENTS})
  list(FILTER sources EXCLUDE REGEX "\\.isa\\.cpp$")
  if(ARG_EXCEPT)
    file(GLOB_RECURSE others CONFIGURE_DEPENDS ${ARG_EXCEPT})
    list(REMOVE_ITEM sources ${others})
  endif()
  set_property(SOURCE ${sources} APPEND PROPERTY COMPILE_OPTIONS "$<$<CONFIG:Release>:-Os;-ffunction-sections;-fdata-sections>")
endfunction()

# fermiac_text_source(target file function): compiles into the target a function that gives the text of the file.
function(fermiac_text_source target file function)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${file})
  file(READ ${CMAKE_SOURCE_DIR}/${file} text)
  string(REPLACE "#pragma once\n" "" text "${text}")  # what it becomes a part of is no header
  string(MAKE_C_IDENTIFIER ${file} name)
  string(REGEX REPLACE "::[a-z_]*[(][)]$" "" space "${function}")
  string(REGEX REPLACE "^.* " "" space "${space}")
  string(REGEX REPLACE "^.*::" "" short "${function}")
  set(source ${CMAKE_BINARY_DIR}/text/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include <string_view>\nnamespace ${space} {\nstd::string_view ${short};\nstd::string_view ${short} {\n  return R\"fermiac(${text})fermiac\";\n}\n}\n" @ONLY)
  target_sources(${target} PRIVATE ${source})
endfunction()

# fermiac_isa_kernels(NAME CONTRACTION): files named *.isa.cpp in folder NAME are compiled once per instruction set, each copy in a
# namespace of its own (FERMIAC_ISA_NAMESPACE), with -ffp-contract=CONTRACTION; support/platform/isa.cpp chooses one at start-up.
# Contraction within expressions alone (`on`) is what is wanted where it is wanted, but g++ takes that for `off` and leaves fma unused.
function(fermiac_isa_kernels library contraction)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64|ARM64")
    fermiac_isa_level(${library} neon ${contraction} "")
  elseif(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    fermiac_isa_level(${library} generic ${contraction} "")
  elseif(FERMIAC_BASELINE_ISA)
    fermiac_isa_level(${library} sse2 ${contraction} "")
  else()
    fermiac_isa_level(${library} sse2 ${contraction} "")
    fermiac_isa_level(${library} avx2 ${contraction} "-mavx2;-mfma")
    fermiac_isa_level(${library} avx512 ${contraction} "-mavx512f;-mavx512dq;-mavx512vl;-mfma;-mprefer-vector-width=512")
  endif()
endfunction()

# Of fermiac_families_as, which uses a part of the families only: about the rest clang would warn. Linked after fermiac_flags: clang obeys the last of its options.
add_library(fermiac_families_flags INTERFACE)
target_compile_options(fermiac_families_flags INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-unused-function -Wno-unused-const-variable>)

# The families of maps once more, with `header` in front, for something else than loops over lanes: formulas (autodiff/symbolic), second
# derivatives (autodiff/forward_over_reverse). What they export is in namespace isa_NAME. Further arguments are options of the compiler.
function(fermiac_families_as name header)
  set(families autodiff/kernels/arithmetic.isa.cpp autodiff/kernels/elementary.isa.cpp autodiff/transforms/bounds.isa.cpp)
  file(GLOB laws CONFIGURE_DEPENDS autodiff/distributions/*_family.isa.cpp)
  add_library(fermiac_${name} OBJECT ${families} ${laws})
  target_include_directories(fermiac_${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_definitions(fermiac_${name} PRIVATE FERMIAC_ISA_NAMESPACE=isa_${name})
  target_compile_options(fermiac_${name} PRIVATE "SHELL:-include ${header}" ${ARGN})
  target_link_libraries(fermiac_${name} PRIVATE fermiac_flags fermiac_families_flags fmt::fmt)
  target_sources(fermiac_autodiff PRIVATE $<TARGET_OBJECTS:fermiac_${name}>)
endfunction()

# The maps are functions from numbers to numbers: nothing is thrown through them, and tables for that are as long as a tenth of their code.
function(fermiac_isa_level library level contraction flags)
  file(GLOB_RECURSE kernels CONFIGURE_DEPENDS ${library}/*.isa.cpp)
  set(maps ${kernels})
  list(FILTER maps INCLUDE REGEX "/autodiff/(dist|kernels|transforms)/")
  list(FILTER kernels EXCLUDE REGEX "/autodiff/(dist|kernels|transforms)/")
  fermiac_isa_objects(${library} kernels_${level} ${level} "${contraction}" "${flags}" ${kernels})
  if(maps)
    set(tables "")
    if(NOT FERMIAC_SANITIZE)
      set(tables -fno-exceptions -fno-asynchronous-unwind-tables)
    endif()
    fermiac_isa_objects(${library} maps_${level} ${level} "${contraction}" "${flags};${tables}" ${maps})
  endif()
endfunction()

function(fermiac_isa_objects library name level contraction flags)
  set(kernels fermiac_${library}_${name})
  add_library(${kernels} OBJECT ${ARGN})
  target_include_directories(${kernels} PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_options(${kernels} PRIVATE ${flags} -ffp-contract=${contraction} -fno-math-errno -fno-trapping-math)
  if(FERMIAC_SANITIZE)
    target_compile_options(${kernels} PRIVATE -fwrapv)  # lanes of integers wrap on purpose
  endif()
  target_compile_definitions(${kernels} PRIVATE FERMIAC_ISA_NAMESPACE=isa_${level})
  target_link_libraries(${kernels} PRIVATE fermiac_flags fmt::fmt)
  target_sources(fermiac_${library} PRIVATE $<TARGET_OBJECTS:${kernels}>)
endfunction()

# A library that the program loads when it wants it: linked in, it would cost every start, and have to be there. Further arguments are what
# it is linked with.
function(fermiac_loaded_module name)
  add_library(fermiac_${name} MODULE ${name}/module.cpp)
  set_target_properties(fermiac_${name} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/fermiac)
  target_include_directories(fermiac_${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(fermiac_${name} PRIVATE fermiac_flags ${ARGN})
endfunction()

# Loaded when mpirun has started the program: its libraries cost some ten milliseconds.
function(fermiac_mpi_module)
  set(MPI_CXX_SKIP_MPICXX ON)  # only the C interface is used
  find_package(MPI QUIET COMPONENTS CXX)
  if(NOT MPI_CXX_FOUND)
    message(STATUS "MPI not found: map_rect runs in one process")
    return()
  endif()
  fermiac_loaded_module(mpi MPI::MPI_CXX)
endfunction()

# Loaded where a file is to be written or read: it brings HDF5, curl, libxml2.
function(fermiac_netcdf_module)
  find_path(NETCDF_INCLUDE netcdf.h)
  find_library(NETCDF_LIBRARY netcdf)
  if(NOT NETCDF_INCLUDE OR NOT NETCDF_LIBRARY)
    message(STATUS "netCDF not found: draws are CSV files alone")
    return()
  endif()
  fermiac_loaded_module(netcdf fermiac_support ${NETCDF_LIBRARY})
  target_include_directories(fermiac_netcdf SYSTEM PRIVATE ${NETCDF_INCLUDE})
endfunction()

# Loaded where a device is asked for: neither OpenCL's loader nor a driver need be there.
function(fermiac_opencl_module)
  find_package(OpenCL QUIET)
  if(NOT OpenCL_FOUND)
    message(STATUS "OpenCL not found: no devices")
    return()
  endif()
  fermiac_loaded_module(opencl OpenCL::OpenCL)
endfunction()

# Links archives where the system has them, for files that are copied to places without these libraries.
function(fermiac_self_contained target)
  foreach(name sundials_cvodes sundials_idas sundials_nvecserial)
    find_library(${name}_ARCHIVE NAMES lib${name}.a)
    if(${name}_ARCHIVE)
      target_link_libraries(${target} PRIVATE ${${name}_ARCHIVE})
    endif()
  endforeach()
  if(fmt_VERSION VERSION_GREATER_EQUAL 9 AND fmt_VERSION VERSION_LESS 10)
    target_sources(${target} PRIVATE ${CMAKE_SOURCE_DIR}/cli/stanc/fmt_static.cpp)
  endif()
  target_link_options(${target} PRIVATE -Wl,--as-needed $<$<CONFIG:Release>:-s>)
endfunction()

# What `fermiac bundle` copies: all code that a model needs in one shared object, which exports the entry points of
# bindings/bridgestan/bridgestan.h and nothing else. Libraries that the system has as archives too are linked in; the C++ library is not,
# because exceptions pass through TBB, which brings the shared one.
function(fermiac_model_template)
  add_library(fermiac_model_template MODULE bindings/bridgestan/bundle/carried_model.cpp bindings/bridgestan/bundle/carried_program.cpp)
  set_target_properties(fermiac_model_template PROPERTIES PREFIX "" OUTPUT_NAME model_template
                        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/fermiac
                        LINK_DEPENDS ${CMAKE_SOURCE_DIR}/bindings/bridgestan/bundle/exports.map)
  fermiac_self_contained(fermiac_model_template)
  target_link_libraries(fermiac_model_template PRIVATE fermiac_flags $<LINK_LIBRARY:WHOLE_ARCHIVE,fermiac_capi> fermiac_interp
                                                       ${CMAKE_DL_LIBS})
  target_link_options(fermiac_model_template PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/bindings/bridgestan/bundle/exports.map
                                                     -Wl,-Bsymbolic)
  if(NOT FERMIAC_SANITIZE)
    target_link_options(fermiac_model_template PRIVATE -Wl,-z,defs)
  endif()
endfunction()

# libfermiac.so: programs, models, runs behind bindings/c/fermiac.h. The number in its name is FERMIAC_ABI of that header.
function(fermiac_shared_library)
  file(GLOB sources CONFIGURE_DEPENDS bindings/c/*.cpp)
  file(STRINGS bindings/c/fermiac.h abi REGEX "^#define FERMIAC_ABI ")
  string(REGEX REPLACE ".* " "" abi "${abi}")
  add_library(fermiac_shared SHARED ${sources})
  set_target_properties(fermiac_shared PROPERTIES OUTPUT_NAME fermiac LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib
                        VERSION ${PROJECT_VERSION} SOVERSION ${abi} LINK_DEPENDS ${CMAKE_SOURCE_DIR}/bindings/c/exports.map)
  target_compile_definitions(fermiac_shared PRIVATE FERMIAC_VERSION="${PROJECT_VERSION}")
  fermiac_self_contained(fermiac_shared)
  target_link_libraries(fermiac_shared PRIVATE fermiac_flags fermiac_capi fermiac_interp ${CMAKE_DL_LIBS})
  target_link_options(fermiac_shared PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/bindings/c/exports.map -Wl,-Bsymbolic)
  if(NOT FERMIAC_SANITIZE)
    target_link_options(fermiac_shared PRIVATE -Wl,-z,defs)
  endif()
endfunction()

# Debian's libasmjit.a is compiled for programs: no shared library can be linked with it for its references to `stderr`, which are
# relative to the code. The target fermiac_asmjit has them to a variable beside the code in place of that (support/platform/code_pages.cpp).
function(fermiac_position_independent_asmjit)
  get_target_property(archive asmjit::asmjit LOCATION)
  set(ours ${CMAKE_BINARY_DIR}/libfermiac_asmjit.a)
  add_custom_command(OUTPUT ${ours} COMMAND ${CMAKE_OBJCOPY} --redefine-sym stderr=fermiac_asmjit_stderr ${archive} ${ours}
                     DEPENDS ${archive} VERBATIM)
  add_custom_target(fermiac_asmjit_archive DEPENDS ${ours})
  add_library(fermiac_asmjit STATIC IMPORTED GLOBAL)
  add_dependencies(fermiac_asmjit fermiac_asmjit_archive)
  get_target_property(includes asmjit::asmjit INTERFACE_INCLUDE_DIRECTORIES)
  set_target_properties(fermiac_asmjit PROPERTIES IMPORTED_LOCATION ${ours})
  if(includes)
    set_target_properties(fermiac_asmjit PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${includes}")
  endif()
  get_target_property(definitions asmjit::asmjit INTERFACE_COMPILE_DEFINITIONS)
  if(definitions)
    set_target_properties(fermiac_asmjit PROPERTIES INTERFACE_COMPILE_DEFINITIONS "${definitions}")
  endif()
endfunction()
