package cli

import (
	"fmt"

	"github.com/sandtrap-go/sandtrap/sandtrap/tighten"
)

// policyTighten prints the smallest policy for the runs of a record, as a policy file.
func (c *call) policyTighten(args []string) int {
	path, err := c.oneFile("tighten", newFlags("policy"), args)
	if err != nil {
		return c.usage(fmt.Errorf("policy tighten takes the file of a record: %w", err))
	}
	s, err := tighten.PolicyOfFiles(path)
	if isUsage(err) {
		return c.usage(err)
	}
	var text string
	if err == nil {
		text, err = s.Text()
	}
	if err != nil {
		return c.badRecord(err)
	}
	fmt.Fprint(c.stdout, text)
	return exitOK
}
