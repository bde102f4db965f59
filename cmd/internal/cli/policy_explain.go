package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
)

// An explanation is what policy explain prints. Fields may be added, never changed.
type explanation struct {
	Isolation jsonLimit      `json:"isolation"`
	Openings  []jsonOpening  `json:"openings"`
	Functions []jsonFunction `json:"functions"`
	Limits    []jsonLimit    `json:"limits"`
}

// A jsonOpening is access to something outside of the sandbox.
type jsonOpening struct {
	Field  string           `json:"field"` // of sandtrap.Policy, and what in it
	Opens  string           `json:"opens"`
	From   policyfile.Place `json:"from"`
	Layers []string         `json:"layers"` // of isolation kernel that it changes
	Kernel string           `json:"kernel"` // how
}

// A jsonFunction is how calls of a function, or operations on files, are decided.
type jsonFunction struct {
	Name     string            `json:"name"`
	Decision string            `json:"decision"` // allow, ask or deny
	Code     string            `json:"code,omitempty"`
	Reason   string            `json:"reason,omitempty"`
	Rules    []string          `json:"rules,omitempty"`
	Declares string            `json:"declares,omitempty"`
	From     *policyfile.Place `json:"from,omitempty"` // of what it declares
}

type jsonLimit struct {
	Name  string           `json:"name"`
	Value string           `json:"value"`
	From  policyfile.Place `json:"from"`
}

// explainFile prints what a policy opens.
func (c *call) explainFile(args []string) int {
	o, err := c.policyFile("explain", args)
	if err != nil {
		return c.usage(err)
	}
	plan, err := o.compile()
	if err != nil {
		return c.usage(err)
	}
	e, err := explain(o, plan)
	switch {
	case err != nil:
		return c.usage(err)
	case o.json:
		return c.printObject(e, exitOK)
	}
	e.print(c.stdout)
	return exitOK
}

func explain(o *options, plan *sandtrap.Plan) (*explanation, error) {
	isolation := string(o.policy.Isolation)
	if isolation == "" {
		isolation = string(sandtrap.None)
	}
	e := &explanation{Isolation: jsonLimit{"isolation", isolation, o.file.From("isolation")}, Openings: []jsonOpening{}, Functions: []jsonFunction{}}
	for _, x := range plan.Explain() {
		field, item, _ := strings.Cut(x.Cause, " ")
		if field == "Network" {
			e.Openings = append(e.Openings, o.networkOpenings()...)
			continue
		}
		layers, kernel := changes(field, o)
		e.Openings = append(e.Openings, jsonOpening{x.Cause, x.Opens, o.origin(field, item), layers, kernel})
	}
	g := o.guards
	if g == nil { // what declares something is closed, as the guard of the plan has it
		g = o.file.GuardOf(guard.Policy{Deny: closed(o)})
		p := o.policy
		p.Guard = g
		if _, err := sandtrap.Compile(p); err != nil {
			return nil, err
		}
	}
	decisions, err := g.Decisions()
	if err != nil {
		return nil, err
	}
	for _, d := range decisions {
		f := jsonFunction{Name: d.Member.Name, Decision: d.Does, Code: string(d.Code), Reason: d.Reason, Rules: d.Rules}
		if f.Declares = attributesText(&d.Member.Attributes); f.Declares != "" {
			from := o.file.From("members " + f.Name)
			f.From = &from
		}
		e.Functions = append(e.Functions, f)
	}
	for _, l := range policyfile.Limits {
		e.Limits = append(e.Limits, jsonLimit{l.Key, l.Text(&o.policy.Limits), o.file.From("limits." + l.Key)})
	}
	e.Limits = append(e.Limits, o.networkLimits()...)
	return e, nil
}

// origin is where an opening comes from.
func (o *options) origin(field, item string) policyfile.Place {
	switch field {
	case "Funcs":
		return policyfile.Place{File: o.tools.Name}
	case "Audit":
		return policyfile.Place{File: "--record"}
	case "Files.Paths":
		if at := o.file.From("allow_paths " + strings.TrimSuffix(item, ":rw")); at.Line > 0 {
			return at
		}
		return policyfile.Place{File: "--allow-path"}
	}
	return o.file.From(map[string]string{
		"Std": "std", "Files.Open": "fs", "Files.ModuleRoot": "fs", "Files.Secrets": "secrets", "Isolation": "isolation", "Level": "level",
		"AllowDegraded": "allow_degraded",
	}[field])
}

// changes are the layers of isolation kernel that differ by an opening, and how.
func changes(field string, o *options) (layers []string, how string) {
	switch field {
	case "Std":
		return []string{}, "none: the worker computes it"
	case "Funcs":
		return []string{}, "none: the worker sends a message, and the host runs the function outside of the sandbox"
	case "Files.Open", "Files.ModuleRoot":
		return []string{}, "none: the worker opens no file, and the host reads and writes for it"
	case "Files.Paths":
		if o.guards != nil && o.guards.GuardsFiles() {
			return []string{}, "none: the guard decides about files, so the host reads them"
		}
		return []string{"descriptors", "rlimits", "landlock", "seccomp"}, "the worker has a descriptor of the directory, more open files, and may open and read what lies beneath; the host writes"
	case "Files.Secrets":
		return []string{}, "none: the kernel never hides names in the directories that a worker reads"
	case "Env":
		return []string{}, "none: the worker has no environment of the host"
	case "Isolation":
		return isolate.Maximum.Layers(), "with this isolation no layer of isolation kernel is complete"
	case "Level":
		return missingLayers(isolate.Level(o.policy.Level)), "the level has them not"
	case "Audit":
		return []string{"seccomp"}, "a refused system call fails and is recorded, instead of ending the worker"
	case "AllowDegraded":
		return isolate.Maximum.Layers(), "any that this machine lacks"
	}
	return []string{}, "none"
}

func (e *explanation) print(w io.Writer) {
	fmt.Fprintf(w, "isolation %s (%v)\n\nopen:\n", printable(e.Isolation.Value), e.Isolation.From)
	for _, o := range e.Openings {
		fmt.Fprintf(w, "  %s (%s)\n      opens: %s\n      kernel: %s", printable(o.Field), printable(o.From.String()), printable(o.Opens), o.Kernel)
		if len(o.Layers) > 0 {
			fmt.Fprintf(w, ": %s", strings.Join(o.Layers, ", "))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "\ncalls:")
	for _, f := range e.Functions {
		fmt.Fprintf(w, "  %s: %s", printable(f.Name), f.Decision)
		if f.Code != "" {
			fmt.Fprintf(w, " (%s): %s", f.Code, printable(f.Reason))
		}
		if len(f.Rules) > 0 {
			fmt.Fprintf(w, "; rules: %s", printable(strings.Join(f.Rules, ", ")))
		}
		if f.From != nil {
			fmt.Fprintf(w, "; it declares %s (%s)", printable(f.Declares), printable(f.From.String()))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "\nlimits:")
	for _, l := range e.Limits {
		fmt.Fprintf(w, "  %s: %s (%s)\n", l.Name, l.Value, printable(l.From.String()))
	}
}

// missingLayers are those that isolation kernel has at its highest level and not at this one.
func missingLayers(l isolate.Level) []string {
	has := l.Layers()
	return slices.DeleteFunc(isolate.Maximum.Layers(), func(name string) bool { return slices.Contains(has, name) })
}

// attributesText is text about attributes, empty if there are none.
func attributesText(a *decide.Attributes) string {
	var words []string
	add := func(name string, value any, is bool) {
		if is {
			words = append(words, fmt.Sprintf("%s %v", name, value))
		}
	}
	add("risk", a.Risk, a.Risk != decide.NoRisk)
	add("requires", strings.Join(a.Requires, ", "), len(a.Requires) > 0)
	add("class", a.Class, a.Class != decide.NoClass)
	add("cost", a.Cost, a.Cost != 0)
	add("rate", a.Rate, a.Rate != 0)
	return strings.Join(words, "; ")
}

// policyFile are the options of policy check and explain, whose file is a policy file and not a script.
func (c *call) policyFile(name string, args []string) (*options, error) {
	path := ""
	if o, err := c.parse("policy", args); err == nil {
		path = o.script
	} else if _, e := c.parse("policy", append(args, "-")); e != nil {
		return nil, err
	}
	if path == "" && name == "check" {
		return nil, fmt.Errorf("policy check takes a policy file")
	}
	if path != "" {
		args = append([]string{"--policy=" + path}, args...)
		o := newOptions()
		return o, c.parseInto(o, "policy", args)
	}
	return c.parse("policy", append(args, "-"))
}

// compile makes the plan of the policy. Its errors have the lines of the policy file where they are about the guard.
func (o *options) compile() (*sandtrap.Plan, error) {
	plan, err := sandtrap.Compile(o.policy)
	if err != nil && o.guards != nil && o.guards.Failed != nil {
		return nil, o.guards.Failed
	}
	return plan, err
}

// checkFile says what is wrong in a policy file.
func (c *call) checkFile(args []string) int {
	o, err := c.policyFile("check", args)
	if err == nil {
		_, err = o.compile()
	}
	switch {
	case err != nil:
		return c.usage(err)
	case o.json:
		return c.printObject(map[string]any{"error": nil}, exitOK)
	}
	fmt.Fprintln(c.stdout, "ok")
	return exitOK
}
