package sandtraptest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// secret is what no route may show.
const secret = "s3cr3t"

// Coffer is a type of the host's of which the policy shows the field Label and the method
// Name. All its other methods, those by which packages ask a value about itself too, give
// the secret away and say that they were called.
type Coffer struct {
	Label string
	Key   string
	Peer  *Coffer
	Inner any
	pin   string
	peer  *Coffer
	inner any
	Lock
}

// Lock is embedded in Coffer; the policy does not know it.
type Lock struct{ Code string }

func (l Lock) Open() string { return tell("Open") + l.Code }

// told are the hidden methods that were called.
var told []string

func tell(method string) string { told = append(told, method); return secret }

func (v *Coffer) Name() string                  { return "name of " + v.Label }
func (v Coffer) Danger() string                 { return tell("Danger") }
func (v Coffer) String() string                 { return tell("String") }
func (v Coffer) GoString() string               { return tell("GoString") }
func (v Coffer) Format(s fmt.State, _ rune)     { _, _ = io.WriteString(s, tell("Format")) }
func (v Coffer) MarshalText() ([]byte, error)   { return []byte(tell("MarshalText")), nil }
func (v Coffer) MarshalJSON() ([]byte, error)   { return []byte(`"` + tell("MarshalJSON") + `"`), nil }
func (v Coffer) LogValue() slog.Value           { return slog.StringValue(tell("LogValue")) }
func (v Coffer) GobEncode() ([]byte, error)     { return []byte(tell("GobEncode")), nil }
func (v Coffer) MarshalBinary() ([]byte, error) { return []byte(tell("MarshalBinary")), nil }
func (v *Coffer) Close() error                  { tell("Close"); return nil }
func (v *Coffer) Read(p []byte) (int, error)    { return copy(p, tell("Read")), io.EOF }
func (v *Coffer) Write(p []byte) (int, error)   { tell("Write"); return len(p), nil }
func (v *Coffer) Len() int                      { tell("Len"); return 2 }
func (v *Coffer) Less(i, j int) bool            { tell("Less"); return i < j }
func (v *Coffer) Swap(i, j int)                 { tell("Swap") }
func (v *Coffer) Set(string) error              { tell("Set"); return nil }

// Alarm is an error of which the policy shows the text alone.
type Alarm struct {
	Site  string
	cause error
}

func (a *Alarm) Error() string              { return "alarm at " + a.Site }
func (a *Alarm) Unwrap() error              { tell("Unwrap"); return a.cause }
func (a *Alarm) Is(error) bool              { tell("Is"); return true }
func (a *Alarm) As(any) bool                { tell("As"); return false }
func (a *Alarm) Timeout() bool              { tell("Timeout"); return true }
func (a *Alarm) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, tell("Format")) }

// unlisted is a type that the policy does not know at all.
type unlisted struct{ Word, word string }

func (u unlisted) Danger() string { return tell("unlisted.Danger") }

// vaults is a policy with a value of the host's for each way by which scripts get one.
func coffers() (sandtrap.Policy, *Coffer) {
	v := &Coffer{Label: "al", Key: secret, pin: secret, Inner: secret, inner: unlisted{secret, secret}, Lock: Lock{secret}}
	v.Peer, v.peer = &Coffer{Key: secret, pin: secret}, v
	p := pure()
	p.Echo = sandtrap.EchoAll
	p.Packages = []sandtrap.Package{{Path: "bank", Include: []string{"*", "Coffer.Label", "Coffer.Name", "Alarm.Error"}, Members: map[string]any{
		"Coffer": (*Coffer)(nil), "Alarm": (*Alarm)(nil),
		"Open": func() *Coffer { return v }, "Any": func() any { return *v }, "Stringer": func() any { return v },
		"Err": func() error { return &Alarm{"gate", errors.New(secret)} }, "Odd": func() any { return unlisted{secret, secret} },
		"List": func() []Coffer { return []Coffer{*v} }, "Map": func() map[string]*Coffer { return map[string]*Coffer{"k": v} },
		"Ctx":  func(ctx context.Context) context.Context { return context.WithValue(ctx, unlisted{}, *v) },
		"Fail": func() { panic(*v) },
	}}}
	return p, v
}

// A route is a way by which a value might show more than the policy lists. Its script
// prints want, or is refused.
type route struct{ name, want, script string }

var routes = []route{
	{"fmt v", "&{al} {al}", `fmt.Println(v, *v)`},
	{"fmt +v", "&{Label:al} {Label:al}", `fmt.Printf("%+v %+v", v, *v)`},
	{"fmt #v", `&bank.Coffer{Label:"al"}`, `fmt.Printf("%#v %#v", v, *v)`},
	{"fmt s q x d t", "{al}", `fmt.Printf("%s %q %x %X %d %t %o %c %U %e %p %T %w", *v, *v, *v, *v, *v, *v, *v, *v, *v, *v, *v, *v, *v)`},
	{"fmt pointers", "&{al}", `fmt.Printf("%s %q %x %X %d %t %v", v, v, v, v, v, v, &v)`},
	{"fmt widths", "al", `fmt.Printf("%20v|%-20s|%.1s|%[1]v|%*v", *v, *v, *v, 5, *v)`},
	{"fmt in containers", "[{al}] map[k:{al}] {{al}} [0xc0000", `type T struct{ V bank.Coffer }
		fmt.Println([]bank.Coffer{*v}, map[string]bank.Coffer{"k": *v}, T{*v}, []*bank.Coffer{v}, [1]any{v}, struct{ A any }{*v}, bank.List(), bank.Map())`},
	{"fmt in private fields", "{{al} {al} 0xc0000", `type T struct { v bank.Coffer; a any; p *bank.Coffer }
		fmt.Println(T{*v, *v, v}); fmt.Printf("%+v %#v\n", &T{*v, *v, v}, T{*v, v, v})`},
	{"fmt of a declared type", "{al} main.mine{Label:\"al\"}", `type mine bank.Coffer
		fmt.Printf("%v %#v\n", mine(*v), mine(*v))`},
	{"fmt of an unlisted type", "{} unlisted{}", `fmt.Printf("%v %#v %T\n", bank.Odd(), bank.Odd(), bank.Odd())`},
	{"fmt as a value", "&{al}", `f, g := fmt.Sprint, fmt.Sprintf
		fmt.Print(f(v), g("%+v %#v", *v, v))`},
	{"fmt Append", "&{al}", `fmt.Print(string(fmt.Append(nil, v, *v)), string(fmt.Appendf(nil, "%+v", v)), string(fmt.Appendln(nil, v)))`},
	{"fmt Fprint", "&{al}", `var b strings.Builder
		fmt.Fprint(&b, v); fmt.Fprintf(&b, "%+v", *v); fmt.Fprintln(&b, v); fmt.Print(b.String())`},
	{"fmt defer and go", "&{al}", `done := make(chan int)
		go func() { defer close(done); defer fmt.Println(v); fmt.Println(*v) }()
		<-done`},
	{"fmt Errorf", "of &{al}", `fmt.Println(fmt.Errorf("of %v %+v", v, *v), fmt.Errorf("%w", bank.Err()))`},
	{"print", "", `println(v); print(bank.Stringer())`},
	{"error text", "alarm at gate", `err := bank.Err()
		fmt.Printf("%v %+v %s %q\n", err, err, err, err); fmt.Println(err, err.Error())`},
	{"error chain", "false false <nil>", `err := bank.Err()
		fmt.Println(errors.Is(err, io.EOF), errors.Is(fmt.Errorf("x: %w", err), io.EOF), errors.Unwrap(err))`},
	{"errors.As", "true false", `var a *bank.Alarm
		var t interface{ Timeout() bool }
		err := fmt.Errorf("x: %w", bank.Err())
		fmt.Println(errors.As(err, &a), errors.As(err, &t))`},
	{"log", "&{al}", `log.SetOutput(os.Stdout)
		log.Println(v, *v); log.Printf("%+v %#v", v, *v); log.New(os.Stdout, "", 0).Print(v)`},
	{"slog text", "v={Label:al}", `l := slog.New(slog.NewTextHandler(os.Stdout, nil))
		l.Info("m", "v", *v, "p", v, slog.Any("a", v), "e", bank.Err(), slog.Group("g", "v", v), "l", bank.List())
		l.With("w", v).WithGroup("g").Error("m", "odd", bank.Odd()); l.Log(context.Background(), 0, "x", "v", v)`},
	{"slog json", `"v":{"Label":"al"}`, `l := slog.New(slog.NewJSONHandler(os.Stdout, nil))
		l.Info("m", "v", *v, "p", v, slog.Any("a", v), "e", bank.Err(), slog.Group("g", "v", v), "l", bank.List())
		l.With("w", v).WithGroup("g").Error("m", "odd", bank.Odd())`},
	{"slog default", "", `slog.SetDefault(slog.New(slog.NewTextHandler(os.Stdout, nil))); slog.Info("m", "v", v); slog.Warn("m", "v", *v); slog.With("v", v).Error("x")`},
	{"slog values", "{al} Any k={al} {al} {al}", `x := slog.AnyValue(*v)
		fmt.Println(x, x.Kind(), slog.Any("k", *v), x.Resolve(), x.Any())`},
	{"json", `{"Label":"al"}`, `b, err := json.Marshal(v); fmt.Println(string(b), err)
		b, err = json.MarshalIndent([]any{*v, bank.Odd(), bank.Map()}, "", " "); fmt.Println(string(b), err)
		fmt.Println(json.NewEncoder(os.Stdout).Encode(bank.List()))`},
	{"json into", "al al2", `w := *v
		err := json.Unmarshal([]byte("{\"Label\":\"al2\",\"Key\":\"x\",\"pin\":\"y\",\"Code\":\"z\"}"), &w)
		fmt.Println(v.Label, w.Label, err)`},
	{"xml", "<Label>al</Label>", `b, err := xml.Marshal(v); fmt.Println(string(b), err)
		fmt.Println(xml.NewEncoder(os.Stdout).Encode(bank.List()))`},
	{"gob", "", `var b bytes.Buffer
		fmt.Println(gob.NewEncoder(&b).Encode(*v), b.String(), gob.NewEncoder(&b).Encode(bank.Odd()))`},
	{"binary", "", `var b bytes.Buffer
		fmt.Println(binary.Write(&b, binary.LittleEndian, *v), binary.Size(bank.Odd()), b.Bytes())`},
	{"csv", "al", `w := csv.NewWriter(os.Stdout); w.Write([]string{fmt.Sprint(v), fmt.Sprint(*v)}); w.Flush()`},
	{"text/template", `{al}[al name of al {al} &bank.Coffer{Label:"al"} &{Label:al}`, `t := template.Must(template.New("").Parse("{{.}}[{{.Label}} {{.Name}} {{html .}} {{printf \"%#v %+v\" . .}} {{print .}} {{js .}} {{urlquery .}} {{len (print .)}}"))
		fmt.Println(t.Execute(os.Stdout, v))`},
	{"text/template hidden field", "can't evaluate field Key", `fmt.Println(template.Must(template.New("").Parse("{{.Key}}")).Execute(os.Stdout, v))`},
	{"text/template private field", "can't evaluate field pin", `fmt.Println(template.Must(template.New("").Parse("{{.pin}}")).Execute(os.Stdout, v))`},
	{"text/template embedded field", "can't evaluate field Code", `fmt.Println(template.Must(template.New("").Parse("{{.Code}}")).Execute(os.Stdout, v))`},
	{"text/template hidden method", "can't evaluate field Danger", `fmt.Println(template.Must(template.New("").Parse("{{.Danger}}")).Execute(os.Stdout, v))`},
	{"text/template promoted method", "can't evaluate field Open", `fmt.Println(template.Must(template.New("").Parse("{{.Open}}")).Execute(os.Stdout, v))`},
	{"text/template index and call", "{al}", `t := template.Must(template.New("").Parse("{{index . 0}} {{(index . 0).Label}} {{range .}}{{.}}{{end}}"))
		fmt.Println(t.Execute(os.Stdout, bank.List()))
		fmt.Println(template.Must(template.New("").Parse("{{call .Danger}}")).Execute(os.Stdout, v))
		fmt.Println(template.Must(template.New("").Parse("{{index . \"Key\"}}")).Execute(os.Stdout, *v))`},
	{"reflect fields", "1 Label false false", `t := reflect.TypeOf(*v)
		_, key := t.FieldByName("Key"); _, pin := t.FieldByName("pin")
		fmt.Println(t.NumField()-hiddenFields(t), t.Field(0).Name, key, pin, reflect.ValueOf(v).Elem().FieldByName("Key").IsValid())`},
	{"reflect methods", "1 Name", `t := reflect.TypeOf(v)
		_, ok := t.MethodByName("Danger")
		fmt.Println(t.NumMethod(), t.Method(0).Name, ok, reflect.ValueOf(v).MethodByName("Danger").IsValid(), reflect.ValueOf(v).MethodByName("Open").IsValid())`},
	{"reflect printed", "&{al} {al}", `fmt.Println(reflect.ValueOf(v), reflect.ValueOf(*v), []reflect.Value{reflect.ValueOf(v)}, reflect.ValueOf(v).String()); fmt.Printf("%#v %+v", reflect.ValueOf(*v), reflect.ValueOf(v))`},
	{"reflect interface", "&{al}", `fmt.Println(reflect.ValueOf(v).Interface(), reflect.ValueOf(v).Elem().Interface(), reflect.Indirect(reflect.ValueOf(v)).Field(0))`},
	{"reflect implements", "false", `fmt.Println(reflect.TypeOf(v).Implements(reflect.TypeFor[io.Closer]()), reflect.TypeOf(v).Implements(reflect.TypeFor[fmt.Stringer]()))`},
	{"DeepEqual", "true", `fmt.Println(reflect.DeepEqual(v, v), reflect.DeepEqual(*v, bank.List()[0]))`},
	{"assertion", "false false false", `var x any = v
		_, a := x.(fmt.Stringer); _, b := x.(io.ReadWriteCloser); _, c := x.(interface{ Danger() string })
		fmt.Println(a, b, c)`},
	{"type switch", "none", `for _, x := range []any{v, *v, bank.Any(), bank.Odd()} {
		switch x := x.(type) {
		case fmt.Formatter, fmt.GoStringer, json.Marshaler: fmt.Println("shown")
		case interface{ Danger() string }: fmt.Println(x.Danger())
		case sort.Interface: fmt.Println(x.Len())
		default: fmt.Println("none")
		} }`},
	{"assertion of an error", "false false", `_, a := bank.Err().(interface{ Unwrap() error }); _, b := bank.Err().(interface{ Timeout() bool }); fmt.Println(a, b)`},
	{"sort and heap", "", `sort.Sort(any(v).(sort.Interface)); heap.Init(any(v).(heap.Interface))`},
	{"sort", "", `sort.Sort(v)`},
	{"reader", "", `io.ReadAll(v)`},
	{"io.Copy", "", `io.Copy(os.Stdout, any(v).(io.Reader))`},
	{"embedding", "{0xc0000", `type T struct{ *bank.Coffer }
		fmt.Println(T{v}); fmt.Println(T{v}.Name(), T{v}.Label)
		_, ok := any(T{v}).(fmt.Stringer); _, ok2 := any(T{v}).(io.Closer); fmt.Println(ok, ok2)`},
	{"embedding by value", "{{al}}", `type T struct{ bank.Coffer }
		fmt.Println(T{*v}); b, _ := json.Marshal(T{*v}); fmt.Println(string(b))
		_, ok := any(&T{*v}).(fmt.Stringer); fmt.Println(ok)`},
	{"embedding, hidden method", "", `type T struct{ *bank.Coffer }
		fmt.Println(T{v}.Danger())`},
	{"embedding, promoted method", "", `fmt.Println(v.Open())`},
	{"embedded field", "", `fmt.Println(v.Lock)`},
	{"constraint", "", `func danger[T interface{ Danger() string }](x T) string { return x.Danger() }
		fmt.Println(danger(v))`},
	{"constraint, shown", "name of al", `func name[T interface{ Name() string }](x T) string { return x.Name() }
		fmt.Println(name(v))`},
	{"method value", "", `f := v.Danger; fmt.Println(f())`},
	{"method expression", "", `fmt.Println((*bank.Coffer).Danger(v))`},
	{"method value, shown", "name of al", `f := v.Name; g := (*bank.Coffer).Name; fmt.Println(f(), g(v))`},
	{"places", "true true", `a, b := fmt.Sprintf("%p", v), fmt.Sprintf("%p", v)
		type T struct { p *bank.Coffer; c chan int; f func() }
		t := T{v, make(chan int), func() {}}
		fmt.Println(a == b, strings.Contains(fmt.Sprint(t), a)); fmt.Printf("%v %p %p %#v %x %d\n", t, t.c, t.f, t, v, []any{t.p})`},
	{"places of the standard library", "0xc0000", `fmt.Printf("%v %p %+v %#v %d\n", *list.New(), list.New(), time.Now(), big.NewInt(1), time.Now()); fmt.Println(&sync.Pool{}, *bytes.NewBufferString("a"), []any{&strings.Builder{}, time.UTC, regexp.MustCompile("a")})`},
	{"panic", "", `panic(v)`},
	{"panic of a value", "", `panic(*v)`},
	{"panic of an error", "alarm at gate", `fmt.Print("alarm at gate"); panic(bank.Err())`},
	{"panic of the host", "", `bank.Fail()`},
	{"panic recovered", "{al}", `func f() { defer func() { fmt.Println(recover()) }(); panic(*v) }
		f()`},
	{"echo", "", "v\n*v\nbank.List()\nbank.Odd()\nbank.Err()\nstruct{ a any }{v}"},
	{"copies", "&{al}", `m := maps.Clone(bank.Map()); l := slices.Clone(bank.List()); l = append(l, *v)
		fmt.Println(m["k"], l, slices.Concat(l, l)); c := *v; fmt.Println(c, &c)`},
	{"atomic", "&{al}", `var a atomic.Value
		a.Store(v); fmt.Println(a.Load(), a); var p atomic.Pointer[bank.Coffer]
		p.Store(v); fmt.Println(p.Load(), p)`},
	{"containers", "&{al}", `var m sync.Map
		m.Store(*v == *v, v); x, _ := m.Load(true); fmt.Println(x)
		p := sync.Pool{New: func() any { return v }}; fmt.Println(p.Get())
		l := list.New(); l.PushBack(*v); fmt.Println(l.Front().Value, *l.Front(), l)
		r := ring.New(1); r.Value = *v; fmt.Printf("%v %+v\n", *r, r.Value)`},
	{"channels", "&{al}", `c := make(chan any, 2); c <- v; c <- *v; fmt.Println(<-c, <-c, c)`},
	{"context", "&{al}", `ctx := context.WithValue(context.Background(), "k", v)
		fmt.Println(ctx, ctx.Value("k")); fmt.Println(context.WithValue(ctx, *v == *v, *v), bank.Ctx())`},
	{"errors of the engine", "", `var x any = v
		_ = x.(fmt.Stringer)`},
	{"errors of the engine, types", "", `var x any = bank.Odd()
		_ = x.(int)`},
	{"variables", "", `x, y, z := v, *v, bank.Odd()
		_, _, _ = x, y, z`},
	{"unsafe ways round", "", `type T struct { Label, Key string; Peer *T }
		fmt.Println((*T)(v).Key)`},
}

const routeHelpers = `func hiddenFields(t reflect.Type) int { n := 0; for i := range t.NumField() { if strings.HasPrefix(t.Field(i).Name, "hidden_") { n++ } }; return n }
`

// TestRoutes: nothing that takes values apart shows of one of the host's what its policy
// hides, calls a method of it that is hidden, or shows where it is.
func TestRoutes(t *testing.T) {
	address := regexp.MustCompile(`0x[0-9a-f]{6,}`)
	for _, r := range routes {
		t.Run(r.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				p, v := coffers()
				told = nil
				script := "v := bank.Open()\n_ = v\n" + r.script
				if strings.Contains(script, "hiddenFields") {
					script = routeHelpers + script
				}
				res, err := b.RunOnce(p, script)
				seen := res.Stdout + res.Stderr + fmt.Sprint(res.Echo) + fmt.Sprint(err)
				if strings.Contains(seen, secret) || len(told) > 0 {
					b.Errorf("shown: %s\ncalled: %v", seen, told)
				}
				for _, at := range address.FindAllString(seen, -1) {
					if !strings.HasPrefix(at, "0xc0000") || at == fmt.Sprintf("%p", v) {
						b.Errorf("an address of the host, %s: %s", at, seen)
					}
				}
				refused := errors.Is(err, sandtrap.ErrRefused)
				if b.Engine == "vm" && (engineRefused(res) || r.want != "" && !strings.Contains(seen, r.want)) {
					b.Errorf("got %s\nwant %s", seen, r.want)
				}
				if b.Engine == "vm" && r.want != "" && refused {
					b.Errorf("refused: %v", err)
				}
			})
		})
	}
}
