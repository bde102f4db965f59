package cli

import (
	"fmt"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// policy prints a preset as a file that --policy reads.
func (c *call) policy(args []string) int {
	if len(args) != 1 {
		return c.usage(fmt.Errorf("policy takes the name of a preset: %s", strings.Join(sandtrap.Presets(), ", ")))
	}
	p, err := sandtrap.Preset(args[0])
	if err != nil {
		return c.usage(err)
	}
	fmt.Fprint(c.stdout, policyText(p))
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
	return fmt.Sprintf("limits:\n%secho: %s\nfs: %s\nstd: [%s]\n", limitsText(&p.Limits), echo, files, strings.Join(p.Std, ", "))
}
