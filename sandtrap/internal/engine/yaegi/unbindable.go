package yaegi

import (
	"strings"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// needTasks are members that need goroutines, or a scheduler that wakes them.
var needTasks = map[string]bool{
	"sync.WaitGroup.Go": true,
	"time.After":        true, "time.AfterFunc": true, "time.NewTicker": true, "time.NewTimer": true, "time.Tick": true,
	"context.AfterFunc": true, "context.WithDeadline": true, "context.WithDeadlineCause": true,
	"context.WithTimeout": true, "context.WithTimeoutCause": true,
}

// goroutines are the functions that have to know those of the script, of which the
// interpreter keeps no account.
var goroutines = map[string]bool{"runtime.Goexit": true, "runtime.NumGoroutine": true, "io.Pipe": true}

// shared are the members that lead to elements of memory that the process shares. The interpreter
// writes to them as compiled code would, and asks nobody.
var shared = map[string]bool{"hash/crc32.IEEETable": true, "hash/crc32.MakeTable": true, "hash/crc64.MakeTable": true}

// unbindable refuses the uses of host functions that cannot have a value here:
// those that need a stack of their own or another goroutine, those of reflect, which
// would look into the interpreter's values, those by which a script could write to what all share, and instances for types of the script, which are no types of the host's.
func unbindable(u *unit, host engine.TypeOf) diag.Rejections {
	var out diag.Rejections
	for _, b := range u.bindings {
		if name := b.Path + "." + b.Owner + "." + b.Name; b.Standard && needTasks[strings.ReplaceAll(name, "..", ".")] {
			out = append(out, refusal(u, b.Pos, "start goroutines"))
			continue
		}
		if b.Standard && shared[b.Path+"."+b.Name] {
			out = append(out, refusal(u, b.Pos, "keep a script from writing to "+b.String()))
			continue
		}
		if b.Path == "reflect" && b.Standard && b.Kind != abi.BindConst && b.Kind != abi.BindType {
			out = append(out, refusal(u, b.Pos, "show of values what the policy does, by "+b.String()))
			continue
		}
		if b.Standard && (b.Path == "iter" || goroutines[b.Path+"."+b.Name]) && b.Kind == abi.BindFunc {
			out = append(out, refusal(u, b.Pos, "run "+b.String()))
			continue
		}
		for _, t := range b.TypeArgs {
			if _, err := host(t); err != nil {
				out = append(out, refusal(u, b.Pos, "use "+b.String()+", which has a type of the script"))
				break
			}
		}
	}
	return out
}
