// Accesses past the edges of buffers, in global and in workgroup memory.
//
// DEFINE: %{entry} =
// DEFINE: %{run} = rudnn-runner %s --device=emulate --entry=%{entry} --rows=3 --seed=1
// DEFINE: %{bad} = %python %S/../Runner/Inputs/exits.py 1 %{run} 2>&1

module attributes {gpu.container_module} {
  // A row too many, read and written; columns that reach into the next row,
  // which is there; a row before the first.
  // REDEFINE: %{entry} = read_row
  // RUN: %{bad} | FileCheck %s --check-prefix=READ
  // READ: error: kernel @read_row_kernel::@k, block (3, 0, 0), thread ({{[0-9]+}}, 0, 0): access to 4 elements at [3, {{[0-9]+}}], out of bounds of [3, 16]
  // READ-NEXT: at: {{.*}}vector.load{{.*}}bounds.mlir:
  func.func @read_row(%x: memref<?x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %rows = memref.dim %x, %c0 : memref<?x16xf32>
    %more = arith.addi %rows, %c1 : index
    gpu.launch_func @read_row_kernel::@k blocks in (%more, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%x : memref<?x16xf32>)
    return
  }
  gpu.module @read_row_kernel {
    gpu.func @k(%x: memref<?x16xf32>) kernel {
      %c4 = arith.constant 4 : index
      %row = gpu.block_id x
      %tid = gpu.thread_id x
      %column = arith.muli %tid, %c4 : index
      %v = vector.load %x[%row, %column] : memref<?x16xf32>, vector<4xf32>
      gpu.return
    }
  }

  // REDEFINE: %{entry} = write_row
  // RUN: %{bad} | FileCheck %s --check-prefix=WRITE
  // WRITE: block (0, 0, 0), thread (3, 0, 0): access at [3, 0], out of bounds of [3, 16]
  // WRITE-NEXT: at: memref.store
  func.func @write_row(%x: memref<?x16xf32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @write_row_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%x : memref<?x16xf32>)
    return
  }
  gpu.module @write_row_kernel {
    gpu.func @k(%x: memref<?x16xf32>) kernel {
      %c0 = arith.constant 0 : index
      %v = arith.constant 1.0 : f32
      %tid = gpu.thread_id x
      memref.store %v, %x[%tid, %c0] : memref<?x16xf32>
      gpu.return
    }
  }

  // REDEFINE: %{entry} = column
  // RUN: %{bad} | FileCheck %s --check-prefix=COLUMN
  // COLUMN: block (0, 0, 0), thread (2, 0, 0): access to 4 elements at [0, 14], out of bounds of [3, 16]
  // COLUMN-NEXT: at: vector.store
  func.func @column(%x: memref<?x16xf32>) {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    gpu.launch_func @column_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c3, %c1, %c1)
        args(%x : memref<?x16xf32>)
    return
  }
  gpu.module @column_kernel {
    gpu.func @k(%x: memref<?x16xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c7 = arith.constant 7 : index
      %v = arith.constant dense<1.0> : vector<4xf32>
      %tid = gpu.thread_id x
      %column = arith.muli %tid, %c7 : index
      vector.store %v, %x[%c0, %column] : memref<?x16xf32>, vector<4xf32>
      gpu.return
    }
  }

  // REDEFINE: %{entry} = before
  // RUN: %{bad} | FileCheck %s --check-prefix=BEFORE
  // BEFORE: access at [-1, 0], out of bounds of [3, 16]
  func.func @before(%x: memref<?x16xf32>, %y: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @before_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%x : memref<?x16xf32>, %y : memref<?xf32>)
    return
  }
  gpu.module @before_kernel {
    gpu.func @k(%x: memref<?x16xf32>, %y: memref<?xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %row = gpu.block_id x
      %previous = arith.subi %row, %c1 : index
      %v = memref.load %x[%previous, %c0] : memref<?x16xf32>
      memref.store %v, %y[%row] : memref<?xf32>
      gpu.return
    }
  }

  // Lanes that a mask leaves out may be anywhere.
  // REDEFINE: %{entry} = masked
  // RUN: %{run} | FileCheck %s --check-prefix=MASKED
  // MASKED: result 0, argument 1: f32 [3, 10]
  // REDEFINE: %{entry} = mask_too_wide
  // RUN: %{bad} | FileCheck %s --check-prefix=WIDE
  // WIDE: thread (2, [[ROW:.*]], 0): access at {{.}}[[ROW]], 10], out of bounds of [3, 10]
  // WIDE-NEXT: at: {{.*}}vector.maskedload
  func.func @masked(%x: memref<?x10xf32>, %y: memref<?x10xf32>) {
    %c10 = arith.constant 10 : index
    call @launch_masked(%x, %y, %c10) : (memref<?x10xf32>, memref<?x10xf32>, index) -> ()
    return
  }
  func.func @mask_too_wide(%x: memref<?x10xf32>, %y: memref<?x10xf32>) {
    %c11 = arith.constant 11 : index
    call @launch_masked(%x, %y, %c11) : (memref<?x10xf32>, memref<?x10xf32>, index) -> ()
    return
  }
  func.func private @launch_masked(%x: memref<?x10xf32>, %y: memref<?x10xf32>, %columns: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %rows = memref.dim %x, %c0 : memref<?x10xf32>
    gpu.launch_func @masked_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c3, %rows, %c1)
        args(%x : memref<?x10xf32>, %y : memref<?x10xf32>, %columns : index)
    return
  }
  gpu.module @masked_kernel {
    gpu.func @k(%x: memref<?x10xf32>, %y: memref<?x10xf32>, %columns: index) kernel {
      %c4 = arith.constant 4 : index
      %none = arith.constant dense<0.0> : vector<4xf32>
      %tx = gpu.thread_id x
      %row = gpu.thread_id y
      %column = arith.muli %tx, %c4 : index
      %left = arith.subi %columns, %column : index
      %mask = vector.create_mask %left : vector<4xi1>
      %v = vector.maskedload %x[%row, %column], %mask, %none
          : memref<?x10xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
      vector.maskedstore %y[%row, %column], %mask, %v
          : memref<?x10xf32>, vector<4xi1>, vector<4xf32>
      gpu.return
    }
  }

  // A view that claims more than its buffer has ends at a protected page.
  // REDEFINE: %{entry} = view
  // RUN: %{bad} | FileCheck %s --check-prefix=VIEW
  // VIEW: error: argument 0: access past the end of the buffer, kernel @view_kernel::@k, block (0, 0, 0), thread (7, 0, 0)
  func.func @view(%x: memref<?x16xf32>, %y: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @view_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
        args(%x : memref<?x16xf32>, %y : memref<8xf32>)
    return
  }
  gpu.module @view_kernel {
    gpu.func @k(%x: memref<?x16xf32>, %y: memref<8xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c7 = arith.constant 7 : index
      %more = memref.reinterpret_cast %x to offset: [0], sizes: [8, 16], strides: [16, 1]
          : memref<?x16xf32> to memref<8x16xf32>
      %tid = gpu.thread_id x
      %isLast = arith.cmpi eq, %tid, %c7 : index
      scf.if %isLast {
        %v = memref.load %more[%tid, %c0] : memref<8x16xf32>
        memref.store %v, %y[%tid] : memref<8xf32>
      }
      gpu.return
    }
  }

  // Workgroup memory: past a slot's end though not past the memory's; past the
  // end of what the launch gives.
  // REDEFINE: %{entry} = slots
  // RUN: %{bad} | FileCheck %s --check-prefix=SLOTS
  // SLOTS: thread (8, 0, 0): access at [8], out of bounds of [8]
  // SLOTS-NEXT: at: memref.store {{.*}} : memref<8xf32, #gpu.address_space<workgroup>>
  func.func @slots() {
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    gpu.launch_func @slots_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c9, %c1, %c1)
    return
  }
  gpu.module @slots_kernel {
    gpu.func @k()
        workgroup(%slots: memref<8xf32, #gpu.address_space<workgroup>>,
                  %others: memref<8xf32, #gpu.address_space<workgroup>>) kernel {
      %v = arith.constant 1.0 : f32
      %tid = gpu.thread_id x
      memref.store %v, %slots[%tid] : memref<8xf32, #gpu.address_space<workgroup>>
      gpu.return
    }
  }

  // REDEFINE: %{entry} = dynamic
  // RUN: %{bad} | FileCheck %s --check-prefix=DYNAMIC
  // DYNAMIC: thread ({{(8|9)}}, 0, 0): access out of bounds of the block's workgroup memory
  // DYNAMIC-NEXT: at: memref.store
  func.func @dynamic() {
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %bytes = arith.constant 32 : i32
    gpu.launch_func @dynamic_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c10, %c1, %c1)
        dynamic_shared_memory_size %bytes
    return
  }
  gpu.module @dynamic_kernel {
    gpu.func @k() kernel {
      %c0 = arith.constant 0 : index
      %v = arith.constant 1.0 : f32
      %tid = gpu.thread_id x
      %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %slots = memref.view %bytes[%c0][]
          : memref<?xi8, #gpu.address_space<workgroup>> to memref<10xf32, #gpu.address_space<workgroup>>
      memref.store %v, %slots[%tid] : memref<10xf32, #gpu.address_space<workgroup>>
      gpu.return
    }
  }

  // Not an access, but as deadly on the CPU.
  // REDEFINE: %{entry} = division
  // RUN: %{bad} | FileCheck %s --check-prefix=DIVISION
  // DIVISION: error: an integer was divided by zero, or the smallest by -1, kernel @division_kernel::@k, block (0, 0, 0), thread (
  func.func @division(%x: memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @division_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%x : memref<64xf32>, %c0 : index)
    return
  }
  gpu.module @division_kernel {
    gpu.func @k(%x: memref<64xf32>, %count: index) kernel {
      %tid = gpu.thread_id x
      %place = arith.remui %tid, %count : index
      %v = memref.load %x[%place] : memref<64xf32>
      memref.store %v, %x[%tid] : memref<64xf32>
      gpu.return
    }
  }
}
