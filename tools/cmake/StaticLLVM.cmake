# RUDNN_STATIC: the packages' archives instead of libLLVM.so and libMLIR.so, and
# one stripped binary that needs only libc and libm at run time.

# The exported archives of MLIR name the shared LLVM (and some the shared MLIR) as
# a dependency, LLVMSupport names shared zlib, zstd and z3. Take those edges away.
function(rudnn_use_llvm_archives)
  get_property(libs GLOBAL PROPERTY MLIR_ALL_LIBS)
  foreach(lib IN LISTS libs)
    get_target_property(deps ${lib} INTERFACE_LINK_LIBRARIES)
    if(deps)
      list(REMOVE_ITEM deps LLVM MLIR "\$<LINK_ONLY:LLVM>" "\$<LINK_ONLY:MLIR>")
      set_target_properties(${lib} PROPERTIES INTERFACE_LINK_LIBRARIES "${deps}")
    endif()
  endforeach()
  find_library(RUDNN_ZLIB_ARCHIVE libz.a REQUIRED)
  find_library(RUDNN_ZSTD_ARCHIVE libzstd.a REQUIRED)
  # Nothing that we link uses z3.
  set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES
    "rt;dl;m;${RUDNN_ZLIB_ARCHIVE};${RUDNN_ZSTD_ARCHIVE};LLVMDemangle")
endfunction()

# rudnn_add_multicall_binary(name tools...): `name` acts as the tool whose name it
# is called by; a link for each tool lies beside it.
function(rudnn_add_multicall_binary name)
  set(RUDNN_TOOL_DECLARATIONS "")
  set(RUDNN_TOOL_ENTRIES "")
  foreach(tool IN LISTS ARGN)
    string(MAKE_C_IDENTIFIER "${tool}_main" entry)
    string(APPEND RUDNN_TOOL_DECLARATIONS "int ${entry}(int argc, char **argv);\n")
    string(APPEND RUDNN_TOOL_ENTRIES "    {\"${tool}\", ${entry}},\n")
  endforeach()
  configure_file("${PROJECT_SOURCE_DIR}/tools/cmake/Multicall.cpp.in"
                 "${PROJECT_BINARY_DIR}/tools/Multicall.cpp" @ONLY)

  add_executable(${name} "${PROJECT_BINARY_DIR}/tools/Multicall.cpp")
  llvm_update_compile_flags(${name})
  # MLIR's archives do not say which parts of LLVM they need.
  llvm_map_components_to_libnames(llvm_libs
    AsmParser BitReader BitWriter Core ExecutionEngine FrontendOffloading
    FrontendOpenMP IRReader Linker NVPTX OrcJIT Passes PerfJITEvents Support
    Target TargetParser TransformUtils X86)
  target_link_libraries(${name} PRIVATE ${ARGN} ${llvm_libs})
  # Packed relocations save 2 MB and are why the C library must be 2.36 or newer.
  target_link_options(${name} PRIVATE
    -static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,--icf=all -Wl,--strip-all
    -Wl,-z,pack-relative-relocs)
  foreach(tool IN LISTS ARGN)
    add_custom_command(TARGET ${name} POST_BUILD VERBATIM
      COMMAND "${CMAKE_COMMAND}" -E create_symlink ${name}
              "$<TARGET_FILE_DIR:${name}>/${tool}")
  endforeach()
endfunction()
