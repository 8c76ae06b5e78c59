// RUN: rudnn-runner %s --device=emulate --seed=1 --check --guard
// RUN: rudnn-opt %s --norm-to-gpu | FileCheck %s --implicit-check-not=memref.copy --implicit-check-not=memref.alloc

// A sum that is normalized, and stored as it is: the last rows do not fill the
// tile, and both outputs are written in place.

#all = affine_map<(m, n) -> (m, n)>
#rows = affine_map<(d0) -> (-d0 + 37, 8)>
#left = affine_map<()[s0] -> (-s0 + 8)>

// CHECK-LABEL: func.func @stored(
// CHECK: gpu.launch_func
func.func @stored(%x: tensor<37x200xf32>, %r: tensor<37x200xf32>, %s0: tensor<37x200xf32>, %y0: tensor<37x200xf32>) -> (tensor<37x200xf32>, tensor<37x200xf32>) {
  %zero = arith.constant 0.0 : f32
  %1:2 = scf.forall (%i) = (0) to (37) step (8) shared_outs(%s = %s0, %y = %y0) -> (tensor<37x200xf32>, tensor<37x200xf32>) {
    %m = affine.min #rows(%i)
    %left = affine.apply #left()[%m]
    %xt = tensor.extract_slice %x[%i, 0] [%m, 200] [1, 1] : tensor<37x200xf32> to tensor<?x200xf32>
    %rt = tensor.extract_slice %r[%i, 0] [%m, 200] [1, 1] : tensor<37x200xf32> to tensor<?x200xf32>
    %st = tensor.extract_slice %s[%i, 0] [%m, 200] [1, 1] : tensor<37x200xf32> to tensor<?x200xf32>
    %yt = tensor.extract_slice %y[%i, 0] [%m, 200] [1, 1] : tensor<37x200xf32> to tensor<?x200xf32>
    %sum = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%xt, %rt : tensor<?x200xf32>, tensor<?x200xf32>) outs(%st : tensor<?x200xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %t = arith.addf %a, %b : f32
      linalg.yield %t : f32
    } -> tensor<?x200xf32>
    %sum8 = tensor.pad %sum low[0, 0] high[%left, 0] {
    ^bb0(%p: index, %q: index):
      tensor.yield %zero : f32
    } : tensor<?x200xf32> to tensor<8x200xf32>
    %y8 = tensor.pad %yt low[0, 0] high[%left, 0] {
    ^bb0(%p: index, %q: index):
      tensor.yield %zero : f32
    } : tensor<?x200xf32> to tensor<8x200xf32>
    %n = norm.rms_norm epsilon(1.0e-5) ins(%sum8 : tensor<8x200xf32>) outs(%y8 : tensor<8x200xf32>) -> tensor<8x200xf32>
    %nt = tensor.extract_slice %n[0, 0] [%m, 200] [1, 1] : tensor<8x200xf32> to tensor<?x200xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %s[%i, 0] [%m, 200] [1, 1] : tensor<?x200xf32> into tensor<37x200xf32>
      tensor.parallel_insert_slice %nt into %y[%i, 0] [%m, 200] [1, 1] : tensor<?x200xf32> into tensor<37x200xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 1, threads = 32, rows = 8>}
  return %1#0, %1#1 : tensor<37x200xf32>, tensor<37x200xf32>
}
