// Package yaegi makes the engine "yaegi" known to sandtrap.Policy.Engine, as drivers of database/sql are
// made known: a host that wants the engine imports this package for its effect.
//
//	import _ "github.com/sandtrap-go/sandtrap/sandtrap/yaegi"
//
// With isolation process or kernel the worker's executable imports it too. Programs that do not import it
// do not link the interpreter, which takes about a tenth of their size.
//
// It may not contain code beside the registration.
package yaegi

import (
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/yaegi"
)

func init() { engine.Register(yaegi.Engine{}) }
