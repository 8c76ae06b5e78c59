// RUN: rudnn-opt %s --split-input-file --verify-diagnostics | rudnn-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @copy(
// CHECK: norm.copy_rows %{{.+}}[%{{.+}}, %{{.+}}] to %{{.+}}[%{{.+}}, %{{.+}}, %{{.+}}] in_bounds [false, true]
// CHECK-SAME: : vector<2x256xbf16>, memref<?x256xbf16>, memref<3x2x256xbf16, #gpu.address_space<workgroup>>
func.func @copy(%x: memref<?x256xbf16>, %ring: memref<3x2x256xbf16, #gpu.address_space<workgroup>>, %row: index, %slot: index) {
  %c0 = arith.constant 0 : index
    norm.copy_rows %x[%row, %c0] to %ring[%slot, %c0, %c0] in_bounds [false, true]
        : vector<2x256xbf16>, memref<?x256xbf16>, memref<3x2x256xbf16, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @too_few_indices(%x: memref<?x256xbf16>, %slot: memref<1x256xbf16>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected 2 indices of source, got 1}}
  norm.copy_rows %x[%c0] to %slot[%c0, %c0] in_bounds [true, true] : vector<1x256xbf16>, memref<?x256xbf16>, memref<1x256xbf16>
  return
}

// -----

func.func @element_type(%x: memref<?x256xbf16>, %slot: memref<1x256xf16>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected target to hold 'vector<1x256xbf16>', got 'memref<1x256xf16>'}}
  norm.copy_rows %x[%c0, %c0] to %slot[%c0, %c0] in_bounds [true, true] : vector<1x256xbf16>, memref<?x256xbf16>, memref<1x256xf16>
  return
}

// -----

func.func @in_bounds(%x: memref<?x256xbf16>, %slot: memref<1x256xbf16>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected in_bounds of 2 axes, got 1}}
  norm.copy_rows %x[%c0, %c0] to %slot[%c0, %c0] in_bounds [true] : vector<1x256xbf16>, memref<?x256xbf16>, memref<1x256xbf16>
  return
}
