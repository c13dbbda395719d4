# Builds for 64-bit Arm on another machine; check-arm64 makes the folder FERMIAC_SYSROOT and runs what is built in an emulator.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES FERMIAC_SYSROOT)

set(CMAKE_FIND_ROOT_PATH ${FERMIAC_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

# Headers and libraries of packages that have no CMake configuration of their own.
set(libraries ${FERMIAC_SYSROOT}/usr/lib/aarch64-linux-gnu)
include_directories(SYSTEM ${FERMIAC_SYSROOT}/usr/include ${FERMIAC_SYSROOT}/usr/include/aarch64-linux-gnu)
add_link_options(-Wl,-rpath-link,${libraries}:${FERMIAC_SYSROOT}/lib/aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64;-L;/usr/aarch64-linux-gnu;-E;LD_LIBRARY_PATH=${libraries}:${FERMIAC_SYSROOT}/lib/aarch64-linux-gnu)
