package toolschema

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

type Status string

type Level int

func (l Level) MarshalText() ([]byte, error) { return []byte(fmt.Sprintf("level-%d", int(l))), nil }

func (l *Level) UnmarshalText(text []byte) error {
	_, err := fmt.Sscanf(string(text), "level-%d", (*int)(l))
	return err
}

type Meta struct {
	ID      string    `json:"id"`
	Created time.Time `json:"created"`
}

type Ticket struct {
	Meta
	Status Status            `json:"status"`
	Level  Level             `json:"level"`
	Owner  *string           `json:"owner"`
	Labels map[string]string `json:"labels"`
	Body   []byte            `json:"body"`
	Due    time.Duration     `json:"due,omitempty"`
	Parts  []Part            `json:"parts"`
	Any    any               `json:"any,omitempty"`
	//lint:ignore U1000 schemas leave out what JSON leaves out
	internal int
	Cache    func() `json:"-"`
}

type Part struct {
	Size [2]float64     `json:"size"`
	By   map[int]*Part2 `json:"by"`
}

type Part2 struct {
	Raw  json.RawMessage `json:"raw"`
	Addr netip.Addr      `json:"addr"`
	N    *big.Int        `json:"n"`
}

var signatures = map[string]any{
	"ping":    func() {},
	"now":     func() time.Time { return time.Unix(1e9, 0).UTC() },
	"sum":     func(nums ...float64) float64 { return 0 },
	"find":    func(ctx context.Context, q string, limit int) ([]Ticket, error) { return nil, nil },
	"get":     func(ctx context.Context, id string) (*Ticket, error) { return nil, nil },
	"put":     func(ctx context.Context, t Ticket) error { return nil },
	"set":     func(status Status, level Level) (Status, Level) { return "", 0 },
	"labels":  func(labels map[string][]string) map[string]int { return nil },
	"blob":    func(data []byte) ([]byte, error) { return nil, nil },
	"raw":     func(v json.RawMessage) json.RawMessage { return nil },
	"any":     func(v any) any { return nil },
	"anon":    func(q struct{ A, B int }) struct{ Sum int } { return struct{ Sum int }{} },
	"ip":      func(netip.Addr, *netip.Prefix) netip.Addr { return netip.Addr{} },
	"wait":    func(ctx context.Context, d time.Duration) (time.Duration, bool, error) { return 0, false, nil },
	"several": func(a *int, b []*string, c [3]int8, d uint64) (map[int]Part, error) { return nil, nil },
	"flags":   func(map[Status]bool, map[Level]string) {},
	"big":     func(*big.Int) *big.Float { return nil },
}

func sample(rt reflect.Type) reflect.Value {
	v := reflect.New(rt).Elem()
	switch v.Interface().(type) {
	case time.Time:
		return reflect.ValueOf(time.Unix(1e9, 0).UTC())
	case netip.Addr:
		return reflect.ValueOf(netip.MustParseAddr("10.0.0.1"))
	case netip.Prefix:
		return reflect.ValueOf(netip.MustParsePrefix("10.0.0.0/8"))
	case json.RawMessage:
		return reflect.ValueOf(json.RawMessage(`{"x":1}`))
	case *big.Int:
		return reflect.ValueOf(big.NewInt(7))
	case *big.Float:
		return reflect.ValueOf(big.NewFloat(7.5))
	}
	switch rt.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(rt.Elem()))
		v.Elem().Set(sample(rt.Elem()))
	case reflect.Slice:
		v.Set(reflect.Append(v, sample(rt.Elem())))
	case reflect.Array:
		for i := range v.Len() {
			v.Index(i).Set(sample(rt.Elem()))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(rt))
		v.SetMapIndex(sample(rt.Key()), sample(rt.Elem()))
	case reflect.Struct:
		for i := range rt.NumField() {
			if f := rt.Field(i); f.IsExported() && f.Type.Kind() != reflect.Func {
				v.Field(i).Set(sample(f.Type))
			}
		}
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Interface:
		v.Set(reflect.ValueOf("any"))
	default:
		v.Set(reflect.ValueOf(3).Convert(rt))
	}
	return v
}

// TestSignatures: what tools take and give is valid by their schemas as encoding/json writes it, and what cannot be written
// is refused.
func TestSignatures(t *testing.T) {
	tools, err := Of(sandtrap.Policy{Funcs: signatures})
	if err != nil {
		t.Fatal(err)
	}
	if len(tools) != len(signatures) {
		t.Errorf("%d tools", len(tools))
	}
	for _, tool := range tools {
		ft := reflect.TypeOf(signatures[tool.Name])
		if tool.Output != nil {
			t.Run(tool.Name, func(t *testing.T) {
				var results []any
				for i := range ft.NumOut() {
					if ft.Out(i) != errorType {
						results = append(results, sample(ft.Out(i)).Interface())
					}
				}
				if len(results) == 1 {
					fits(t, tool.Output, results[0], true)
				} else {
					fits(t, tool.Output, results, true)
				}
				for _, r := range results {
					decodes(t, r)
				}
			})
		}
		args := map[string]any{}
		n := 0
		for i := range ft.NumIn() {
			if ft.In(i) != contextType {
				n++
				args[fmt.Sprint("arg", n)] = sample(ft.In(i)).Interface()
			}
		}
		fits(t, tool.Input, args, true)
	}
	for name, fn := range map[string]any{"callback": func(func(int) error) {}, "channel": func(chan int) {}} {
		if _, err := Of(sandtrap.Policy{Funcs: map[string]any{name: fn}}); err == nil {
			t.Errorf("%s has a schema", name)
		}
	}
}

// decodes wants what v is in JSON to be v again, for a host that calls the tool.
func decodes(t *testing.T, v any) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	into := reflect.New(reflect.TypeOf(v))
	err = json.Unmarshal(text, into.Interface())
	got, failed := json.Marshal(into.Elem().Interface())
	if err != nil || failed != nil || string(got) != string(text) {
		t.Errorf("got %s, %v, want %s", got, errors.Join(err, failed), text)
	}
}
