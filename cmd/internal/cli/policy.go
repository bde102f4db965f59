package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// policy is about policy files.
func (c *call) policy(args []string) int {
	if len(args) == 0 {
		return c.usage(errors.New("policy takes one of init, check, explain, tighten"))
	}
	switch args[0] {
	case "init":
		return c.policyInit(args[1:])
	case "check":
		return c.checkFile(args[1:])
	case "explain":
		return c.explainFile(args[1:])
	case "tighten":
		return c.policyTighten(args[1:])
	}
	return c.usage(fmt.Errorf("no policy %s%s; there are init, check, explain, tighten", args[0], didYouMean(args[0], []string{"init", "check", "explain", "tighten"})))
}

// policyInit prints a policy file that --policy reads.
func (c *call) policyInit(args []string) int {
	p := policyfile.Default()
	f := policyfile.New(&p)
	switch len(args) {
	case 0:
	case 1:
		if err := f.Extend(args[0]); err != nil {
			return c.usage(err)
		}
	default:
		return c.usage(fmt.Errorf("policy init takes the name of a profile or preset: %s", strings.Join(policyfile.Names(), ", ")))
	}
	fmt.Fprint(c.stdout, policyText(p)+policyfile.GuardText(strings.Join(args, "")))
	return exitOK
}

// policyText has all that a preset may say, so that nothing is as the command has it.
func policyText(p sandtrap.Policy) string {
	files, echo := "none", sandtrap.EchoNone
	if p.Files != nil {
		files = "mem"
	}
	if p.Echo != "" {
		echo = p.Echo
	}
	return fmt.Sprintf("limits:\n%secho: %s\nfs: %s\nstd: [%s]\n", policyfile.LimitsText(&p.Limits), echo, files, strings.Join(p.Std, ", ")) +
		"network: {mode: none} # or, for example, {rules: [\"GET https://api.example.com/v1/*\"]}\n"
}
