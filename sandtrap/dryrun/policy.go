package dryrun

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/guarded"
	"github.com/sandtrap-go/sandtrap/vfs"
)

func policyError(field, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", sandtrap.ErrPolicy, field, fmt.Sprintf(format, args...))
}

func optionError(field, format string, args ...any) error {
	return fmt.Errorf("dryrun: Options.%s: %s", field, fmt.Sprintf(format, args...))
}

// rehearse makes p a policy that does nothing, but for its files. Its guard notes calls in l, and answers them.
func (l *list) rehearse(p *sandtrap.Policy, o *Options) error {
	if len(p.Wrappers) > 0 {
		return policyError("Wrappers", "they are code of the host that runs when a value is passed, and a dry run calls none")
	}
	known, err := closed("", p.Funcs)
	if err != nil {
		return policyError("Funcs", "%v", err)
	}
	for i := range p.Packages {
		errs, err := closed(p.Packages[i].Path+".", p.Packages[i].Members)
		if err != nil {
			return policyError("Packages", "%v", err)
		}
		known = append(known, errs...)
	}
	if l.stubs, err = newStubs(o, known); err != nil {
		return err
	}
	var decides decide.Guard = guarded.Closed{}
	switch own := p.Guard.(type) {
	case nil:
	case interface{ Rehearsal() decide.Guard }:
		decides = own.Rehearsal()
	default:
		return policyError("Guard", "a %T cannot decide without effects: it has no method Rehearsal, as a guard.Policy has", own)
	}
	p.Guard, p.Audit, p.Uncalled = &dryGuard{decides, l}, nil, nil
	return nil
}

// closed is an error for members that scripts use without calling a function. It gives those that are errors.
func closed(prefix string, members map[string]any) (known []error, err error) {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value := members[name]
		if m, ok := value.(sandtrap.Member); ok {
			value = m.Value
		}
		if open := guarded.Open(value); open != "" {
			return nil, fmt.Errorf("%s%s: %s, which no dry run has; make it a function", prefix, name, open)
		}
		if _, isFunction := value.(builtins.Function); isFunction {
			continue
		}
		if own, isError := value.(error); isError {
			known = append(known, own)
		}
	}
	return known, nil
}

// previewed makes the files of p a preview of them, nil if it has none.
func previewed(p *sandtrap.Policy) (*vfs.Preview, error) {
	if p.Files == nil {
		return nil, nil
	}
	files := *p.Files
	base := vfs.MemAt(p.Epoch)
	if files.Open != nil {
		var err error
		if base, err = files.Open(); err != nil {
			return nil, policyError("Files.Open", "%v", err)
		}
	} else if err := base.MkdirAll("/"+files.Cwd, 0o755); err != nil {
		return nil, policyError("Files.Cwd", "%v", err)
	}
	given, err := vfs.Give(files.Paths, files.Secrets)
	if err != nil {
		return nil, policyError("Files.Paths", "%v", err)
	}
	preview, err := vfs.NewPreview(base, given)
	if err != nil {
		return nil, policyError("Files", "%v", err)
	}
	files.Open, files.Paths = preview.Files, nil
	p.Files = &files
	return preview, nil
}
