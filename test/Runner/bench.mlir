// --bench: times, rates and the ratio to a copy, for people and for machines.
// The bytes are those of x and y (forward: 2 M N s) or x, dy and dx (3 M N s),
// and the small arguments.
//
// RUN: rudnn-runner %S/Inputs/pair.mlir --entry=forward --rows=64 --cols=1000 --threads=2 --bench --bench-seconds=0.05 --json=%t.json | FileCheck %s
// CHECK: compiled in {{[0-9.]+}} ms (parse {{[0-9.]+}}, passes {{[0-9.]+}}, code {{[0-9.]+}})
// CHECK: peak memory {{[0-9.]+}} MB
// CHECK: bench: 516256 bytes must move; 2 threads, {{[0-9]+}} repetitions
// CHECK: function: median {{[0-9.]+}} us (p10 {{[0-9.]+}}, p90 {{[0-9.]+}}), {{[0-9.]+}} GB/s
// CHECK: memcpy  : median {{[0-9.]+}} us
// CHECK: ratio to memcpy: {{[0-9.]+}}
//
// RUN: %python -c "import json, sys; r = json.load(open(sys.argv[1])); b = r['bench']; assert b['repetitions'] >= 10 and b['function']['p10_us'] <= b['function']['median_us'] <= b['function']['p90_us'], b; assert abs(b['ratio'] - b['memcpy']['median_us'] / b['function']['median_us']) < 1e-9; assert r['compile_ms']['total'] > 0 and r['peak_memory_bytes'] > 516256 and r['ok'] is True and len(r['arguments']) == 4" %t.json
//
// RUN: rudnn-runner %S/Inputs/pair.mlir --entry=backward --rows=64 --cols=1000 --threads=1 --bench --bench-seconds=0.05 | FileCheck %s --check-prefix=BACKWARD
// BACKWARD: bench: 776256 bytes must move; 1 thread, {{[0-9]+}} repetitions
