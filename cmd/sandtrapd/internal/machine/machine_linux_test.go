package machine

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// root makes files of a kernel.
func root(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestFree: the control group of the process, or one above it, bounds what the machine has.
func TestFree(t *testing.T) {
	const machine = "MemTotal:       4096000 kB\nMemFree: 1 kB\nMemAvailable:    2048000 kB\n"
	for name, test := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"nothing": {nil, Unknown},
		"machine": {map[string]string{"proc/meminfo": machine}, 2048000 << 10},
		"no limit": {map[string]string{
			"proc/meminfo": machine, "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/b/memory.current": "1\n",
		}, 2048000 << 10},
		"own group": {map[string]string{
			"proc/meminfo": machine, "proc/self/cgroup": "1:cpu:/x\n0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "1000\n", "sys/fs/cgroup/a/b/memory.current": "400\n",
			"sys/fs/cgroup/a/b/memory.stat": "anon 1\ninactive_file 100\n",
		}, 700},
		"group above": {map[string]string{
			"proc/meminfo": machine, "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "1000\n", "sys/fs/cgroup/a/b/memory.current": "0\n",
			"sys/fs/cgroup/a/memory.max": "500\n", "sys/fs/cgroup/a/memory.current": "450\n",
		}, 50},
		"version 1": {map[string]string{
			"proc/meminfo": machine, "proc/self/cgroup": "4:cpu,memory:/a\n0::/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "1000\n",
			"sys/fs/cgroup/memory/memory.usage_in_bytes": "400\n", "sys/fs/cgroup/memory/memory.stat": "total_inactive_file 100\n",
		}, 700},
		"full": {map[string]string{
			"proc/meminfo": machine, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "500\n", "sys/fs/cgroup/memory.current": "501\n",
		}, 0},
		"malformed": {map[string]string{"proc/meminfo": "MemAvailable: -5 kB\nMemAvailable: 99999999999999999 kB\n", "proc/self/cgroup": "0::/../../x\n"}, Unknown},
	} {
		if got := free(root(t, test.files)); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}

// TestOurs: this machine says what it has, and that is no more than there is.
func TestOurs(t *testing.T) {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		t.Fatal(err)
	}
	if n := Free(); n <= 0 || uint64(n) > uint64(info.Totalram)*uint64(info.Unit) {
		t.Errorf("%d bytes free of %d", n, info.Totalram)
	}
	if Load() < 0 {
		t.Error(Load())
	}
}

// TestLoad: what is no number, or none that a machine can have, is not known.
func TestLoad(t *testing.T) {
	dir := root(t, map[string]string{"ok": "1.25 0.5 0.1 1/100 7\n", "nan": "NaN 1\n", "much": "1e9\n", "text": "x"})
	for name, want := range map[string]float64{"ok": 1.25, "nan": 0, "much": 0, "text": 0, "absent": 0} {
		if got := load(filepath.Join(dir, name)); got != want {
			t.Errorf("%s: %g", name, got)
		}
	}
}
