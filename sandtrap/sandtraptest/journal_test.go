package sandtraptest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// journalPolicy has functions that answer at once, after a time of chance, and only by an Answer.
func journalPolicy(mode sandtrap.Isolation) sandtrap.Policy {
	return sandtrap.Policy{
		Isolation: mode, Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Timeout: time.Minute},
		Funcs: map[string]any{
			"double": func(n int) int { return 2 * n },
			"slow": func(ctx context.Context, n int) int {
				time.Sleep(time.Duration(time.Now().UnixNano() % 3e6))
				return n
			},
			"ask":  sandtrap.Member{Value: func(question string) (string, error) { panic("called") }, Params: []string{"question"}, Pauses: true},
			"fail": func(n int) (int, error) { return n, fmt.Errorf("no %d", n) },
		},
	}
}

// answered starts a script and resumes it, in sandboxes of these modes by turns, until it ends. Each call that waits
// is answered with its arguments, those of a pause from the last to the first if backwards, one at a time if single.
func answered(t *testing.T, script string, single, backwards bool, modes ...sandtrap.Isolation) (*sandtrap.Result, int, error) {
	t.Helper()
	box := func(i int) *durable.Box {
		b, err := durable.New(journalPolicy(modes[i%len(modes)]))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	b := box(0)
	res, pause, err := b.Start(t.Context(), sandtrap.Script{Text: script}, nil)
	b.Close()
	pauses := 0
	for ; pause != nil; pauses++ {
		var file bytes.Buffer
		if err := pause.Save(&file); err != nil {
			t.Fatal(err)
		}
		var list []durable.Answer
		for _, p := range pause.Pending {
			text, _ := json.Marshal("re " + string(p.Args))
			list = append(list, durable.Answer{ID: p.ID, Result: text})
		}
		if single && backwards {
			list = list[len(list)-1:]
		} else if single {
			list = list[:1]
		}
		b := box(pauses + 1)
		res, pause, err = b.Resume(t.Context(), &file, nil, list...)
		b.Close()
	}
	return res, pauses, err
}

func TestJournalPauses(t *testing.T) {
	const script = `
var wg sync.WaitGroup
var mu sync.Mutex
var got []string
for i := range 3 {
	wg.Add(1)
	go func() {
		defer wg.Done()
		a, err := ask(fmt.Sprint("q", slow(i)))
		mu.Lock()
		defer mu.Unlock()
		got = append(got, a, fmt.Sprint(err))
	}()
}
wg.Wait()
sort.Slice(got, func(i, j int) bool { x, _ := ask(got[i]+"<"+got[j]); return got[i] < got[j] && x != "" })
fmt.Println(len(got), got, double(rand.Intn(1000)), time.Now().Year())
_, err := fail(3)
fmt.Println(err)
`
	for _, modes := range [][]sandtrap.Isolation{{sandtrap.None}, {sandtrap.Process}, {sandtrap.None, sandtrap.Process, sandtrap.Kernel}} {
		for _, single := range []bool{false, true} {
			res, pauses, err := answered(t, script, single, false, modes...)
			if err != nil {
				t.Fatal(err)
			}
			t.Log(modes, pauses, res.Stdout)
			if pauses < 2 || !strings.Contains(res.Stdout, "re {\"question\":\"q1\"}") {
				t.Errorf("%d pauses, %s", pauses, res.Stdout)
			}
		}
	}
}

func TestJournalDiverged(t *testing.T) {
	b, err := durable.New(journalPolicy(sandtrap.None))
	if err != nil {
		t.Fatal(err)
	}
	_, pause, err := b.Start(t.Context(), sandtrap.Script{Text: `a, _ := ask("one"); fmt.Println(a)`}, nil)
	if err != nil || pause == nil {
		t.Fatal(pause, err)
	}
	var file bytes.Buffer
	if err := pause.Save(&file); err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(file.String(), `\"one\"`, `\"two\"`, 1)
	_, _, err = b.Resume(t.Context(), strings.NewReader(changed), nil)
	if !errors.Is(err, durable.ErrDiverged) {
		t.Error(err)
	}
	t.Log(err)
}

// TestJournalReplay: a run writes its journal as it goes, and is the same again without its functions; a journal that ends
// in the middle, as that of a process that was killed, goes on.
func TestJournalReplay(t *testing.T) {
	const script = `for i := range 5 { n := slow(i); fmt.Println(n, double(rand.Intn(100))) }; _, err := fail(1); fmt.Println(err); panic("end")`
	for _, mode := range []sandtrap.Isolation{sandtrap.None, sandtrap.Process} {
		box, err := durable.New(journalPolicy(mode))
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		was, pause, failed := box.Start(t.Context(), sandtrap.Script{Text: script}, &file)
		if failed == nil || pause != nil || was.Error.Kind != sandtrap.KindPanic {
			t.Fatal(failed, pause)
		}
		res, _, err := box.Replay(t.Context(), bytes.NewReader(file.Bytes()))
		if res.Stdout != was.Stdout || res.Ticks != was.Ticks || err == nil || err.Error() != failed.Error() {
			t.Errorf("%v: %q, %d ticks, %v, and was %q, %d, %v", mode, res.Stdout, res.Ticks, err, was.Stdout, was.Ticks, failed)
		}
		if _, _, err := box.Resume(t.Context(), bytes.NewReader(file.Bytes()), nil); err == nil || !strings.Contains(err.Error(), "is over") {
			t.Error(err)
		}
		lines := bytes.SplitAfter(file.Bytes(), []byte("\n"))
		for n := 1; n < len(lines)-1; n++ {
			var whole bytes.Buffer
			res, _, err := box.Resume(t.Context(), bytes.NewReader(bytes.Join(lines[:n], nil)), &whole)
			if res.Stdout != was.Stdout || err == nil || err.Error() != failed.Error() {
				t.Errorf("%v: from line %d: %q, %v", mode, n, res.Stdout, err)
			}
			if !bytes.Equal(whole.Bytes(), file.Bytes()) {
				t.Errorf("%v: from line %d: the journal is %s, and was %s", mode, n, &whole, &file)
			}
		}
	}
}
