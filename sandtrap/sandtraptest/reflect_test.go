package sandtraptest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// TestReflectReach: of a value of the host's reflect shows what the policy shows,
// whichever way it gets there; what it makes of it no more.
func TestReflectReach(t *testing.T) {
	for src, want := range map[string]string{
		"v := reflect.ValueOf(crate()).Elem(); x := fmt.Sprint(v.NumField(), v.Type().NumField())":                                   "5 5",
		"v := reflect.ValueOf(*crate()); x := v.FieldByName(\"Code\").IsValid()":                                                     "false",
		"v := reflect.ValueOf(*crate()); x := v.FieldByName(\"pin\").IsValid()":                                                      "false",
		"v := reflect.ValueOf(*crate()); x := v.FieldByName(\"Name\").IsValid()":                                                     "false",
		"_, x := reflect.TypeOf(*crate()).FieldByName(\"Code\")":                                                                     "false",
		"x := \"\"; for _, f := range reflect.VisibleFields(reflect.TypeOf(*crate())) { x += f.Name + \" \" }":                       "Label Inner Parts Any Sealed",
		"x := \"\"; for f := range reflect.TypeFor[corp.Crate]().Fields() { x += f.Name + \" \" }":                                   "Label Inner Parts Any Sealed",
		"_, x := reflect.TypeOf(*crate()).FieldByNameFunc(func(s string) bool { return s == \"Code\" })":                             "false",
		"x := reflect.ValueOf(crate().Sealed).Field(0).String()":                                                                     "s",
		"v := reflect.ValueOf(crate()).Elem().FieldByName(\"Any\").Elem(); x := fmt.Sprint(v.NumField(), v.Field(0))":                "1 s",
		"x := reflect.TypeOf(sealed()).NumMethod()":                                                                                  "0",
		"_, x := reflect.TypeOf(sealed()).MethodByName(\"MarshalJSON\")":                                                             "false",
		"x := reflect.ValueOf(sealed()).MethodByName(\"MarshalJSON\").IsValid()":                                                     "false",
		"x := reflect.ValueOf(wrapper{crate().Sealed}).MethodByName(\"MarshalJSON\").IsValid()\ntype wrapper struct { corp.Sealed }": "false",
		"x := reflect.TypeOf(sealed()).Implements(reflect.TypeFor[json.Marshaler]())":                                                "false",
		"v := reflect.ValueOf(anything()[0]); x := fmt.Sprint(v.Kind(), v.NumField(), v.Type().NumMethod())":                         "struct 0 0",
		"v := reflect.ValueOf(anything()[1]); x := fmt.Sprint(v.Elem().NumField(), v.NumMethod())":                                   "0 0",
		"x := fmt.Sprint(hostType().NumField(), hostType().NumMethod(), hostType().String())":                                        "5 1corp.Crate",
		"x := fmt.Sprint(hostType().Field(0).Name, reflect.New(hostType()).Elem().NumField())":                                       "Label5",
		"x := reflect.Zero(hostType()).FieldByName(\"Code\").IsValid()":                                                              "false",
		"x := hostValue().Field(1)":    "a reflect.Value of the host's is not for scripts",
		"x := hostValue().Interface()": "a reflect.Value of the host's is not for scripts",
		"var f fielder = hostValue(); x := f.NumField()\ntype fielder interface { NumField() int }":                            "a reflect.Value of the host's is not for scripts",
		"var f fielder = hostType(); x := f.NumField()\ntype fielder interface { NumField() int }":                             "5",
		"w := struct { reflect.Value }{hostValue()}; x := w.NumField()":                                                        "a reflect.Value of the host's is not for scripts",
		"f := hostValue().NumField; x := f()":                                                                                  "a reflect.Value of the host's is not for scripts",
		"x := reflect.ValueOf(hostValue()).NumField()":                                                                         "0",
		"type mine struct { Label string; Code string }; x := reflect.TypeOf(*crate()).ConvertibleTo(reflect.TypeFor[mine]())": "false",
		"v := reflect.ValueOf(crate()).Elem(); v.FieldByName(\"Label\").SetString(\"set\"); x := crate().Label":                "set",
		"v := reflect.ValueOf(crate()).Elem(); v.Set(reflect.Zero(v.Type())); x := crate().Label":                              "cannot write to a corp.Crate of the host's",
		"x := reflect.DeepEqual(*crate(), *crate())":                                                                           "true",
		"x := reflect.ValueOf(crates()).Index(0).NumField()":                                                                   "5",
		"m := reflect.ValueOf(crateMap()); x := m.MapIndex(reflect.ValueOf(\"k\")).Elem().NumField()":                          "5",
		"_, x := any(hostType()).(interface { Elem() reflect.Type })":                                                          "true",
		"x := fmt.Sprintf(\"%v %+v\", hostType(), hostType().Field(0).Type)":                                                   "corp.Crate",
		"err := json.Unmarshal([]byte(`{\"Label\":1}`), crate()); x := err.(*json.UnmarshalTypeError).Type":                    "string",
	} {
		t.Run(src, func(t *testing.T) {
			p, crate := cratePolicy()
			p.Engine = "vm"
			p.Funcs["hostType"] = func() reflect.Type { return reflect.TypeOf(*crate) }
			p.Funcs["hostValue"] = func() reflect.Value { return reflect.ValueOf(*crate) }
			setup, decls, _ := strings.Cut(src, "\n")
			res, err := rig.RunOnce(t, p, "import \"corp\"\nimport \"reflect\"\n"+decls+"\nvar _ corp.Sealed\nvar _ reflect.Kind\n"+setup+"\nfmt.Println(x)")
			got := ""
			if res != nil {
				got = res.Stdout + res.Stderr
			}
			if err != nil {
				got += err.Error()
			}
			if strings.Contains(got, "danger") || crate.Label != "" && crate.Code != crateCode {
				t.Errorf("got %q; the host has %+v", got, crate)
			}
			if !strings.Contains(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestReflectMembers: each method that the table allows of the types of package reflect
// is one that the engine has.
func TestReflectMembers(t *testing.T) {
	var names []string
	for _, row := range builtins.Std("reflect")[0].Members {
		for name := range strings.FieldsSeq(row.With) {
			if row.Name == "Value" {
				names = append(names, "reflect."+row.Name+"."+name)
			} else if row.Name == "MapIter" {
				names = append(names, "(*reflect."+row.Name+")."+name)
			}
		}
	}
	if len(names) < 70 {
		t.Fatalf("only %d methods: %v", len(names), names)
	}
	res, err := rig.RunOnce(t, sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm"}, fmt.Sprintf("import \"reflect\"\nlist := []any{%s}\nfmt.Println(len(list))", strings.Join(names, ", ")))
	if err != nil || res.Stdout != fmt.Sprintln(len(names)) {
		t.Errorf("got %v, want %d", err, len(names))
	}
}
