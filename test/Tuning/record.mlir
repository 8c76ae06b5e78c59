// Writing a tuning cache: it may be what it is, others may write it at the same
// time, and nothing that it holds is lost.
//
// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{file} = cache.json
// DEFINE: %{tune} = rudnn-runner %s --cols=64 --rows=3 --tune --tune-budget=0.001 --tuning-cache=%t/%{file}

// Several writers, each with an op of its own.
// RUN: %python -c "import subprocess, sys; a = sys.argv; w = [subprocess.Popen(a[2:] + [f'--entry=n{n}']) for n in range(1, 5)]; codes = [p.wait() for p in w]; assert codes == [0] * 4, codes; import json; e = json.load(open(a[1]))['entries']; assert sorted(x['columns'] for x in e) == [16, 32, 48, 64], e" %t/cache.json rudnn-runner %s --tune --tune-budget=0.001 --tuning-cache=%t/cache.json

// What else is in the file stays, also entries that nobody understands.
// RUN: %python -c "import json, sys; c = json.load(open(sys.argv[1])); c['owner'] = 'me'; c['entries'].append({'op': 7}); c['entries'].append(None); json.dump(c, open(sys.argv[1], 'w'))" %t/cache.json
// RUN: %{tune} --entry=n1 2>&1 | FileCheck %s --check-prefix=RECORDED
// RECORDED: recorded in {{.*}}cache.json
// RUN: %python -c "import json, sys; c = json.load(open(sys.argv[1])); assert c['owner'] == 'me' and len(c['entries']) == 6 and c['entries'][4:] == [{'op': 7}, None], c" %t/cache.json

// A link stays one.
// RUN: ln -s cache.json %t/link.json
// REDEFINE: %{file} = link.json
// RUN: %{tune} --entry=n1 2>&1 | FileCheck %s --check-prefix=LINK
// LINK: recorded in {{.*}}link.json
// RUN: test -L %t/link.json && test ! -L %t/cache.json

// So do the permissions.
// RUN: chmod 660 %t/cache.json
// REDEFINE: %{file} = cache.json
// RUN: %{tune} --entry=n1 2>&1 | FileCheck %s --check-prefix=RECORDED
// RUN: %python -c "import os, sys; assert os.stat(sys.argv[1]).st_mode & 0o777 == 0o660" %t/cache.json

// "-" is a file like others.
// RUN: cd %t && %python -c "import subprocess, sys; print(subprocess.run(sys.argv[1:], capture_output=True, text=True).stdout)" rudnn-runner %s --entry=n1 --tune --tune-budget=0.001 --tuning-cache=- | FileCheck %s --check-prefix=DASH --implicit-check-not=entries
// DASH: recorded in -
// RUN: test -f %t/-

// Files that are no cache, or not to be written, stay as they are: a warning that
// names them, and the run goes on.
// DEFINE: %{keep} = cp %t/%{file} %t/copy && %{tune} --entry=n1 --check 2>&1
// DEFINE: %{same} = cmp %t/%{file} %t/copy
// RUN: echo '{"format": "rudnn-tun' > %t/broken.json
// REDEFINE: %{file} = broken.json
// RUN: %{keep} | FileCheck %s --check-prefix=BROKEN
// BROKEN: warning: tuning cache '{{.*}}broken.json': [{{.*}}; nothing was recorded
// BROKEN: result 0 (y): ok
// RUN: %{same}
// RUN: echo 'a letter' > %t/foreign.json
// REDEFINE: %{file} = foreign.json
// RUN: %{keep} | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: warning: tuning cache '{{.*}}foreign.json': {{.*}}; nothing was recorded
// RUN: %{same}
// RUN: echo '{"format": "rudnn-tuning-cache", "version": 2, "entries": []}' > %t/newer.json
// REDEFINE: %{file} = newer.json
// RUN: %{keep} | FileCheck %s --check-prefix=NEWER
// NEWER: warning: tuning cache '{{.*}}newer.json': expected version 1, got 2; nothing was recorded
// RUN: %{same}
// RUN: cp %t/cache.json %t/readonly.json && chmod 444 %t/readonly.json
// REDEFINE: %{file} = readonly.json
// RUN: %{keep} | FileCheck %s --check-prefix=READONLY
// READONLY: warning: tuning cache '{{.*}}readonly.json': it is read-only; nothing was recorded
// RUN: %{same}
// RUN: %python -c "print('[' * 1000000)" > %t/deep.json
// REDEFINE: %{file} = deep.json
// RUN: %{keep} | FileCheck %s --check-prefix=DEEP
// DEEP: warning: tuning cache '{{.*}}deep.json': expected at most 100 levels of lists and objects; nothing was recorded
// RUN: %{same}
// RUN: truncate -s 100000000 %t/large.json
// REDEFINE: %{file} = large.json
// RUN: %{tune} --entry=n1 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: warning: tuning cache '{{.*}}large.json': expected at most 67108864 bytes, got 100000000; nothing was recorded
// RUN: rm %t/large.json

// Pipes are not waited for, links that lead nowhere stay, and no file to be
// locked is made beside what is none.
// RUN: mkfifo %t/pipe
// REDEFINE: %{file} = pipe
// RUN: %{tune} --entry=n1 2>&1 | FileCheck %s --check-prefix=PIPE
// PIPE: warning: tuning cache '{{.*}}pipe': expected a regular file; nothing was recorded
// RUN: test ! -e %t/pipe.lock
// RUN: ln -s round %t/round && ln -s nowhere %t/astray
// REDEFINE: %{file} = round
// RUN: %{tune} --entry=n1 2>&1 | FileCheck %s --check-prefix=ROUND
// ROUND: warning: tuning cache '{{.*}}round': Too many levels of symbolic links; nothing was recorded
// REDEFINE: %{file} = astray
// RUN: %{tune} --entry=n1 2>&1 | FileCheck %s --check-prefix=ASTRAY
// ASTRAY: warning: tuning cache '{{.*}}astray': No such file or directory; nothing was recorded
// RUN: test -L %t/round && test -L %t/astray

// A writer that does not come to its end is not waited for much longer.
// RUN: %python -c "import fcntl, subprocess, sys; lock = open(sys.argv[1] + '.lock', 'w'); fcntl.lockf(lock, fcntl.LOCK_EX); subprocess.run(sys.argv[2:], check=True)" %t/held.json rudnn-runner %s --entry=n1 --tune --tune-budget=0.001 --tuning-cache=%t/held.json 2>&1 | FileCheck %s --check-prefix=HELD
// HELD: warning: tuning cache '{{.*}}held.json': {{.*}}held.json.lock: expected a lock within 10 s, others may have it: No locks available; nothing was recorded

// A file that has no room, here for want of permission to make it that large, is
// not replaced by a part of it.
// RUN: cp %t/cache.json %t/copy
// RUN: env LLVM_DISABLE_SYMBOLIZATION=1 %python -c "import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300)); os.execvp(sys.argv[1], sys.argv[1:])" rudnn-runner %s --entry=n1 --check --tune --tune-budget=0.001 --tuning-cache=%t/cache.json 2>&1 | FileCheck %s --check-prefix=ROOM
// ROOM: warning: tuning cache '{{.*}}cache.json': {{.*}}File too large; nothing was recorded
// ROOM: result 0 (y): ok
// RUN: cmp %t/cache.json %t/copy && ls %t | not grep temp

// REDEFINE: %{file} = none/cache.json
// RUN: %{tune} --entry=n1 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: warning: tuning cache '{{.*}}none/cache.json': {{.*}}none/cache.json.lock: No such file or directory; nothing was recorded

func.func @n1(%x: tensor<3x16xf32>, %y0: tensor<3x16xf32>) -> tensor<3x16xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<3x16xf32>) outs(%y0 : tensor<3x16xf32>) -> tensor<3x16xf32>
  return %y : tensor<3x16xf32>
}
func.func @n2(%x: tensor<3x32xf32>, %y0: tensor<3x32xf32>) -> tensor<3x32xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<3x32xf32>) outs(%y0 : tensor<3x32xf32>) -> tensor<3x32xf32>
  return %y : tensor<3x32xf32>
}
func.func @n3(%x: tensor<3x48xf32>, %y0: tensor<3x48xf32>) -> tensor<3x48xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<3x48xf32>) outs(%y0 : tensor<3x48xf32>) -> tensor<3x48xf32>
  return %y : tensor<3x48xf32>
}
func.func @n4(%x: tensor<3x64xf32>, %y0: tensor<3x64xf32>) -> tensor<3x64xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<3x64xf32>) outs(%y0 : tensor<3x64xf32>) -> tensor<3x64xf32>
  return %y : tensor<3x64xf32>
}
