package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/internal/explain"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

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
	e, err := explain.Of(explain.Policy{File: o.file, Guard: o.guards, Plan: plan, Tools: o.tools.Name})
	switch {
	case err != nil:
		return c.usage(err)
	case o.json:
		return c.printObject(e, exitOK)
	}
	printExplanation(c.stdout, e)
	return exitOK
}

// printExplanation prints it for people.
func printExplanation(w io.Writer, e *explain.Explanation) {
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
