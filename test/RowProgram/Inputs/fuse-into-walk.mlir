// Fuses the op marked `producer` into the loop over parts and from there into
// the one over the tiles of a part that the norm is in.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %producer = transform.structured.match attributes{producer} in %root : (!transform.any_op) -> !transform.any_op
    %norm = transform.structured.match ops{["norm.rms_norm_backward"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiles = transform.get_parent_op %norm {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
    %parts = transform.get_parent_op %norm {op_name = "scf.forall"} : (!transform.any_op) -> !transform.any_op
    %fused, %0 = transform.structured.fuse_into_containing_op %producer into %parts : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %1, %2 = transform.structured.fuse_into_containing_op %fused into %tiles : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
