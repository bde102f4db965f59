package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// cells of a session wait for answers, and change variables and files before they wait, between two waits, and after the last one.
var cells = []string{
	`n := 1
type T struct { n int; said []string }
func (t *T) Say(s string) { t.n++; t.said = append(t.said, Ask(s)) }
t := &T{}
log := func(s string) { f, err := os.OpenFile("log", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o640); if err != nil { panic(err) }; fmt.Fprintln(f, s); f.Close() }
spin := func() { x := 0; for i := range 400_000 { x += i } }`,
	`n *= 2; log("before"); fmt.Println("before", n)
a := Ask("first")
fmt.Println(a); log(a); spin()
b := Ask("second")
fmt.Println(b); log(b); spin(); n += 3`,
	`t.Say("in a method"); fmt.Println(*t); spin(); log(t.said[0]); n++`,
	`var wg sync.WaitGroup
all := make([]string, 3)
for i := range all { wg.Go(func() { all[i] = Ask(fmt.Sprint("at once ", i)) }) }
wg.Wait()
fmt.Println(all); spin(); log(fmt.Sprint(all))`,
	`s := Ask("panics"); fmt.Println(s); log(s); spin(); n *= 10; panic(s)`,
	`fmt.Println(n, *t, a, b, all)`,
}

// A broken is a session whose server is killed at each step.
type broken struct {
	t     *testing.T
	dir   string
	flags []string
	p     *process
	id    string            // of the session
	said  map[string]string // the answer of each question that counts: the last one that was sent while the call waited
	count map[string]int
}

// again kills the server, and starts it again.
func (b *broken) again() {
	b.p.kill()
	if b.t.Failed() {
		b.t.Fatal(b.p.log)
	}
	b.p = serve(b.t, b.dir, b.flags...)
}

// run runs a cell. A client whose request had no response sends it again with the same key.
func (b *broken) run(i int) view {
	body := map[string]any{"session": b.id, "code": cells[i], "idempotency_key": fmt.Sprint(b.id, i)}
	server := b.p.cmd.Process
	kill := time.AfterFunc(rand.N(30*time.Millisecond), func() { _ = server.Kill() })
	v, err := b.p.request(b.t.Context(), "POST", "/v1/runs", body)
	kill.Stop()
	b.again()
	if acknowledged := v.ID; err != nil || v.status >= 300 {
		b.count["begins without a response"]++
		v, err = b.p.request(b.t.Context(), "POST", "/v1/runs", body)
		if err != nil || v.status >= 300 || acknowledged != "" {
			b.t.Fatalf("cell %d: %+v, %v\n%s", i, v, err, b.p.log)
		}
	}
	v = b.p.settled(v.ID)
	for v.State == "pending" {
		v = b.answer(v)
	}
	return v
}

// answer answers the first call that waits. The server is killed before, and after the answer was sent.
func (b *broken) answer(v view) view {
	b.again()
	b.count["killed between pending and answer"]++
	call := v.Pending[0].ID
	var args struct{ Question string }
	if err := json.Unmarshal(v.Pending[0].Args, &args); err != nil {
		b.t.Fatal(err)
	}
	for try := 1; ; try++ {
		if try > 20 {
			b.t.Fatalf("the answer to %d was lost %d times", call, try)
		}
		text := fmt.Sprintf("%s, try %d", args.Question, try)
		b.said[args.Question] = text
		sent := b.send(v.ID, call, text)
		b.p.kill()
		b.note(v.ID)
		b.again()
		after := b.p.settled(v.ID)
		if after.State == "pending" && after.Pending[0].ID == call {
			if sent {
				b.t.Fatalf("run %s waits for call %d, and the answer was acknowledged", v.ID, call)
			}
			b.count["answers that were lost"]++
			continue
		}
		if u, err := b.p.request(b.t.Context(), "POST", "/v1/runs/"+v.ID+"/answers", answerOf(call, "twice")); err != nil || u.status != 400 && u.status != 409 {
			b.t.Fatalf("a second answer to call %d: %d, %v", call, u.status, err)
		}
		return after
	}
}

func answerOf(call int, text string) map[string]any {
	return map[string]any{"answers": []any{map[string]any{"id": call, "value": text}}}
}

// send sends an answer while the server is killed, or before, and reports that it was acknowledged.
func (b *broken) send(run string, call int, text string) bool {
	ctx, cancel := context.WithTimeout(b.t.Context(), time.Minute)
	defer cancel()
	if rand.IntN(2) == 0 {
		server := b.p.cmd.Process
		time.AfterFunc(rand.N(8*time.Millisecond), func() { _ = server.Kill() })
	}
	v, err := b.p.request(ctx, "POST", "/v1/runs/"+run+"/answers", answerOf(call, text), "Prefer", "respond-async")
	return err == nil && v.status < 300
}

// note counts where a run was when the server was killed, by what is on disk.
func (b *broken) note(run string) {
	db := database(b.t, filepath.Join(b.dir, "data", "sandtrapd.db"))
	defer db.Close()
	var state string
	var answered bool
	if err := db.QueryRow(`SELECT state, coalesce(octet_length(answers), 0) > 0 FROM run WHERE id = ?`, run).Scan(&state, &answered); err != nil {
		b.t.Fatal(err)
	}
	if state == "running" && answered {
		b.count["killed between answer and outcome"]++
	} else {
		b.count["killed when "+state]++
	}
}

// unbroken is what the cells print and end with in a session of the library whose function returns at once, and the files.
func (b *broken) unbroken() (ends []string, log string) {
	t := b.t
	ask := func(question string) string { return b.said[question] }
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Files: &sandtrap.Files{Cwd: "/work"}, Funcs: map[string]any{"Ask": ask}})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	s, err := box.Session()
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range append(slices.Clone(cells), readLog) {
		res, _ := s.Run(t.Context(), sandtrap.Script{Text: code, Name: "script.go"})
		e := res.Stdout
		if res.Error != nil {
			e += string(res.Error.Kind) + ": " + res.Error.Message
		}
		ends = append(ends, e)
	}
	return ends[:len(cells)], ends[len(cells)]
}

const readLog = "text, err := os.ReadFile(\"log\")\nif err != nil { panic(err) }\nfmt.Print(string(text))"

func (v view) end() string {
	e := v.Result.Stdout
	if v.Result.Error != nil {
		e += v.Result.Error.Kind + ": " + v.Result.Error.Message
	}
	return e
}

// TestKilledCells: a session whose server is killed at each step, before and after each answer, prints, ends and keeps variables and
// files as an unbroken one does, and uses no answer twice. SANDTRAPD_KILLS is how often it is killed at least, in sessions one after the other.
func TestKilledCells(t *testing.T) {
	kills, flags := 1, []string(nil)
	if text := os.Getenv("SANDTRAPD_KILLS"); text != "" {
		kills, _ = strconv.Atoi(text)
		flags = []string{"--isolation", "kernel", "--allow-degraded"}
	}
	count := map[string]int{}
	for n, dir := 0, t.TempDir(); n < kills || count["killed between answer and outcome"] == 0; {
		b := &broken{t: t, dir: dir, flags: flags, said: map[string]string{}, count: map[string]int{}}
		b.p = serve(t, dir, flags...)
		v, err := b.p.request(t.Context(), "POST", "/v1/sessions", map[string]string{"tools": "package tools\nfunc Ask(question string) string"})
		if err != nil || v.status >= 300 {
			t.Fatal(v, err)
		}
		b.id = v.ID
		b.check()
		b.p.kill()
		for what, times := range maps.All(b.count) {
			count[what] += times
			if n += times; what == "answers that were lost" {
				n -= times // the kill is counted
			}
		}
		if n > kills+500 {
			t.Fatalf("the server was never killed between an answer and its outcome: %v", count)
		}
	}
	t.Log(count)
}

// check runs all cells, and compares.
func (b *broken) check() {
	var ends []string
	for i := range cells {
		ends = append(ends, b.run(i).end())
	}
	want, log := b.unbroken()
	for i := range cells {
		if ends[i] != want[i] {
			b.t.Errorf("cell %d ends with %q\nand in an unbroken session with %q", i, ends[i], want[i])
		}
	}
	v, err := b.p.request(b.t.Context(), "POST", "/v1/runs", map[string]any{"session": b.id, "code": readLog})
	if err != nil || v.end() != log {
		b.t.Errorf("the file has %q, want %q; %v", v.end(), log, err)
	}
}
