package hostwrite

import (
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A Strongbox is opaque: its values are the host's, and so is what is in them.
type Strongbox struct {
	Level  int
	Inner  Drawer
	secret int
}

func (v *Strongbox) Open() int { return v.secret }

// A Drawer is a struct of which scripts see one field.
type Drawer struct {
	Label string
	Code  int
	key   string
}

// A Cabinet has an opaque value in it.
type Cabinet struct{ Box Strongbox }

// A Fault is an error that is a value, of which scripts see one field.
type Fault struct {
	Code  int
	cause string
}

func (f Fault) Error() string { return "fault: " + f.cause }

// strongboxes is a policy with an opaque type and one of which fields are hidden, and what the host has of them.
func strongboxes() (p sandtrap.Policy, theirs *Strongbox, drawer *Drawer) {
	theirs = &Strongbox{Level: 1, Inner: Drawer{"in", 2, "k"}, secret: 3}
	drawer = &Drawer{"label", 4, "key"}
	mine := &Strongbox{Level: 9, secret: 9}
	p = sandtrap.Policy{Engine: "vm", Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Ticks: 1_000_000, Memory: 64 << 20}, Packages: []sandtrap.Package{{
		Path: "corp/o",
		Members: map[string]any{
			"Strongbox": sandtrap.Member{Value: (*Strongbox)(nil), Opaque: true},
			"Drawer":    (*Drawer)(nil),
			"Theirs":    func() *Strongbox { return theirs },
			"Mine":      func() *Strongbox { return mine },
			"Desk":      func() *Drawer { return drawer },
			"Take":      func(v *Strongbox) int { return v.secret },
			"Any":       func(v any) any { return v },
			"Cabinet":   (*Cabinet)(nil), "Fault": (*Fault)(nil),
			"Last": func() *Fault { return &Fault{1, "last"} }, "Fail": func() error { return Fault{2, "this"} },
		},
		Exclude: []string{"Drawer.Code"},
	}}}
	return p, theirs, drawer
}

// TestHostWrite: what the process shares scripts do not write to: such a run ends, or a function is given a copy.
func TestHostWrite(t *testing.T) {
	for src, copied := range map[string]bool{
		"reflect.ValueOf(base64.StdEncoding).Elem().Set(reflect.ValueOf(base64.URLEncoding).Elem())": false,
		"reflect.ValueOf(base64.StdEncoding).Elem().SetZero()":                                       false,
		"reflect.ValueOf(unicode.Letter).Elem().SetZero()":                                           false,
		"reflect.ValueOf(time.UTC).Elem().SetZero()":                                                 false,
		"reflect.ValueOf(io.EOF).Elem().SetZero()":                                                   false,
		"reflect.ValueOf(io.EOF).Elem().Set(reflect.ValueOf(errors.New(\"x\")).Elem())":              false,
		"crc32.IEEETable[1] = 7":                                                                     false,
		"crc32.IEEETable[1]++":                                                                       false,
		"t := crc32.MakeTable(crc32.IEEE); t[1] = 7":                                                 false,
		"t := crc32.MakeTable(crc32.Castagnoli); t[1] = 7":                                           false,
		"t := crc64.MakeTable(crc64.ISO); t[1] = 7":                                                  false,
		"t := crc32.IEEETable; for t[1] = range 5 { }":                                               false,
		"clear(crc32.IEEETable[:])":                                                                  false,
		"copy(crc32.IEEETable[:], crc32.IEEETable[5:])":                                              false,
		"_ = append(crc32.IEEETable[:0], 7)":                                                         false,
		"*(*[2]uint32)(crc32.IEEETable[:]) = [2]uint32{1, 2}":                                        false,
		"*crc32.IEEETable = crc32.Table{}":                                                           false,
		"p := &crc32.IEEETable[1]; *p = 7":                                                           false,
		"p := &crc32.IEEETable[1]; fmt.Sscan(\"7\", p)":                                              false,
		"atomic.StoreUint32(&crc32.IEEETable[1], 7)":                                                 false,
		"reflect.ValueOf(crc32.IEEETable).Elem().Index(1).SetUint(7)":                                false,
		"*reflect.ValueOf(crc32.IEEETable).Elem().Index(1).Addr().Interface().(*uint32) = 7":         false,
		"reflect.Swapper(crc32.IEEETable[:])(0, 1)":                                                  false,
		"sort.Slice(crc32.IEEETable[:], func(i, j int) bool { return i > j })":                       false,
		"json.Unmarshal([]byte(\"[1,2,3]\"), crc32.IEEETable)":                                       false,
		"binary.Read(bytes.NewReader(make([]byte, 1024)), binary.LittleEndian, crc32.IEEETable)":     false,

		"binary.Read(bytes.NewReader(make([]byte, 1024)), binary.LittleEndian, crc32.IEEETable[:])": true,
		"slices.Reverse(crc32.IEEETable[:])": true,
	} {
		t.Run(src, func(t *testing.T) {
			before := digests(processShares(t))
			p, _, _ := strongboxes()
			res, err := run(t, p, src)
			if d := differing(before, digests(processShares(t))); len(d) > 0 {
				t.Fatalf("the process has other values now: %v", d)
			}
			if err == nil != copied || err != nil && !strings.Contains(err.Error(), "of the host's") {
				t.Errorf("got %v: %+v", err, res)
			}
		})
	}
}

// TestForgedOpaque: no value of an opaque type comes from a script, by whichever way one is made, and the
// host's own are not replaced.
func TestForgedOpaque(t *testing.T) {
	for _, src := range []string{
		"var v *o.Strongbox; json.Unmarshal([]byte(`{\"Level\":9}`), &v); x := o.Take(v)",
		"v := reflect.New(reflect.TypeOf(o.Theirs()).Elem()).Interface().(*o.Strongbox); x := o.Take(v)",
		"v := reflect.Zero(reflect.TypeOf(o.Theirs()).Elem()).Interface(); x := o.Any(v)",
		"v := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(o.Theirs()).Elem()), 1, 1).Index(0).Addr().Interface().(*o.Strongbox); x := o.Take(v)",
		"v := reflect.MakeMap(reflect.MapOf(reflect.TypeOf(1), reflect.TypeOf(o.Theirs()).Elem())); v.SetMapIndex(reflect.ValueOf(1), reflect.ValueOf(o.Theirs()).Elem()); x := 1",
		"v := reflect.ValueOf(o.Theirs()).Elem().Interface(); x := o.Any(v)",
		"reflect.ValueOf(o.Theirs()).Elem().Set(reflect.ValueOf(o.Mine()).Elem()); x := 1",
		"reflect.ValueOf(o.Theirs()).Elem().SetZero(); x := 1",
		"reflect.ValueOf(o.Theirs()).Elem().FieldByName(\"Inner\").SetZero(); x := 1",
		"reflect.ValueOf(o.Desk()).Elem().SetZero(); x := 1",
		"reflect.ValueOf(o.Desk()).Elem().Set(reflect.ValueOf(&o.Drawer{}).Elem()); x := 1",
		"reflect.Copy(reflect.ValueOf([]*o.Strongbox{o.Theirs()}), reflect.ValueOf([]*o.Strongbox{nil})); var v struct{ V **o.Strongbox }; v.V = new(*o.Strongbox); json.Unmarshal([]byte(`{\"V\":{}}`), &v); x := o.Take(*v.V)",
		"var v []*o.Strongbox; json.Unmarshal([]byte(`[{}]`), &v); x := o.Take(v[0])",
		"var v map[string]*o.Strongbox; json.Unmarshal([]byte(`{\"a\":{}}`), &v); x := o.Take(v[\"a\"])",
		"var v struct{ V *o.Strongbox }; xml.Unmarshal([]byte(`<a><V><Level>9</Level></V></a>`), &v); x := o.Take(v.V)",
		"type T struct{ V *o.Strongbox; N int }; var b bytes.Buffer; gob.NewEncoder(&b).Encode(struct{ V struct{ Level int }; N int }{N: 1}); var v T; gob.NewDecoder(&b).Decode(&v); x := o.Take(v.V)",
		"v := reflect.ValueOf(&o.Cabinet{}).Elem().FieldByName(\"Box\").Addr().Interface().(*o.Strongbox); x := o.Take(v)",
		"c := &o.Cabinet{}; v := &c.Box; x := o.Take(v)",
		"x := errors.As(o.Fail(), o.Last())",
	} {
		t.Run(src, func(t *testing.T) {
			p, theirs, drawer := strongboxes()
			vault, desk := *theirs, *drawer
			res, err := run(t, p, src)
			if *theirs != vault || *drawer != desk {
				t.Errorf("the host has %+v, %+v", *theirs, *drawer)
			}
			if err == nil || !strings.Contains(err.Error(), "host") && !strings.Contains(err.Error(), "behind a pointer only") {
				t.Errorf("got %v, %v, want it refused", res.Vars["x"], err)
			}
		})
	}
}

// TestOwnReplaced: a script replaces its own variables of the host's types, whatever these hide.
func TestOwnReplaced(t *testing.T) {
	for src, want := range map[string]any{
		"var d o.Drawer; reflect.ValueOf(&d).Elem().Set(reflect.ValueOf(*o.Desk())); x := d.Label":                                           "label",
		"d := *o.Desk(); reflect.ValueOf(&d).Elem().SetZero(); x := d.Label":                                                                 "",
		"v := reflect.New(reflect.TypeFor[o.Drawer]()); v.Elem().Set(reflect.ValueOf(*o.Desk())); x := v.Elem().Field(0).String()":           "label",
		"var f o.Fault; x := errors.As(o.Fail(), &f) && f.Code == 2":                                                                         true,
		"list := []o.Drawer{{}}; list[0] = *o.Desk(); reflect.Swapper(list)(0, 0); x := list[0].Label":                                       "label",
		"type T struct{ D o.Drawer }; var v T; reflect.ValueOf(&v).Elem().Field(0).Set(reflect.ValueOf(*o.Desk())); x := v.D.Label":          "label",
		"var d o.Drawer; json.Unmarshal([]byte(`{\"Label\":\"x\"}`), &d); x := d.Label":                                                      "x",
		"o.Desk().Label = \"mine\"; x := o.Desk().Label":                                                                                     "mine",
		"t := time.Now(); reflect.ValueOf(&t).Elem().SetZero(); x := t.IsZero()":                                                             true,
		"p := new(time.Time); *p = time.Unix(0, 0); reflect.Indirect(reflect.ValueOf(p)).Set(reflect.ValueOf(time.Time{})); x := p.IsZero()": true,
	} {
		p, _, _ := strongboxes()
		if res, err := run(t, p, src); err != nil || res.Vars["x"] != want {
			t.Errorf("%s: got %v, %v, want %v", src, res.Vars["x"], err, want)
		}
	}
}
