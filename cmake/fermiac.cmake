# Helpers of the top-level CMakeLists: one library per folder. Those of the tests are in tests.cmake.

add_library(fermiac_flags INTERFACE)
target_compile_options(fermiac_flags INTERFACE -Wall -Wextra -Wpedantic $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local> -Wno-psabi
                       $<$<CXX_COMPILER_ID:Clang>:-Wno-bitwise-instead-of-logical>  # one formula for bool and for masks of lanes
                       -Wno-missing-field-initializers)  # designated initialisers leave defaults to the struct
target_link_options(fermiac_flags INTERFACE $<$<CONFIG:Release>:-Wl,--gc-sections>)  # of sources compiled by fermiac_cold
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

# fermiac_library(NAME HOT sources... COLD sources... KERNELS sources... EXCEPT sources... DEPENDS targets...): the static library
# fermiac_NAME of the current folder. HOT is optimized for speed; COLD, which no gradient and no draw waits for, for size. KERNELS
# are left to fermiac_isa_kernels, EXCEPT to other targets. Every source below the folder must be listed.
function(fermiac_library name)
  cmake_parse_arguments(ARG "" "" "HOT;COLD;KERNELS;EXCEPT;DEPENDS" ${ARGN})
  add_library(fermiac_${name} STATIC ${ARG_HOT} ${ARG_COLD})
  fermiac_cold(${ARG_COLD})
  fermiac_check_listed(${ARG_HOT} ${ARG_COLD} ${ARG_KERNELS} ${ARG_EXCEPT})
  fermiac_include_root(fermiac_${name})
  target_link_libraries(fermiac_${name} PUBLIC ${ARG_DEPENDS} PRIVATE fermiac_flags)
endfunction()

# fermiac_cold(sources...): in a release, these sources are compiled for size. Functions that nothing refers to are removed when a
# program is linked.
function(fermiac_cold)
  if(ARGN)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS "$<$<CONFIG:Release>:-Os;-ffunction-sections;-fdata-sections>")
  endif()
endfunction()

# A source file that no list names is an error: it would be missing from the program, or from the rules for hot and cold code.
function(fermiac_check_listed)
  file(GLOB_RECURSE present RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *.cpp)
  list(REMOVE_ITEM present ${ARGN})
  if(present)
    message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt does not list: ${present}")
  endif()
endfunction()

# fermiac_include_root(target [folder]): lets the target, and what links it, include headers of the folder (default: the current one) by their
# paths from the root of the sources, as "mir/ir/ir.h". Each library has an include root of its own with a link to its folder and
# nothing else, so that a file can include only what its library links.
function(fermiac_include_root target)
  set(source ${CMAKE_CURRENT_SOURCE_DIR})
  if(ARGN)
    get_filename_component(source ${ARGV1} ABSOLUTE)
  endif()
  file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${source})
  set(root ${CMAKE_BINARY_DIR}/include/${target})
  get_filename_component(parent ${root}/${folder} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  file(CREATE_LINK ${source} ${root}/${folder} SYMBOLIC)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${root}>)
  else()
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${root}>)
  endif()
endfunction()

# fermiac_baseline_only(NAME): passes FERMIAC_BASELINE_ISA on to a library that chooses kernels.
function(fermiac_baseline_only name)
  if(FERMIAC_BASELINE_ISA)
    target_compile_definitions(fermiac_${name} PRIVATE FERMIAC_BASELINE_ONLY)
  endif()
endfunction()

# fermiac_machine_code(NAME): the library makes machine code where asmjit knows the processor; without it programs run as nodes, and
# tapes op by op.
function(fermiac_machine_code name)
  if(TARGET fermiac_asmjit)
    target_compile_definitions(fermiac_${name} PRIVATE FERMIAC_JIT)
    target_link_libraries(fermiac_${name} PRIVATE fermiac_asmjit)
  endif()
endfunction()

# fermiac_text_source(target file function): compiles into the target a function that gives the text of the file.
function(fermiac_text_source target file function)
  set(file ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  file(RELATIVE_PATH file ${CMAKE_SOURCE_DIR} ${file})
  string(REPLACE "#pragma once\n" "" text "${text}")  # what it becomes a part of is no header
  string(MAKE_C_IDENTIFIER ${file} name)
  string(REGEX REPLACE "::[a-z_]*[(][)]$" "" space "${function}")
  string(REGEX REPLACE "^.* " "" space "${space}")
  string(REGEX REPLACE "^.*::" "" short "${function}")
  set(source ${CMAKE_BINARY_DIR}/text/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include <string_view>\nnamespace ${space} {\nstd::string_view ${short};\nstd::string_view ${short} {\n  return R\"fermiac(${text})fermiac\";\n}\n}\n" @ONLY)
  target_sources(${target} PRIVATE ${source})
endfunction()

# fermiac_isa_kernels(NAME CONTRACTION mode [MAPS sources...] [KERNELS sources...]): these sources are compiled once per instruction
# set, each copy in a namespace of its own (FERMIAC_ISA_NAMESPACE), with -ffp-contract=mode; support/platform/isa.cpp chooses one at
# start-up. Contraction within expressions alone (`on`) would be preferred where contraction is wanted, but g++ takes `on` for `off`
# and does not use fused multiply-add then. MAPS are functions from numbers to numbers: nothing is thrown through them, and unwind
# tables would take a tenth of their code.
function(fermiac_isa_kernels library)
  cmake_parse_arguments(ARG "" "CONTRACTION" "MAPS;KERNELS" ${ARGN})
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64|ARM64")
    set(levels neon)
  elseif(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(levels generic)
  elseif(FERMIAC_BASELINE_ISA)
    set(levels sse2)
  else()
    set(levels sse2 avx2 avx512)
  endif()
  set(flags_avx2 -mavx2 -mfma)
  set(flags_avx512 -mavx512f -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512)
  set(tables "")
  if(NOT FERMIAC_SANITIZE)
    set(tables -fno-exceptions -fno-asynchronous-unwind-tables)
  endif()
  foreach(level ${levels})
    set(flags ${flags_${level}} -ffp-contract=${ARG_CONTRACTION})
    fermiac_isa_objects(${library} kernels ${level} "${flags}" ${ARG_KERNELS})
    if(ARG_MAPS)
      fermiac_isa_objects(${library} maps ${level} "${flags};${tables}" ${ARG_MAPS})
    endif()
  endforeach()
endfunction()

function(fermiac_isa_objects library kind level flags)
  set(objects fermiac_${library}_${kind}_${level})
  fermiac_kernel_objects(${library} ${objects} ${ARGN})
  target_compile_options(${objects} PRIVATE ${flags} -fno-math-errno -fno-trapping-math)
  if(FERMIAC_SANITIZE)
    target_compile_options(${objects} PRIVATE -fwrapv)  # lanes of integers wrap on purpose
  endif()
  target_compile_definitions(${objects} PRIVATE FERMIAC_ISA_NAMESPACE=isa_${level})
  target_link_libraries(${objects} PRIVATE fermiac_flags)
endfunction()

# Sources of the library that are compiled with options of their own.
function(fermiac_kernel_objects library objects)
  add_library(${objects} OBJECT ${ARGN})
  target_include_directories(${objects} PRIVATE $<TARGET_PROPERTY:fermiac_${library},INCLUDE_DIRECTORIES>)
  target_link_libraries(${objects} PRIVATE fmt::fmt)
  target_sources(fermiac_${library} PRIVATE $<TARGET_OBJECTS:${objects}>)
endfunction()

# For fermiac_families_as, which uses only a part of the families: clang would warn of the rest. Linked after fermiac_flags, because
# clang obeys the last of its options.
add_library(fermiac_families_flags INTERFACE)
target_compile_options(fermiac_families_flags INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-unused-function -Wno-unused-const-variable>)

# fermiac_families_as(NAME header FAMILIES sources... [OPTIONS options...]): the families of maps once more, with `header` included
# before each, for another use than loops over lanes: formulas, second derivatives. What they export is in namespace isa_NAME.
function(fermiac_families_as name header)
  cmake_parse_arguments(ARG "" "" "FAMILIES;OPTIONS" ${ARGN})
  fermiac_kernel_objects(autodiff fermiac_${name} ${ARG_FAMILIES})
  target_compile_definitions(fermiac_${name} PRIVATE FERMIAC_ISA_NAMESPACE=isa_${name})
  target_compile_options(fermiac_${name} PRIVATE "SHELL:-include ${header}" ${ARG_OPTIONS})
  target_link_libraries(fermiac_${name} PRIVATE fermiac_flags fermiac_families_flags)
endfunction()

# fermiac_loaded_module(NAME libraries...): a library that the program loads on request: linked in, it would slow down every start, and
# be required everywhere.
function(fermiac_loaded_module name)
  add_library(fermiac_${name} MODULE ${name}/module.cpp)
  set_target_properties(fermiac_${name} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/fermiac)
  target_link_libraries(fermiac_${name} PRIVATE fermiac_flags fermiac_plugins ${ARGN})
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
