package cli

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/sandtrap-go/sandtrap/cmd/internal/doctor"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// doctor tries each isolation, and says of each layer what became of it. It is fine if
// isolation kernel lacks nothing.
func (c *call) doctor(args []string) int {
	flags := flag.NewFlagSet("doctor", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() { c.help([]string{"doctor"}) }
	asJSON := flags.Bool("json", false, "")
	if err := flags.Parse(args); err != nil {
		return c.usage(err)
	}
	if flags.NArg() > 0 {
		return c.usage(fmt.Errorf("doctor takes no arguments but --json"))
	}
	var all []doctor.Diagnosis
	code := exitIsolation
	for _, mode := range []sandtrap.Isolation{sandtrap.None, sandtrap.Process, sandtrap.Kernel} {
		d := doctor.Diagnose(context.Background(), mode)
		if !*asJSON {
			d.Print(c.stdout)
		}
		all = append(all, d)
		if mode == sandtrap.Kernel && d.Available {
			code = exitOK
		}
	}
	if *asJSON {
		return c.printObject(map[string]any{"isolations": all}, code)
	}
	return code
}
