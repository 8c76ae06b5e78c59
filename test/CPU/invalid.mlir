// RUN: rudnn-opt %s --norm-forall-to-threads --split-input-file --verify-diagnostics
// RUN: rudnn-opt %s --norm-forall-to-threads="threads=1" --split-input-file --verify-diagnostics

func.func @tensors(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error @below {{'scf.forall' op expected a row program on buffers}}
  %y = scf.forall (%i) in (8) shared_outs(%out = %x) -> (tensor<8x64xf32>) {
    scf.forall.in_parallel {
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return %y : tensor<8x64xf32>
}
