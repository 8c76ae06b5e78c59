// RUN: rudnn-opt %s --norm-strip-mine --canonicalize --cse --norm-vectorize --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,VECTOR
// RUN: rudnn-opt %s --norm-strip-mine --canonicalize --cse --norm-vectorize --canonicalize --cse \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --norm-drop-returned-arguments \
// RUN:   --canonicalize --cse --canonicalize --fold-memref-alias-ops --canonicalize --cse --norm-distribute --canonicalize --cse \
// RUN:   | FileCheck %s --check-prefixes=CHECK,MACHINE --implicit-check-not=memref.copy --implicit-check-not=memref.alloc
// RUN: rudnn-opt %s --norm-to-cpu="mcpu=x86-64-v3" | FileCheck %s --check-prefix=LLVM
// RUN: rudnn-runner %s --entry=softmax --seed=1 --check --guard
// RUN: rudnn-runner %s --entry=stored_and_summed --seed=1 --check --guard
// RUN: rudnn-runner %s --entry=layer_norm --rows=37 --cols=625 --seed=1 --check --guard
// RUN: rudnn-runner %s --entry=layer_norm --rows=3 --cols=5 --seed=1 --check --guard

// The passes on row programs know no norm: a softmax (a maximum, then a sum of
// what depends on it) and a layer norm (a mean, then a sum of squares around
// it), written by hand as linalg on a row.

#row = affine_map<(m, n) -> (m, n)>
#scalar = affine_map<(m, n) -> (m)>
#one = affine_map<(m) -> (m)>

// LLVM: llvm.func @softmax(
// LLVM: llvm.func @layer_norm(
// LLVM-NOT: {{(^|[ "])(affine|arith|func|linalg|math|memref|norm|scf|vector)\.[a-z]}}

// Three phases. 627 columns: 39 chunks of 16 and three masked columns.

// CHECK-LABEL: func.func @softmax(
// VECTOR-DAG: %[[LOW:.+]] = arith.constant dense<0xFF800000> : vector<1x16xf32>
// VECTOR-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : vector<1x16xf32>
// VECTOR: scf.for %{{.+}} = %c0 to %c624 step %c16 iter_args(%{{.+}} = %[[LOW]])
// VECTOR: arith.maximumf
// VECTOR: arith.select
// VECTOR: vector.multi_reduction <maximumf>, {{.*}} : vector<1x16xf32> to vector<1xf32>
// VECTOR: vector.multi_reduction <maximumf>, {{.*}} : vector<1x8xf32> to vector<1xf32>
// VECTOR: scf.for %{{.+}} = %c0 to %c624 step %c16 iter_args(%{{.+}} = %[[ZERO]])
// VECTOR: math.exp
// VECTOR: arith.select
// VECTOR: vector.multi_reduction <add>, {{.*}} : vector<1x16xf32> to vector<1xf32>
// VECTOR: scf.for %{{.+}} = %c0 to %c624 step %c16
// VECTOR: math.exp
// VECTOR: arith.divf
// VECTOR: vector.transfer_write {{.*}} {in_bounds = [true, true]} : vector<1x16xf32>
// VECTOR: vector.transfer_write {{.*}} {in_bounds = [true, false]} : vector<1x8xf32>

// MACHINE: scf.forall
// MACHINE: scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>)
// MACHINE-COUNT-2: vector.load {{.*}} vector<8xf32>
// MACHINE-COUNT-2: arith.maximumf {{.*}} : vector<8xf32>
// MACHINE: vector.maskedload
// MACHINE: vector.reduction <maximumf>, {{.*}} into f32
// MACHINE: scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>)
// MACHINE-COUNT-2: math.exp {{.*}} : vector<8xf32>
// MACHINE: vector.reduction <add>, {{.*}} into f32
// MACHINE: scf.for
// MACHINE-COUNT-2: vector.store
// MACHINE: vector.maskedstore
func.func @softmax(%x: tensor<8x627xf32>, %y0: tensor<8x627xf32>) -> tensor<8x627xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %y = scf.forall (%i) in (8) shared_outs(%out = %y0) -> (tensor<8x627xf32>) {
    %xr = tensor.extract_slice %x[%i, 0] [1, 627] [1, 1] : tensor<8x627xf32> to tensor<1x627xf32>
    %yr = tensor.extract_slice %out[%i, 0] [1, 627] [1, 1] : tensor<8x627xf32> to tensor<1x627xf32>
    %e = tensor.empty() : tensor<1xf32>
    %er = tensor.empty() : tensor<1x627xf32>
    %low = linalg.fill ins(%lowest : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
    %max = linalg.generic {indexing_maps = [#row, #scalar], iterator_types = ["parallel", "reduction"]} ins(%xr : tensor<1x627xf32>) outs(%low : tensor<1xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %m = arith.maximumf %a, %acc : f32
      linalg.yield %m : f32
    } -> tensor<1xf32>
    %exp = linalg.generic {indexing_maps = [#row, #scalar, #row], iterator_types = ["parallel", "parallel"]} ins(%xr, %max : tensor<1x627xf32>, tensor<1xf32>) outs(%er : tensor<1x627xf32>) {
    ^bb0(%a: f32, %m: f32, %o: f32):
      %d = arith.subf %a, %m : f32
      %ex = math.exp %d : f32
      linalg.yield %ex : f32
    } -> tensor<1x627xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
    %sum = linalg.generic {indexing_maps = [#row, #scalar], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<1x627xf32>) outs(%z : tensor<1xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %s = arith.addf %a, %acc : f32
      linalg.yield %s : f32
    } -> tensor<1xf32>
    %r = linalg.generic {indexing_maps = [#row, #scalar, #row], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<1x627xf32>, tensor<1xf32>) outs(%yr : tensor<1x627xf32>) {
    ^bb0(%a: f32, %s: f32, %o: f32):
      %d = arith.divf %a, %s : f32
      linalg.yield %d : f32
    } -> tensor<1x627xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %out[%i, 0] [1, 627] [1, 1] : tensor<1x627xf32> into tensor<8x627xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 8, unroll = 2>}
  return %y : tensor<8x627xf32>
}

// Zeros stand past the end of the row, but (0 - mean)^2 is not neutral: the
// masked step of the second sum selects.

// CHECK-LABEL: func.func @layer_norm(
// VECTOR: scf.for
// VECTOR: vector.multi_reduction <add>
// VECTOR: scf.for
// VECTOR: arith.subf
// VECTOR: vector.transfer_read {{.*}} {in_bounds = [true, false]}
// VECTOR: arith.select
// VECTOR: vector.multi_reduction <add>
// VECTOR: math.rsqrt
// VECTOR: scf.for
// VECTOR: vector.transfer_write {{.*}} {in_bounds = [true, false]}

// MACHINE: scf.forall
// MACHINE-COUNT-3: scf.for %
// MACHINE: vector.maskedstore
func.func @layer_norm(%x: tensor<?x?xf32>, %y0: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %ni = arith.index_cast %n : index to i64
  %nf = arith.uitofp %ni : i64 to f32
  %y = scf.forall (%i) in (%m) shared_outs(%out = %y0) -> (tensor<?x?xf32>) {
    %xr = tensor.extract_slice %x[%i, 0] [1, %n] [1, 1] : tensor<?x?xf32> to tensor<1x?xf32>
    %yr = tensor.extract_slice %out[%i, 0] [1, %n] [1, 1] : tensor<?x?xf32> to tensor<1x?xf32>
    %e = tensor.empty() : tensor<1xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
    %sum = linalg.generic {indexing_maps = [#row, #scalar], iterator_types = ["parallel", "reduction"]} ins(%xr : tensor<1x?xf32>) outs(%z : tensor<1xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %s = arith.addf %a, %acc : f32
      linalg.yield %s : f32
    } -> tensor<1xf32>
    %mean = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%sum : tensor<1xf32>) outs(%e : tensor<1xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.divf %a, %nf : f32
      linalg.yield %s : f32
    } -> tensor<1xf32>
    %squares = linalg.generic {indexing_maps = [#row, #scalar, #scalar], iterator_types = ["parallel", "reduction"]} ins(%xr, %mean : tensor<1x?xf32>, tensor<1xf32>) outs(%z : tensor<1xf32>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %d = arith.subf %a, %b : f32
      %d2 = arith.mulf %d, %d : f32
      %s = arith.addf %d2, %acc : f32
      linalg.yield %s : f32
    } -> tensor<1xf32>
    %r = linalg.generic {indexing_maps = [#row, #scalar, #scalar, #row], iterator_types = ["parallel", "parallel"]} ins(%xr, %mean, %squares : tensor<1x?xf32>, tensor<1xf32>, tensor<1xf32>) outs(%yr : tensor<1x?xf32>) {
    ^bb0(%a: f32, %b: f32, %v: f32, %o: f32):
      %d = arith.subf %a, %b : f32
      %q = arith.divf %v, %nf : f32
      %w = arith.addf %q, %epsilon : f32
      %rstd = math.rsqrt %w : f32
      %p = arith.mulf %d, %rstd : f32
      linalg.yield %p : f32
    } -> tensor<1x?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %out[%i, 0] [1, %n] [1, 1] : tensor<1x?xf32> into tensor<?x?xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 8, unroll = 2>}
  return %y : tensor<?x?xf32>
}

// Two results of a row and a sum of one of them, all in one phase.

// CHECK-LABEL: func.func @stored_and_summed(
// VECTOR: scf.for %{{.+}} = %c0 to %c32 step %c16
// VECTOR: vector.transfer_write {{.*}} vector<1x16xf32>
// VECTOR: vector.transfer_write {{.*}} vector<1x16xbf16>
// VECTOR-NOT: step %c16
// VECTOR: vector.multi_reduction <add>
// MACHINE-COUNT-2: vector.reduction <add>
// MACHINE-NOT: vector.reduction
func.func @stored_and_summed(%x: tensor<8x37xf32>, %y0: tensor<8x37xf32>, %w0: tensor<8x37xbf16>, %s0: tensor<8xf32>) -> (tensor<8x37xf32>, tensor<8x37xbf16>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %y:3 = scf.forall (%i) in (8) shared_outs(%out = %y0, %wout = %w0, %sout = %s0) -> (tensor<8x37xf32>, tensor<8x37xbf16>, tensor<8xf32>) {
    %xr = tensor.extract_slice %x[%i, 0] [1, 37] [1, 1] : tensor<8x37xf32> to tensor<1x37xf32>
    %yr = tensor.extract_slice %out[%i, 0] [1, 37] [1, 1] : tensor<8x37xf32> to tensor<1x37xf32>
    %wr = tensor.extract_slice %wout[%i, 0] [1, 37] [1, 1] : tensor<8x37xbf16> to tensor<1x37xbf16>
    %sr = tensor.extract_slice %sout[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %z = linalg.fill ins(%zero : f32) outs(%sr : tensor<1xf32>) -> tensor<1xf32>
    %q = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%xr : tensor<1x37xf32>) outs(%yr : tensor<1x37xf32>) {
      ^bb0(%a: f32, %o: f32):
        %d = arith.mulf %a, %a : f32
        linalg.yield %d : f32
      } -> tensor<1x37xf32>
    %w = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]} ins(%q, %xr : tensor<1x37xf32>, tensor<1x37xf32>) outs(%wr : tensor<1x37xbf16>) {
      ^bb0(%a: f32, %b: f32, %o: bf16):
        %d = arith.addf %a, %b : f32
        %t = arith.truncf %d : f32 to bf16
        linalg.yield %t : bf16
      } -> tensor<1x37xbf16>
    %sum = linalg.generic {indexing_maps = [#row, #scalar], iterator_types = ["parallel", "reduction"]} ins(%w : tensor<1x37xbf16>) outs(%z : tensor<1xf32>) {
    ^bb0(%a: bf16, %acc: f32):
      %f = arith.extf %a : bf16 to f32
      %s = arith.addf %f, %acc : f32
      linalg.yield %s : f32
    } -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %out[%i, 0] [1, 37] [1, 1] : tensor<1x37xf32> into tensor<8x37xf32>
      tensor.parallel_insert_slice %w into %wout[%i, 0] [1, 37] [1, 1] : tensor<1x37xbf16> into tensor<8x37xbf16>
      tensor.parallel_insert_slice %sum into %sout[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 8, unroll = 2>}
  return %y#0, %y#1, %y#2 : tensor<8x37xf32>, tensor<8x37xbf16>, tensor<8xf32>
}
