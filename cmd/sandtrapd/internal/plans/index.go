package plans

import "github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/search"

// Index is an index of what the policy and its tools add to Go: the names that need no import, and the packages of the host. It is made once,
// when it is asked for.
func (b *Box) Index() (*search.Index, error) { return b.index() }

func (b *Box) makeIndex() (*search.Index, error) {
	decls := map[string]string{}
	for _, own := range b.Policy.Packages {
		decls[own.Path] = ""
	}
	if len(b.Policy.Funcs) > 0 {
		decls[""] = ""
	}
	for path := range decls {
		text, err := b.plan.Declarations(path, nil)
		if err != nil {
			return nil, err
		}
		decls[path] = text
	}
	return search.New(decls)
}
