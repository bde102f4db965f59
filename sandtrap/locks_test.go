package sandtrap_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A lockedMap is a type of the host's with the methods of a mutex.
type lockedMap struct {
	sync.Mutex
	M map[string]int
}

// A readMap is one with those of another, through a pointer.
type readMap struct{ *sync.RWMutex }

// lockScripts unlock what is not locked, by each route to a method, and close what is closed.
var lockScripts = []string{
	"locks.Map.Unlock()",
	"locks.Read.Unlock()",
	"locks.Read.RUnlock()",
	"m := *locks.Map; m.Unlock()",
	"m := new(locks.LockedMap); m.Unlock()",
	"f := locks.Map.Unlock; f()",
	"f := (*locks.LockedMap).Unlock; f(locks.Map)",
	"func() { defer locks.Map.Unlock() }()",
	"go locks.Map.Unlock(); time.Sleep(time.Millisecond)",
	"var l sync.Locker = locks.Map; l.Unlock()",
	"var l interface{ Unlock() } = locks.Map; l.Unlock()",
	"var a any = locks.Map; a.(interface{ Unlock() }).Unlock()",
	"a := locks.Any(); a.(interface{ Unlock() }).Unlock()",
	"locks.Plain().Unlock()",
	"sync.NewCond(locks.Map).Wait()",
	"sync.NewCond(locks.Locker()).Wait()",
	"locks.Locker().Unlock()",
	"locks.Embeds().Unlock()",
	"f := locks.Reads().Unlock; f()",
	"reflect.ValueOf(locks.Map).MethodByName(`Unlock`).Call(nil)",
	"v := reflect.ValueOf(locks.Map); for i := range v.NumMethod() { if v.Type().Method(i).Name == `Unlock` { v.Method(i).Call(nil) } }; panic(1)",
	"reflect.New(reflect.TypeOf(*locks.Map)).MethodByName(`Unlock`).Call(nil)",
	"template.Must(template.New(`x`).Parse(`{{.Unlock}}`)).Execute(os.Stdout, locks.Map); panic(1)",
	"var m sync.Mutex; m.Unlock()",
	"var m sync.RWMutex; m.RLocker().Unlock()",
	"type T struct { sync.Mutex }; var x T; x.Unlock()",
	"var w sync.WaitGroup; w.Done()",
	"close(locks.Closed); close(locks.Closed)",
	"locks.Closed <- 1",
}

// TestLocksOfHost: what ends the whole process in Go, as an Unlock too many, ends a script alone, whatever the host
// hands it; a type that embeds a mutex does not show the methods of that.
func TestLocksOfHost(t *testing.T) {
	const child = "SANDTRAP_TEST_LOCKS"
	if engine := os.Getenv(child); engine != "" {
		unlockAll(t, engine)
		return
	}
	for _, engine := range []string{"vm", "yaegi"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestLocksOfHost$")
		cmd.Env = append(os.Environ(), child+"="+engine)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "all ended") {
			t.Errorf("%s: %v\n%.1000s", engine, err, out)
		}
	}
}

func unlockAll(t *testing.T, engine string) {
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{
		Engine: engine, Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Timeout: time.Second},
		Packages: []sandtrap.Package{{Path: "locks", Members: map[string]any{
			"LockedMap": (*lockedMap)(nil), "ReadMap": (*readMap)(nil),
			"Map":    builtins.Variable{Pointer: &[]*lockedMap{{M: map[string]int{}}}[0]},
			"Read":   builtins.Variable{Pointer: &[]*readMap{{new(sync.RWMutex)}}[0]},
			"Any":    func() any { return new(lockedMap) },
			"Locker": func() sync.Locker { return new(sync.Mutex) },
			"Embeds": func() sync.Locker { return new(lockedMap) },
			"Reads":  func() sync.Locker { return new(sync.RWMutex).RLocker() },
			"Plain":  func() *sync.Mutex { return new(sync.Mutex) },
			"Closed": builtins.Variable{Pointer: &[]chan int{make(chan int)}[0]},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range lockScripts {
		if _, err := box.Run(t.Context(), sandtrap.Script{Text: text}); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
	fmt.Println("all ended")
}
