# Where files go: programs, the library and its header, files that the programs find beside themselves (lib/fermiac,
# share/fermiac), descriptions for pkg-config and CMake. All of it may be moved as a whole.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(private_dir lib/fermiac)  # the programs look there, whatever the libraries' folder is called
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/fermiac)

install(TARGETS fermiac stanc RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS fermiac_shared EXPORT fermiac LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES bindings/c/fermiac.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS fermiac_model_template LIBRARY DESTINATION ${private_dir})
install(TARGETS fermiac_model_program RUNTIME DESTINATION ${private_dir})
install(TARGETS cmdstan_stansummary cmdstan_diagnose cmdstan_print RUNTIME DESTINATION ${private_dir}/cmdstan)
if(TARGET fermiac_jupyter_kernel)
  install(TARGETS fermiac_jupyter_kernel RUNTIME DESTINATION ${private_dir})
endif()
if(TARGET fermiac_mpi)
  install(TARGETS fermiac_mpi LIBRARY DESTINATION ${private_dir} COMPONENT mpi)
endif()
if(TARGET fermiac_netcdf)
  install(TARGETS fermiac_netcdf LIBRARY DESTINATION ${private_dir} COMPONENT netcdf)
endif()
if(TARGET fermiac_opencl)
  install(TARGETS fermiac_opencl LIBRARY DESTINATION ${private_dir} COMPONENT opencl)
endif()

# The folder that clients of CmdStan and BridgeStan take for theirs.
install(DIRECTORY bindings/cmdstan_home/ DESTINATION share/fermiac/cmdstan)
set(links stanc ../../../../${CMAKE_INSTALL_BINDIR}/stanc fermiac ../../../../${CMAKE_INSTALL_BINDIR}/fermiac)
foreach(tool stansummary diagnose print)
  list(APPEND links ${tool} ../../../../${private_dir}/cmdstan/${tool})
endforeach()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/links)
while(links)
  list(POP_FRONT links name target)
  set(link ${CMAKE_BINARY_DIR}/links/${name})
  file(CREATE_LINK ${target} ${link} SYMBOLIC)
  install(FILES ${link} DESTINATION share/fermiac/cmdstan/bin)
endwhile()

# Made of the programs' own tables of options. Bash and fish look for a completion by the command's name.
set(described ${CMAKE_BINARY_DIR}/described)
install(DIRECTORY ${described}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
set(completions share/bash-completion/completions)
install(FILES ${described}/completions/fermiac DESTINATION ${completions})
install(FILES ${described}/completions/fermiac DESTINATION ${completions} RENAME stanc)
install(FILES ${described}/completions/_fermiac DESTINATION share/zsh/site-functions)
install(FILES ${described}/completions/fermiac.fish DESTINATION share/fish/vendor_completions.d)
install(FILES ${described}/completions/fermiac.fish DESTINATION share/fish/vendor_completions.d RENAME stanc.fish)

# Where Debian's Python looks for packages; elsewhere PYTHONPATH has to name the folder.
install(DIRECTORY bindings/python/fermiac DESTINATION lib/python3/dist-packages FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed"
        PATTERN "__pycache__" EXCLUDE)

# R builds a package where it is installed: R CMD INSTALL PREFIX/share/fermiac/r/fermiac. Without a compiler, for it is R alone.
install(DIRECTORY bindings/r/fermiac DESTINATION share/fermiac/r USE_SOURCE_PERMISSIONS PATTERN "tests" EXCLUDE
        PATTERN "library_folder" EXCLUDE)

install(DIRECTORY examples bindings/editors DESTINATION share/fermiac)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# find_package(fermiac) and fermiac::fermiac
target_include_directories(fermiac_shared INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/bindings/c>
                                                    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(fermiac_shared PROPERTIES EXPORT_NAME fermiac)
install(EXPORT fermiac NAMESPACE fermiac:: FILE fermiac-config.cmake DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/fermiac-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/fermiac-config-version.cmake DESTINATION ${package_dir})

# pkg-config fermiac
file(RELATIVE_PATH prefix_from_pc /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/fermiac.pc.in ${CMAKE_BINARY_DIR}/fermiac.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/fermiac.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# `cpack --config build/CPackConfig.cmake` makes a Debian package, and one for each module whose libraries few machines have.
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME fermiac)
set(CPACK_DEBIAN_MPI_PACKAGE_NAME fermiac-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "fermiac (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_MPI_DESCRIPTION "Runs chains, and jobs of map_rect, of fermiac in several processes under mpirun.")
set(CPACK_DEBIAN_NETCDF_PACKAGE_NAME fermiac-netcdf)
set(CPACK_DEBIAN_NETCDF_PACKAGE_DEPENDS "fermiac (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_NETCDF_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_NETCDF_DESCRIPTION "Reads and writes draws of fermiac as netCDF files, which ArviZ opens.")
set(CPACK_DEBIAN_OPENCL_PACKAGE_NAME fermiac-opencl)
set(CPACK_DEBIAN_OPENCL_PACKAGE_DEPENDS "fermiac (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_OPENCL_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_OPENCL_PACKAGE_RECOMMENDS "opencl-icd")
set(CPACK_COMPONENT_OPENCL_DESCRIPTION "Evaluates log densities of fermiac on devices that have a driver for OpenCL.")
set(CPACK_PACKAGE_NAME fermiac)
set(CPACK_PACKAGE_VENDOR fermiac)
set(CPACK_PACKAGE_CONTACT "fermiac developers <fermiac@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Stan models without a compiler")
set(CPACK_COMPONENT_UNSPECIFIED_DESCRIPTION
    "Compiles and runs Stan programs: stanc's and CmdStan's command lines, an interactive session, samplers, and a C library.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_RECOMMENDS "make")
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SUGGESTS
    "g++, fermiac-mpi, fermiac-netcdf, fermiac-opencl, python3-numpy, python3-pandas, r-base-core, r-cran-jsonlite, r-cran-posterior")
set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS "openmpi-bin")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
include(CPack)
