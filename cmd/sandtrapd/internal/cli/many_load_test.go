package cli_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// manyLoads are what the clients of TestMany do. The first row that the number of a run can be divided by says what this run is.
var manyLoads = []struct {
	name string
	each int
	do   func(m *many, i int) (id string) // does all of run i, and checks it
	want func(m *many, i int) string      // it has printed, as the client knows
}{
	{"tool", 20, (*many).tool, func(m *many, i int) string { text, _ := m.said.Load(i); s, _ := text.(string); return s }},
	{"hello", 1, (*many).hello, func(_ *many, i int) string { return fmt.Sprintf("hello %d\n", i) }},
}

const (
	manyClients = 32
	manyTries   = 300 // of a run, a tenth of a second after each other
)

// many is runs at two fronts, which clients have begun by their numbers.
type many struct {
	t       testing.TB
	fronts  []*process
	effects *effectsProcess
	ids     []string
	said    sync.Map // by the numbers of runs with tools: what they print
	tries   atomic.Int64
}

// run has all runs done, many at a time.
func (m *many) run() time.Duration {
	began := time.Now()
	var next atomic.Int64
	var all sync.WaitGroup
	for range manyClients {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(m.ids); i = int(next.Add(1)) - 1 {
				m.ids[i] = manyLoads[loadOf(i)].do(m, i)
			}
		})
	}
	all.Wait()
	return time.Since(began)
}

func loadOf(i int) (load int) {
	for i%manyLoads[load].each != 0 {
		load++
	}
	return load
}

// counts are how many runs there are of each kind of load.
func (m *many) counts() map[string]int {
	list := map[string]int{}
	for i := range m.ids {
		list[manyLoads[loadOf(i)].name]++
	}
	return list
}

// begun asks a front, another one each time, for the run of a number: the key makes that one run.
func (m *many) begun(i, try int, body map[string]any) (v view, p *process, ok bool) {
	m.tries.Add(1)
	body["idempotency_key"] = fmt.Sprint("run ", i)
	p = m.fronts[(i+try)%len(m.fronts)]
	v, err := p.request(m.t.Context(), "POST", "/v1/runs", body)
	return v, p, err == nil && v.status < 300
}

func (m *many) hello(i int) (id string) {
	return m.settle(i, map[string]any{"code": fmt.Sprintf("fmt.Println(`hello`, %d)", i)}, nil)
}

// settle brings a run to its end, whatever becomes of the servers. What waits is answered by a func, and asked for again.
func (m *many) settle(i int, body map[string]any, answer func(p *process, v view)) (id string) {
	var v view
	for try := range manyTries {
		now, p, ok := m.begun(i, try, body)
		switch {
		case !ok || now.State == "running":
			time.Sleep(100 * time.Millisecond)
			continue
		case v.ID != "" && now.ID != v.ID:
			m.t.Errorf("run %d is %s, and was %s", i, now.ID, v.ID)
		}
		v = now
		if v.State != "pending" || answer == nil {
			break
		}
		answer(p, v)
	}
	if v.State != "done" {
		m.t.Errorf("run %d: %+v, %+v", i, v, v.Result.Error)
	}
	return v.ID
}

// tool is a run with two calls. Its client has an effect made for each call that it sees, once for each id, and answers with what that says.
// The second call tells what the script had before the first one, so that a part which is done again is seen to be the same.
func (m *many) tool(i int) (id string) {
	body := map[string]any{"tools": tools, "code": fmt.Sprintf(`n := rand.IntN(1 << 40)
		fmt.Println(n)
		s, err := Effect("first of %d")
		fmt.Println(s, err)
		s, err = Effect(fmt.Sprint("second of %d, ", n))
		fmt.Println(s, err)`, i, i)}
	n, had := "", map[int]string{}
	id = m.settle(i, body, func(p *process, v view) {
		call := v.Pending[0]
		var arg struct{ Tag string }
		if err := json.Unmarshal(call.Args, &arg); err != nil || len(v.Pending) != 1 {
			m.t.Errorf("run %d: %+v, %v", i, v, err)
		}
		if n == "" {
			n = strings.TrimSpace(v.Result.Stdout)
		}
		want := fmt.Sprintf("first of %d", i)
		if call.ID == 2 {
			want = fmt.Sprintf("second of %d, %s", i, n)
		}
		if arg.Tag != want {
			m.t.Errorf("run %d calls with %q, want %q", i, arg.Tag, want)
		}
		if had[call.ID] == "" {
			had[call.ID] = m.effects.do(m.t, effect{Run: v.ID, Call: call.ID, Tag: arg.Tag})
		}
		m.tries.Add(1)
		_, _ = p.request(m.t.Context(), "POST", "/v1/runs/"+v.ID+"/answers", map[string]any{"answers": []any{map[string]any{"id": call.ID, "value": had[call.ID]}}})
	})
	m.said.Store(i, fmt.Sprintf("%s\n%s <nil>\n%s <nil>\n", n, had[1], had[2]))
	return id
}

// check compares what both fronts have of some of the runs, and of all with tools, and the effects of all calls.
func (m *many) check() {
	for i, id := range m.ids {
		load := manyLoads[loadOf(i)]
		if load.name == "hello" && i%max(1, len(m.ids)/500) > 0 {
			continue
		}
		for _, p := range m.fronts {
			if v, err := p.request(m.t.Context(), "GET", "/v1/runs/"+id, nil); err != nil || v.State != "done" || v.Result.Stdout != load.want(m, i) {
				m.t.Errorf("run %d has %+v, %v, want %q", i, v, err, load.want(m, i))
			}
		}
	}
	for _, text := range m.wrong(m.effects.table(m.t)) {
		m.t.Error(text)
	}
}

// wrong says which calls do not have one effect each, by a table of effects.
func (m *many) wrong(table map[string]int) (list []string) {
	for i, id := range m.ids {
		if manyLoads[loadOf(i)].name != "tool" {
			continue
		}
		for call := 1; call <= 2; call++ {
			if n := table[fmt.Sprint(id, " ", call)]; n != 1 {
				list = append(list, fmt.Sprintf("call %d of run %d has %d effects", call, i, n))
			}
			delete(table, fmt.Sprint(id, " ", call))
		}
	}
	if len(table) > 0 {
		list = append(list, fmt.Sprint("effects of no call: ", table))
	}
	return list
}

// TestEffectsCounted: an effect that was had twice, one that is missing, and one of no call are found.
func TestEffectsCounted(t *testing.T) {
	m := &many{t: t, ids: make([]string, 21), effects: startEffects(t)}
	m.ids[0], m.ids[20] = "run_a", "run_b"
	for _, id := range []string{"run_a", "run_b"} {
		for call := 1; call <= 2; call++ {
			m.effects.do(t, effect{Run: id, Call: call})
		}
	}
	if list := m.wrong(m.effects.table(t)); len(list) > 0 {
		t.Error(list)
	}
	m.effects.do(t, effect{Run: "run_b", Call: 2})
	m.effects.do(t, effect{Run: "run_c", Call: 1})
	table := m.effects.table(t)
	delete(table, "run_a 1")
	if list := m.wrong(table); !slices.Equal(list, []string{"call 1 of run 0 has 0 effects", "call 2 of run 20 has 2 effects", "effects of no call: map[run_c 1:1]"}) {
		t.Errorf("%q", list)
	}
}
