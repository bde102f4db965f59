package cli

import (
	"fmt"
	"strings"
	"time"

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
	l, files, echo := p.Limits, "none", sandtrap.EchoNone
	if p.Files != nil {
		files = "mem"
	}
	if p.Echo != "" {
		echo = p.Echo
	}
	return fmt.Sprintf("limits:\n  timeout: %s\n  ticks: %d\n  memory: %s\n  output: %s\n  tasks: %d\n  depth: %d\necho: %s\nfs: %s\nstd: [%s]\n",
		durationText(l.Timeout), l.Ticks, sizeText(l.Memory), sizeText(l.Output), l.Tasks, l.Depth, echo, files, strings.Join(p.Std, ", "))
}

func durationText(d time.Duration) string {
	if d == sandtrap.Forever {
		return "0"
	}
	return d.String()
}
