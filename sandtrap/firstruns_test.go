package sandtrap

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// A cart is a type of the host's with fields, methods and a type of another package.
type cart struct {
	Owner string
	Sites []*url.URL
	items []string
}

// Add adds an item.
func (c *cart) Add(item string) int { c.items = append(c.items, item); return len(c.items) }

// Each calls f for each item.
func (c *cart) Each(f func(string) error) error {
	for _, item := range c.items {
		if err := f(item); err != nil {
			return err
		}
	}
	return nil
}

// firstScripts are small scripts over many packages, with what they print or why they are refused:
// methods, generic code, reflection, encoders, types of the host's, and names that do not exist.
var firstScripts = []struct{ text, out, err string }{
	{text: `s := strings.Fields("a b c"); slices.Reverse(s); fmt.Println(s, strings.ToUpper("x"), len(strings.Repeat("ab", 3)))`, out: "[c b a] X 6\n"},
	{text: `m := map[string]int{"b": 2, "a": 1}; k := slices.Sorted(maps.Keys(m)); fmt.Printf("%v %T %+v\n", k, m, m)`, out: "[a b] map[string]int map[a:1 b:2]\n"},
	{text: `type T struct { A int; B []string }; b, err := json.Marshal(T{1, []string{"x"}}); fmt.Println(string(b), err); var t T; fmt.Println(json.Unmarshal(b, &t), t)`, out: "{\"A\":1,\"B\":[\"x\"]} <nil>\n<nil> {1 [x]}\n"},
	{text: `r := regexp.MustCompile("a(b*)c"); fmt.Println(r.FindStringSubmatch("xabbc"), time.Duration(1500)*time.Millisecond, strconv.Quote("q"))`, out: "[abbc bb] 1.5s \"q\"\n"},
	{text: `var mu sync.Mutex; var wg sync.WaitGroup; n := 0; for range 3 { wg.Go(func() { mu.Lock(); n++; mu.Unlock() }) }; wg.Wait(); fmt.Println(n)`, out: "3\n"},
	{text: `var n atomic.Int64; n.Add(3); var p atomic.Pointer[int]; x := 4; p.Store(&x); fmt.Println(n.Load(), *p.Load())`, out: "3 4\n"},
	{text: `err := fmt.Errorf("w: %w", io.EOF); fmt.Println(errors.Is(err, io.EOF), err); var p *fs.PathError; fmt.Println(errors.As(err, &p))`, out: "true w: EOF\nfalse\n"},
	{text: `t := template.Must(template.New("t").Parse("{{range .}}<{{.}}>{{end}}\n")); t.Execute(os.Stdout, []int{1, 2})`, out: "<1><2>\n"},
	{text: `v := reflect.ValueOf(map[string][]int{"a": {1}}); for _, k := range v.MapKeys() { fmt.Println(k, v.MapIndex(k), v.Type()) }`, out: "a [1] map[string][]int\n"},
	{text: `var b bytes.Buffer; w := bufio.NewWriter(&b); fmt.Fprintf(w, "%5.2f|%x", 3.14159, "hi"); w.Flush(); fmt.Println(b.String(), b.Len())`, out: " 3.14|6869 10\n"},
	{text: `d := time.Date(2024, 2, 29, 1, 2, 3, 0, time.UTC); fmt.Println(d.Add(24*time.Hour).Format(time.RFC3339), d.Weekday(), d.YearDay())`, out: "2024-03-01T01:02:03Z Thursday 60\n"},
	{text: `c := cart("ann"); c.Add("tea"); fmt.Println(c.Add("milk"), c.Owner, c.Each(func(s string) error { fmt.Println(s); return nil }), c)`, out: "tea\nmilk\n2 ann <nil> &{ann []}\n"},
	{text: `h := &shop.Cart{Owner: "bob"}; h.Add("x"); fmt.Printf("%v %T\n", h, h); u, _ := url.Parse("http://a/b?c=d"); h.Sites = append(h.Sites, u); fmt.Println(h.Sites[0].Host)`, out: "&{bob []} *shop.Cart\na\n"},
	{text: `x := new(big.Int).Exp(big.NewInt(3), big.NewInt(100), nil); fmt.Println(x, x.BitLen()); y, _ := x.MarshalJSON(); fmt.Println(string(y))`, out: "515377520732011331036461129765621272702107522001 159\n515377520732011331036461129765621272702107522001\n"},
	{text: `h := sha256.Sum256([]byte("x")); fmt.Println(hex.EncodeToString(h[:4]), base64.StdEncoding.EncodeToString([]byte("hi")), crc32.ChecksumIEEE([]byte("a")))`, out: "2d711642 aGk= 3904355907\n"},
	{text: `next, stop := iter.Pull(slices.Values([]int{1, 2})); v, ok := next(); fmt.Println(v, ok, cmp.Compare(1, 2)); stop()`, out: "1 true -1\n"},
	{text: `ctx, cancel := context.WithCancel(context.Background()); cancel(); <-ctx.Done(); fmt.Println(ctx.Err()); slog.Info("x", "k", 1)`, out: "context canceled\n"},
	{text: `l := list.New(); l.PushBack(1); for e := l.Front(); e != nil; e = e.Next() { fmt.Println(e.Value) }; sort.Sort(sort.Reverse(sort.IntSlice([]int{1, 2})))`, out: "1\n"},
	{text: `type E struct { XMLName struct{} ` + "`xml:\"e\"`" + `; A string ` + "`xml:\"a,attr\"`" + ` }; b, err := xml.Marshal(E{A: "v"}); fmt.Println(string(b), err)`, out: "<e a=\"v\"></e> <nil>\n"},
	{text: `var b bytes.Buffer; gob.NewEncoder(&b).Encode([]string{"a"}); var s []string; gob.NewDecoder(&b).Decode(&s); fmt.Println(s)`, out: "[a]\n"},
	{text: `fmt.Println(strings.NoSuch("x"))`, err: `no strings.NoSuch`},
	{text: `os.Exec("ls"); time.Now().Foo()`, err: `no os.Exec`},
	{text: `var x sync.Locker = 3; var c shop.Cart; c.items = nil; c.Ad("x")`, err: `did you mean Add?`},
	{text: `_ = exec.Command("ls")`, err: `"os/exec" is not allowed`},
	{text: `h := heap.Interface(nil); _ = h; f := flag.NewFlagSet("x", flag.ContinueOnError); n := f.Int("n", 1, "u"); f.Parse([]string{"-n", "3"}); fmt.Println(*n)`, out: "3\n"},
	{text: `r := csv.NewReader(strings.NewReader("a,b\n1,2\n")); rows, err := r.ReadAll(); fmt.Println(rows, err); fmt.Sscanf("3 x", "%d", new(int))`, out: "[[a b] [1 2]] <nil>\n"},
	{text: `a := netip.MustParseAddr("10.0.0.1"); fmt.Println(a.IsPrivate(), a.Next()); g := rand.New(rand.NewPCG(1, 2)); fmt.Println(g.IntN(10))`, out: "true 10.0.0.2\n7\n"},
	{text: `var o sync.Once; o.Do(func() {}); f := sync.OnceValue(func() int { return 3 }); n := f(); var m sync.Map; m.Store(1, 2); fmt.Println(n, m.CompareAndDelete(1, 2))`, out: "3 true\n"},
	{text: `x := unique.Make("a"); fmt.Println(x == unique.Make("a"), utf8.RuneLen('é'), unicode.IsUpper('A'), html.EscapeString("<"), path.Base("/a/b"))`, out: "true 2 true &lt; b\n"},
}

// firstPolicy allows what firstScripts use.
func firstPolicy() Policy {
	return Policy{
		Std:      StdDefault(),
		Funcs:    map[string]any{"cart": func(owner string) *cart { return &cart{Owner: owner} }},
		Packages: []Package{{Path: "shop", Members: map[string]any{"Cart": (*cart)(nil)}}},
	}
}

// firstUses are what a host may do first, and at once, with a plan and a sandbox that it has just
// made. n chooses the script.
var firstUses = map[string]func(ctx context.Context, box *Sandbox, n int) error{
	"run":         runFirst,
	"another run": func(ctx context.Context, box *Sandbox, n int) error { return runFirst(ctx, box, n+7) },
	"third run":   func(ctx context.Context, box *Sandbox, n int) error { return runFirst(ctx, box, n+13) },
	"same run":    runFirst,
	"session":     sessionFirst,
	"check": func(ctx context.Context, box *Sandbox, n int) error {
		rep, err := box.Check(ctx, Script{Text: firstScripts[n].text})
		if err != nil {
			return wantFirst(n, firstScripts[n].out, err)
		}
		if len(rep.Bindings) == 0 || !strings.Contains(rep.Rewritten(), "package main") {
			return fmt.Errorf("the report is %+v", rep)
		}
		return nil
	},
	"declarations": func(_ context.Context, box *Sandbox, n int) error {
		plan := box.plan
		all := plan.Packages()
		plan.Explain()
		plan.Needs()
		if n == 0 {
			if _, err := plan.Reference(); err != nil {
				return err
			}
		}
		_, err := plan.Declarations(all[n*3%len(all)], nil)
		return err
	},
}

// wantFirst compares what became of a script with what its row says.
func wantFirst(n int, out string, err error) error {
	n %= len(firstScripts)
	want := firstScripts[n]
	if out == want.out && (err == nil) == (want.err == "") && strings.Contains(fmt.Sprint(err), want.err) {
		return nil
	}
	return fmt.Errorf("%s\nprinted %q, error %v; want %q, %q", want.text, out, err, want.out, want.err)
}

func runFirst(ctx context.Context, box *Sandbox, n int) error {
	n %= len(firstScripts)
	res, err := box.Run(ctx, Script{Text: firstScripts[n].text, Inputs: map[string]any{"given": &cart{}}})
	_ = fmt.Sprint(res.Vars)
	return wantFirst(n, res.Stdout, err)
}

func sessionFirst(ctx context.Context, box *Sandbox, n int) error {
	s, err := box.Session()
	if err != nil {
		return err
	}
	defer s.Close()
	n = (n + 3) % len(firstScripts)
	res, err := s.Run(ctx, Script{Text: firstScripts[n].text})
	if err := wantFirst(n, res.Stdout, err); err != nil {
		return err
	}
	if names, err := s.Complete("strings.Rep", 11); err != nil || len(names) == 0 {
		return fmt.Errorf("completions %q, %v", names, err)
	}
	_, err = s.TypeOf("time.Now()")
	return err
}

// TestFirstUses: all that a host may do first with a plan and a sandbox it may do at once. Each round
// has a plan and a sandbox of its own, of which nothing has been asked before.
func TestFirstUses(t *testing.T) {
	rounds := 200
	if testing.Short() {
		rounds = len(firstScripts)
	}
	for round := range rounds {
		box, err := New(t.Context(), firstPolicy())
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		begin := make(chan struct{})
		for name, use := range firstUses {
			wg.Go(func() {
				<-begin
				if err := use(t.Context(), box, round%len(firstScripts)); err != nil {
					t.Errorf("round %d, %s: %v", round, name, err)
				}
			})
		}
		close(begin)
		wg.Wait()
		box.Close()
	}
}
