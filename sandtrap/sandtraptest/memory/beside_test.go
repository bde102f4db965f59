package memory

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// TestGarbageBesideTemplates: a script that holds one large text at a time is not stopped for what the
// templates of other scripts have made within so many loops: all of that is known to be theirs.
func TestGarbageBesideTemplates(t *testing.T) {
	for _, loops := range []int{0, 1, 2, 4} {
		t.Run(fmt.Sprint(loops), func(t *testing.T) { besideTemplates(t, loops) })
	}
}

func besideTemplates(t *testing.T, loops int) {
	const holders = 6
	var ready, ends sync.WaitGroup
	over := make(chan bool)
	var host []byte // without it the heap alone tells that texts are gone
	p := sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Memory: memoryLimit, Timeout: time.Minute}, Funcs: map[string]any{
		"grow": func() { // on a goroutine of the host's own: what a call allocates is the run's
			grown := make(chan []byte)
			go func() { grown <- make([]byte, 4*memoryLimit) }()
			host = <-grown
		},
		"hold": sandtrap.Member{Value: func() { ready.Done(); <-over }, Blocking: true},
	}}
	holder := fmt.Sprintf(`import "text/template"
t := template.Must(template.New("").Parse(%q))
var b bytes.Buffer
x := strings.Repeat("x", 1 << 20)
for range 16 {
	if err := t.Execute(&b, %sstring%sx%s); err != nil { panic(err) }
}
hold()
fmt.Println(b.Len())`, strings.Repeat("{{range .}}", loops)+"{{.}}"+strings.Repeat("{{end}}", loops),
		strings.Repeat("[]", loops), strings.Repeat("{", loops), strings.Repeat("}", loops))
	if loops == 0 {
		holder = strings.Replace(holder, "stringx", "x", 1)
	}
	ready.Add(holders)
	for range holders {
		ends.Go(func() {
			if _, err := rig.RunOnce(t, p, holder); err != nil {
				t.Error(err)
				ready.Done()
			}
		})
	}
	ready.Wait()
	res, err := rig.RunOnce(t, p, "n := 0\nfor i := range 60 {\nif i == 3 { grow() }\nn += len(strings.Repeat(\"x\", 8 << 20)) }\nfmt.Println(n)")
	if err != nil {
		t.Error(err)
	}
	if res.AllocBytes < 4*memoryLimit {
		t.Errorf("%d bytes in all are no test of garbage", res.AllocBytes)
	}
	close(over)
	ends.Wait()
	runtime.KeepAlive(host)
}
