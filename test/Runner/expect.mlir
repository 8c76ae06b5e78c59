// A wrong result is found, named and leaves no files behind; a right one passes.
// The wrong ones come from linalg that somebody wrote by hand.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: rudnn-runner %S/Inputs/pair.mlir --entry=forward --device=reference --rows=7 --cols=30 --fill=1=ones --seed=5 --output-dir=%t/right
// DEFINE: %{run} = rudnn-runner %s --device=reference --rows=7 --cols=30 --seed=5 --expect=0=%t/right/result-0.npy

// RUN: %{run} --entry=right --json=%t/right.json | FileCheck %s --check-prefix=RIGHT
// RIGHT: result 0 against {{.*}}result-0.npy: ok, f32 [7, 30], max error
// RUN: FileCheck %s --check-prefix=RIGHTJSON --input-file=%t/right.json
// RIGHTJSON: "ok": true

// RUN: %python %S/Inputs/exits.py 1 %{run} --entry=wrong_epsilon --output-dir=%t/none --json=%t/wrong.json | FileCheck %s --check-prefix=WRONG
// WRONG: result 0 against {{.*}}: FAIL, f32 [7, 30], max error
// WRONG-SAME: worst at [{{[0-6]}}, {{[0-9]+}}]: got {{.*}}, expected {{.*}} of the given tolerance; {{[0-9]+}} of 210 elements are wrong
// RUN: not ls %t/none
// RUN: FileCheck %s --check-prefix=WRONGJSON --input-file=%t/wrong.json
// WRONGJSON: "entry": "wrong_epsilon"
// WRONGJSON: "ok": false
// WRONGJSON: "worst": {
// WRONGJSON: "wrong_elements": {{[1-9]}}
// WRONGJSON: "seed": 5

// One element is off by one unit: bit for bit it is wrong, else it is not.
// RUN: %python %S/Inputs/write_npy.py %t/a.npy '<f4' 3 1,2,3
// RUN: %python %S/Inputs/write_npy.py %t/b.npy '<f4' 3 1,2.0000002384185791,3
// RUN: %python %S/Inputs/write_npy.py %t/c.npy '<f4' 3 1,nan,3
// RUN: %python %S/Inputs/write_npy.py %t/d.npy '<f4' 2 1,2
// DEFINE: %{same} = rudnn-runner %s --device=reference --entry=same
// RUN: %{same} --input=0=%t/a.npy --expect=0=%t/a.npy --expect-ulp=0
// RUN: %{same} --input=0=%t/c.npy --expect=0=%t/c.npy --expect-ulp=0
// RUN: %{same} --input=0=%t/a.npy --expect=0=%t/b.npy
// RUN: %python %S/Inputs/exits.py 1 %{same} --input=0=%t/a.npy --expect=0=%t/b.npy --expect-ulp=0 | FileCheck %s --check-prefix=BIT
// BIT: FAIL, f32 [3], max error 1 ulp {{.*}} worst at [1]: got 2, expected 2.00000024, inf of the given tolerance; 1 of 3 elements are wrong
// RUN: %python %S/Inputs/exits.py 1 %{same} --input=0=%t/a.npy --expect=0=%t/c.npy | FileCheck %s --check-prefix=NAN
// NAN: FAIL, {{.*}} worst at [1]: got 2, expected nan
// RUN: %python %S/Inputs/exits.py 2 %{same} --input=0=%t/a.npy --expect=0=%t/d.npy 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: result 0: expected shape [2], got [3]
// RUN: %python %S/Inputs/exits.py 2 %{same} --input=0=%t/a.npy --expect=0=%t/none.npy 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: result 0: {{.*}}none.npy: No such file or directory

#all = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>

func.func @right(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %epsilon = arith.constant 12.5 : f32
  %y = call @norm(%x, %epsilon) : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

func.func @wrong_epsilon(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %epsilon = arith.constant 12.501 : f32
  %y = call @norm(%x, %epsilon) : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

func.func private @norm(%x: tensor<?x?xf32>, %epsilon: f32) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %x, %c1 : tensor<?x?xf32>
  %i = arith.index_cast %columns : index to i64
  %n = arith.sitofp %i : i64 to f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%rows) : tensor<?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %sums = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %square = arith.mulf %a, %a : f32
    %next = arith.addf %sum, %square : f32
    linalg.yield %next : f32
  } -> tensor<?xf32>
  %out = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %y = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sums : tensor<?x?xf32>, tensor<?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%a: f32, %sum: f32, %old: f32):
    %mean = arith.divf %sum, %n : f32
    %shifted = arith.addf %mean, %epsilon : f32
    %root = math.sqrt %shifted : f32
    %normed = arith.divf %a, %root : f32
    linalg.yield %normed : f32
  } -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

func.func @same(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
