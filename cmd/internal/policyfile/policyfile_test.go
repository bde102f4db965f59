package policyfile

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// read is a policy file of this text, by the name p.yaml, with others beside it.
func read(t *testing.T, text string, others ...string) (*File, error) {
	t.Helper()
	dir := t.TempDir()
	for i, name := range append([]string{"p.yaml"}, others...) {
		if i%2 == 1 {
			continue
		}
		of := text
		if i > 0 {
			name, of = others[i-2], others[i-1]
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(of), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	p := Default()
	f := New(&p)
	return f, f.Read("p.yaml")
}

// TestErrors: an error has the file, the line and the nearest name.
func TestErrors(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"key", "echo: last\nguards: {}\n", `p.yaml: line 2: no key "guards" in policy; did you mean "guard"?`},
		{"guard", "guard:\n  max_risk: low\n  aks: [x]\n", `p.yaml: line 3: no key "aks" in guard; did you mean "ask"?`},
		{"risk", "guard:\n  max_risk: lo\n", `p.yaml: line 2: max_risk: no risk "lo"; there are low, medium, high, critical`},
		{"class", "guard:\n  max_class: secret\n", `line 2: max_class: no class "secret"`},
		{"shape", "guard:\n  deny: pay\n", "line 2: deny: want a list"},
		{"rate", "guard:\n  rates:\n    pay: -1\n", "line 3: pay: a limit cannot be negative"},
		{"budget", "guard:\n  budget: many\n", "line 2: budget: want a number"},
		{"grant", "guard:\n  grants:\n  - reason: x\n", "line 3: guard.grants: members is missing"},
		{"grant key", "guard:\n  grants:\n  - members: [a]\n    raeson: x\n", `line 4: no key "raeson" in guard.grants; did you mean "reason"?`},
		{"truth", "guard:\n  record_may_fail: maybe\n", "line 2: record_may_fail: want true or false"},
		{"rule", "guard:\n  rules:\n  - name: r\n    onn: [a]\n", `line 4: no key "onn" in guard.rules; did you mean "on"?`},
		{"rule name", "guard:\n  rules:\n  - on: [a]\n", "line 3: guard.rules: a rule has no name"},
		{"condition", "guard:\n  rules:\n  - name: r\n    when:\n    - all:\n      - not: {prefx: [a]}\n", `line 6: no key "prefx" in guard.rules.when.all.not; did you mean "prefix"?`},
		{"range", "guard:\n  rules:\n  - name: r\n    when:\n    - range: {maxx: 3}\n", `line 5: no key "maxx" in guard.rules.when.range; did you mean "max"?`},
		{"reference", "guard:\n  rules:\n  - name: r\n    when:\n    - equals: &a {b: 1}\n    - equals: *a\n", "line 6: equals: want a value, and no reference to one"},
		{"member", "members:\n  pay:\n    rsik: high\n", `line 3: no key "rsik" in members.pay; did you mean "risk"?`},
		{"member twice", "members:\n  pay: {risk: low}\n  pay: {risk: high}\n", `line 3: key "pay" stands twice`},
		{"extends", "echo: last\nextends: agnet\n", `line 2: extends: sandtrap: wrong policy: no preset "agnet"; there are agent, compute, repl; profiles are agent, batch, closed, compute, files, review; did you mean "agent"?`},
		{"two documents", "fs: mem\n---\nfs: none\n", "p.yaml: line 2: a policy file is one document: remove what begins here"},
		{"itself", "extends: ./p.yaml\n", "p.yaml: line 1: extends: p.yaml extends itself"},
		{"absent", "extends: other.yaml\n", "p.yaml: line 1: extends: lstat other.yaml: no such file"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := read(t, tc.text)
			if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want %s", err, tc.want)
			}
		})
	}
}

// TestGuard: all fields of a guard are read, and compile.
func TestGuard(t *testing.T) {
	f, err := read(t, `
members: {sendMail: {risk: high, requires: [mail.send], class: internal, cost: 5, rate: 10}}
guard:
  inactive: true
  packages: [mail]
  hidden: [debug]
  max_risk: medium
  permissions: [mail.send]
  deny: [pay]
  ask: ["send*"]
  grants:
  - {members: ["read*"], reason: they change nothing}
  default: deny
  max_class: confidential
  rules:
  - name: one
    on: [sendMail]
    when:
    - {param: n, range: {min: 2, max: "90s"}, nil: false}
    - not: {count: {of: sent, min: 3}}
    do: block
    text: "no {n}"
    track:
    - {count: sent, add: {set: to, param: to, as: url}}
    match:
    - {args: {n: 1, to: {"a": [1.5, null, 2026-01-01]}}, counts: {sent: 2}, sets: {to: [a]}}
  rates: {"*": 60, pay: 0}
  budget: 1000
  ask_timeout: 90s
  record_may_fail: true
`)
	if err != nil {
		t.Fatal(err)
	}
	two, three, no := int64(2), int64(3), false
	want := guard.Policy{
		Inactive: true, Packages: []string{"mail"}, Hidden: []string{"debug"}, MaxRisk: decide.Medium, Permissions: []string{"mail.send"},
		Deny: []string{"pay"}, Ask: []string{"send*"}, Grants: []guard.Grant{{Members: []string{"read*"}, Reason: "they change nothing"}},
		Default: guard.DenyByDefault, MaxClass: decide.Confidential, Rates: map[string]int{"*": 60, "pay": 0},
		AskTimeout: 90e9, RecordMayFail: true,
		Rules: []rules.Rule{{
			Name: "one", On: []string{"sendMail"}, Do: rules.Block, Text: "no {n}",
			When: []rules.Condition{
				{Param: "n", Range: &rules.Range{Min: 2, Max: "90s"}, Nil: &no},
				{Not: &rules.Condition{Count: &rules.Count{Of: "sent", Min: &three}}},
			},
			Track: []rules.Track{{Count: "sent", Add: &rules.Add{Set: "to", Param: "to", As: "url"}}},
			Match: []rules.Example{{
				Args:   map[string]any{"n": 1, "to": map[string]any{"a": []any{1.5, nil, "2026-01-01"}}},
				Counts: map[string]int64{"sent": two}, Sets: map[string][]any{"to": {"a"}},
			}},
		}},
	}
	got := *f.Guard
	if got.Budget == nil || f.Budget != 1000 {
		t.Errorf("the budget is %d", f.Budget)
	}
	got.Budget = nil
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	member := []Member{{"sendMail", decide.Attributes{Risk: decide.High, Requires: []string{"mail.send"}, Class: decide.Internal, Cost: 5, Rate: 10}}}
	if d := cmp.Diff(member, f.Members); d != "" {
		t.Error(d)
	}
	if at := f.From("guard.deny pay"); at != (Place{"p.yaml", 9}) {
		t.Errorf("pay is denied by %v", at)
	}
}

// TestKeys: each field of the types that files write has its key, and no other.
func TestKeys(t *testing.T) {
	f := New(&sandtrap.Policy{})
	for _, tc := range []struct {
		keys []key
		of   reflect.Type
	}{
		{f.ruleKeys(&rules.Rule{}), reflect.TypeFor[rules.Rule]()},
		{f.conditionKeys("", &rules.Condition{}), reflect.TypeFor[rules.Condition]()},
		{countKeys(&rules.Count{}), reflect.TypeFor[rules.Count]()},
		{commandKeys(&rules.Command{}), reflect.TypeFor[rules.Command]()},
		{f.trackKeys(&rules.Track{}), reflect.TypeFor[rules.Track]()},
		{addKeys(&rules.Add{}), reflect.TypeFor[rules.Add]()},
		{exampleKeys(&rules.Example{}), reflect.TypeFor[rules.Example]()},
		{f.grantKeys(&guard.Grant{}), reflect.TypeFor[guard.Grant]()},
		{memberKeys(&decide.Attributes{}), reflect.TypeFor[decide.Attributes]()},
		{f.guardKeys(&guard.Policy{}), reflect.TypeFor[guard.Policy]()},
		{f.networkKeys(&Network{}), reflect.TypeFor[egress.Policy]()},
		{f.networkLimitKeys(&egress.Limits{}), reflect.TypeFor[egress.Limits]()},
		{quotaKeys("run", &egress.Limits{}), reflect.TypeFor[egress.Quota]()},
		{quotaKeys("tenant", &egress.Limits{}), reflect.TypeFor[egress.Quota]()},
		{f.secretKeys(&egress.Secret{}, &Source{}), reflect.TypeFor[egress.Secret]()},
	} {
		var have, want []string
		for _, k := range tc.keys {
			have = append(have, strings.ReplaceAll(k.name, "_", ""))
		}
		for field := range tc.of.Fields() {
			switch field.Name {
			case "Approver", "Decider", "Record", "DecideTimeout": // of hosts, and for their policy engines
			case "Counts":
				if tc.of != reflect.TypeFor[guard.Policy]() { // where it is a function of hosts
					want = append(want, "counts")
				}
			case "Value": // of a secret, which no file has
				want = append(want, "env", "file")
			default:
				want = append(want, strings.ToLower(field.Name))
			}
		}
		slices.Sort(have)
		slices.Sort(want)
		if d := cmp.Diff(want, have); d != "" {
			t.Errorf("%v: %s", tc.of, d)
		}
	}
}
