package engine

import "sync"

// registry has the engines that packages registered, by their names. It is written by their initialisers.
var registry sync.Map

// Register makes an engine known by its name. It panics if there is one of that name.
func Register(e Engine) {
	if _, there := registry.LoadOrStore(e.Name(), e); there {
		panic("engine: " + e.Name() + " is registered twice")
	}
}

// Registered is the engine of that name, nil if none was registered. It is safe for concurrent use.
func Registered(name string) Engine {
	if e, ok := registry.Load(name); ok {
		return e.(Engine)
	}
	return nil
}
