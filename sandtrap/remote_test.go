package sandtrap

import (
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/live"
)

// crosses says of each field how a worker comes to know it: a new one must not be
// forgotten on the way.
var crosses = map[reflect.Type]map[string]string{
	reflect.TypeFor[Policy](): {
		"Limits": "sent", "Std": "sent", "Exclude": "sent", "Env": "sent", "Echo": "sent", "Seed": "sent with each job", "Epoch": "as Seed", "Engine": "sent",
		"Network": "that there is one; requests come back", "Wrappers": "their interfaces are sent; calls go there",
		"Funcs": "their types are sent; calls come back", "Packages": "as Funcs", "Docs": "for Declarations, which is asked of the host",
		"Files": "operations come back", "Isolation": "the host's", "Level": "the host's", "Audit": "the host's", "Worker": "the host's", "AllowDegraded": "the host's", "Uncalled": "the host's: its functions find out",
		"Guard": "the host's: calls come back, and say where the script makes them",
	},
	reflect.TypeFor[Files](): {
		"Open": "the host's", "Paths": "names are sent, descriptors handed over", "Secrets": "sent with Paths", "Quota": "the host's, but for the number of open files", "Cwd": "sent", "ModuleRoot": "sent",
	},
	reflect.TypeFor[Limits](): {
		"Timeout": "sent", "HostTime": "sent", "Ticks": "sent", "Memory": "sent", "Output": "sent", "Tasks": "sent", "Depth": "sent", "Source": "sent", "Nesting": "sent",
		"Alloc": "sent", "Artifacts": "the host's, which keeps them", "CPU": "the host's; the kernel holds it", "ReadRate": "as CPU",
	},
	reflect.TypeFor[Script](): {
		"Text": "sent", "Name": "sent", "Inputs": "sent", "Copy": "they are copied anyway", "Limits": "sent", "Funcs": "sent", "Args": "sent", "Echo": "sent", "Prints": "sent",
		"Result": "its type is sent", "Stdin": "reads come back",
		"Stdout": "writes come back", "Stderr": "writes come back", "Events": "streamed",
	},
}

func TestWhatCrosses(t *testing.T) {
	for typ, fields := range crosses {
		for f := range typ.Fields() {
			if fields[f.Name] == "" {
				t.Errorf("%v.%s: nothing says how a worker comes to know it", typ, f.Name)
			}
			delete(fields, f.Name)
		}
		for name := range fields {
			t.Errorf("%v has no %s", typ, name)
		}
	}
}

// TestAhead: what a worker sends of its output is no more than the run may print, whatever it says.
func TestAhead(t *testing.T) {
	for _, tc := range []struct {
		limits gates.Limits
		want   int
	}{
		{gates.Limits{Output: 1000}, 1000 + marker}, {gates.Limits{Output: 1000, Memory: 100}, 1000 + marker}, {gates.Limits{Memory: 5000}, 5000},
	} {
		var a live.Ahead
		for _, err := range []bool{false, true} {
			for range 10_000 {
				_ = a.Add(err, make([]byte, 7), roomAhead(&tc.limits))
			}
		}
		stdout, stderr := a.Texts()
		for _, got := range []int{len(stdout), len(stderr)} {
			if got > tc.want || got < tc.want-7 {
				t.Errorf("%+v: %d bytes, want %d", tc.limits, got, tc.want)
			}
		}
	}
	if room := roomAhead(&gates.Limits{}); room != maxOutput {
		t.Errorf("without limits: %d bytes", room)
	}
}

// TestTail: of an output that is too long, the end is kept, and nothing else is held.
func TestTail(t *testing.T) {
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	end := tail(strings.Repeat("x", 64<<20), 10)
	if n := heap(); len(end) != 10+marker || n > before+32<<20 {
		t.Errorf("%d bytes, and the heap went from %d to %d", len(end), before, n)
	}
	runtime.KeepAlive(end)
}

// TestNameOfPlace: the name of an error's place is bounded like its other texts.
func TestNameOfPlace(t *testing.T) {
	for n, want := range map[int]bool{10: false, 2 * jobs.MaxText: true} {
		e := receivedError(&jobs.Error{Kind: "panic", Pos: jobs.Position{Name: strings.Repeat("x", n), Line: 1}})
		if isMalformed(e) != want {
			t.Errorf("a name of %d bytes: %.100s", n, e)
		}
	}
}

// TestTenantNames: no tenant has the name of one who has none.
func TestTenantNames(t *testing.T) {
	var p Pool
	unnamed := p.tenant("")
	for _, name := range []string{unnamed, "\x001", "1", "unnamed 1"} {
		if p.tenant(name) == unnamed {
			t.Errorf("%q is called %q", name, unnamed)
		}
	}
	a := p.tenant("a")
	if p.tenant("") == unnamed || p.tenant("a") != a || p.tenant("b") == a {
		t.Errorf("a tenant without a name is %q, and a is %q", unnamed, a)
	}
}
