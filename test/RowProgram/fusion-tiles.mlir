// DEFINE: %{schedule} =
// DEFINE: %{assign} = rudnn-opt %s --norm-assign-schedule="target=gpu set=%{schedule}" --norm-tile --canonicalize --cse
// DEFINE: %{fuse} = --transform-preload-library="transform-library-paths=%S/Inputs/fuse-into-walk.mlir" --transform-interpreter --canonicalize --cse
// DEFINE: %{check} = rudnn-runner %t.mlir --device=emulate --seed=1 --check --guard

// REDEFINE: %{schedule} = strips=0,parts=2,threads=32,rows=8,vector=1
// RUN: %{assign} %{fuse} -o %t.mlir && %{check}
// RUN: rudnn-opt %t.mlir --norm-decompose --canonicalize --cse --norm-vectorize --canonicalize --cse | FileCheck %s

// REDEFINE: %{schedule} = strips=0,parts=3,threads=32,rows=4,vector=1,prefetch=1
// RUN: %{assign} %{fuse} -o %t.mlir && %{check}

// REDEFINE: %{schedule} = strips=0,parts=2,threads=32,rows=2,vector=4,stage=shared
// RUN: %{assign} %{fuse} -o %t.mlir && %{check}

// REDEFINE: %{schedule} = strips=0,parts=2,stage=loop
// RUN: %{assign} %{fuse} -o %t.mlir && %{check}

// 37 rows fill no number of tiles, and what the producer makes of nothing is
// not nothing: it is left out of the sum over rows.

#all = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @f(
// CHECK: scf.for
// CHECK-NOT: linalg
// CHECK: vector.transfer_read {{.*}} {in_bounds = [false, true]} : tensor<?x200xf32>, vector<8x200xf32>
// CHECK: %[[INSIDE:.+]] = arith.cmpi ult, %{{.+}}, %{{.+}} : vector<
// CHECK: arith.select %{{.+}}, %{{.+}}, %{{.+}} : vector<8x200xi1>, vector<8x200xf32>
func.func @f(%a: tensor<37x200xf32>, %rstd: tensor<37xf32>, %dx0: tensor<37x200xf32>, %dw0: tensor<200xf32>) -> (tensor<37x200xf32>, tensor<200xf32>) {
  %empty = tensor.empty() : tensor<37x200xf32>
  %x = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<37x200xf32>) outs(%empty : tensor<37x200xf32>) attrs = {producer} {
  ^bb0(%in: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %d = arith.subi %m, %n : index
    %i = arith.index_cast %d : index to i32
    %f = arith.sitofp %i : i32 to f32
    %s = arith.addf %in, %f : f32
    linalg.yield %s : f32
  } -> tensor<37x200xf32>
  %dx, %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<37x200xf32>, tensor<37x200xf32>, tensor<37xf32>) input_grad(%dx0 : tensor<37x200xf32>) weight_grad(%dw0 : tensor<200xf32>) -> tensor<37x200xf32>, tensor<200xf32>
  return %dx, %dw : tensor<37x200xf32>, tensor<200xf32>
}
