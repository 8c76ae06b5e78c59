// Makes the loop over rows of the only linalg.generic a row program and fuses
// the norm into it.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %norm = transform.structured.match ops{["norm.rms_norm"]} in %root : (!transform.any_op) -> !transform.any_op
    %gate = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %gate tile_sizes [1] (mapping = [#norm.task<0>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %containing = transform.structured.fuse_into_containing_op %norm into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %schedule = transform.param.constant #norm.schedule<vector = 8> -> !transform.any_param
    transform.annotate %containing "norm.schedule" = %schedule : !transform.any_op, !transform.any_param
    transform.yield
  }
}
