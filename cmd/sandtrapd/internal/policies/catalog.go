package policies

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/internal/nearest"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A Catalog is the policies of a server. It is safe for concurrent use.
type Catalog struct {
	dir   string       // absolute; empty for none
	store *store.Store // nil if only those of the program are there

	restricts bool // the directory had a file of tenants when it was opened

	put    sync.Mutex // of who changes sent, one at a time
	sender Sender     // of the store; guarded by put

	mu      sync.Mutex
	files   map[string]*snapshot // by name, as they were read last
	adopted map[Ref]string       // texts
	sent    map[string][]string  // by name, who may use the newest version of those of the store
}

// Open reads the policies of a directory, if there is one, and of a store, if it is not nil. Each file NAME.yaml of the directory is one; an error names
// the file that is malformed.
func Open(dir string, st *store.Store) (c *Catalog, err error) {
	c = &Catalog{store: st, files: map[string]*snapshot{}, sent: map[string][]string{}}
	if st != nil {
		if err := c.Share(context.Background(), st); err != nil {
			return nil, err
		}
	}
	if dir == "" {
		return c, nil
	}
	if c.dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	names, err := c.fileNames()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if _, err := c.file(name); err != nil {
			return nil, err
		}
	}
	return c, c.checkTenants(names)
}

// Builtins are the policies of the program alone.
func Builtins() *Catalog { return &Catalog{} }

// name is the form of the name of a policy.
var name = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,62}$`) })

// builtins are the names of the policies of the program.
func builtins() []string { return append([]string{Default}, policyfile.Names()...) }

// aboutDefault is what there is to say of the policy Default.
const aboutDefault = "The standard library, with files in memory and without a network; 5 seconds, 256 MiB."

// Resolve is the name and the version of what a tenant has asked for: a name, or name@version. The result is for Load. For a tenant
// without a name it is one that all may use.
func (c *Catalog) Resolve(ctx context.Context, tenant, asked string) (ref Ref, err error) {
	of, version, versioned := strings.Cut(cmp.Or(asked, Default), "@")
	info, err := c.find(ctx, tenant, of)
	if err != nil {
		return "", err
	}
	if !versioned || version == info.Version {
		return info.Ref(), nil
	}
	if info.Source == store.Sent && version != "" {
		if row, err := c.store.Policy(ctx, of, version); err == nil && row.Source == store.Sent {
			return Ref(of + "@" + version), nil
		} else if err != nil && !errors.Is(err, store.ErrNone) {
			return "", err
		}
	}
	return "", fmt.Errorf("%w version %q; the newest one is %s", ErrUnknown, asked, info.Ref())
}

// find is the policy of a name that a tenant may use.
func (c *Catalog) find(ctx context.Context, tenant, of string) (*Info, error) {
	info, err := c.newest(ctx, tenant, of)
	if !errors.Is(err, ErrUnknown) {
		return info, err
	}
	list, err := c.List(ctx, tenant)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, i := range list {
		names = append(names, i.Name)
	}
	hint := ""
	if near := nearest.Name(of, names); near != "" {
		hint = fmt.Sprintf("; did you mean %q?", near)
	}
	return nil, fmt.Errorf("%w %q%s", ErrUnknown, of, hint)
}

// Everyone stands for all tenants, for who may see the policies of each.
const Everyone = "*"

// Get is the policy of a name as a tenant may see it.
func (c *Catalog) Get(ctx context.Context, tenant, of string) (*Info, error) {
	return c.find(ctx, tenant, of)
}

func (i *Info) allows(tenant string) bool { return mayUse(i.Tenants, tenant) }

// mayUse reports whether a tenant is one of these; without any all are.
func mayUse(tenants []string, tenant string) bool {
	return len(tenants) == 0 || tenant == Everyone || slices.Contains(tenants, tenant)
}

// isSentTo reports that there is a policy of the store that a tenant may use. One of others is not read, so that the time does not tell it
// from one that is not there.
func (c *Catalog) isSentTo(tenant, of string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	tenants, ok := c.sent[of]
	return ok && mayUse(tenants, tenant)
}

// newest is the version of a policy with which a run of a tenant begins now: a file goes before what the program has.
func (c *Catalog) newest(ctx context.Context, tenant, of string) (*Info, error) {
	if !name().MatchString(of) {
		return nil, ErrUnknown
	}
	who, err := c.tenants()
	if err != nil {
		return nil, err
	}
	f, err := c.file(of)
	switch {
	case !mayUse(who[of], tenant):
		return nil, ErrUnknown
	case err != nil:
		return nil, err
	case f != nil:
		return &Info{Name: of, Version: f.version, Source: store.OfFile, About: policyfile.AboutText(f.texts[f.root]), Tenants: who[of]}, nil
	case slices.Contains(builtins(), of):
		return &Info{Name: of, Version: Builtin, Source: Builtin, About: about(of), Tenants: who[of]}, nil
	case !c.isSentTo(tenant, of):
		return nil, ErrUnknown
	}
	row, err := c.store.Policy(ctx, of, "")
	if errors.Is(err, store.ErrNone) {
		return nil, ErrUnknown
	}
	if err != nil {
		return nil, err
	}
	return infoOf(row), nil
}

func about(of string) string {
	if of == Default {
		return aboutDefault
	}
	return cmp.Or(policyfile.About(of), "The preset "+of+" of package sandtrap.")
}

func infoOf(row *store.Policy) *Info {
	return &Info{Name: row.Name, Version: row.Version, Source: row.Source, About: policyfile.AboutText(row.Texts[row.Root]), Tenants: row.Tenants}
}

// maxText bounds the text of a policy that is sent, in bytes.
const maxText = 256 << 10

// Put keeps a text as the newest version of a policy, for these tenants or for all. It was read before as far as it goes without a plan.
func (c *Catalog) Put(ctx context.Context, of, text string, tenants []string) (*Info, error) {
	if !name().MatchString(of) {
		return nil, fmt.Errorf("%w: %q is no name: want letters a to z, digits, and . _ - after the first one, 63 at most", ErrText, of)
	}
	if f, err := c.file(of); err != nil {
		return nil, err
	} else if f != nil || slices.Contains(builtins(), of) {
		return nil, fmt.Errorf("%w: %q is a policy of the server", ErrTaken, of)
	}
	if len(text) > maxText {
		return nil, fmt.Errorf("%w: it is longer than %d bytes", ErrText, maxText)
	}
	p := policyfile.Default()
	if err := policyfile.New(&p).ReadSent(of, []byte(text)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrText, err)
	}
	row := &store.Policy{Name: of, Tenants: tenants, Texts: map[string]string{"": text}, Created: time.Now()}
	c.put.Lock()
	defer c.put.Unlock()
	if err := c.sender.SendPolicy(row); err != nil {
		return nil, err
	}
	return infoOf(row), c.readSent(ctx)
}

// Load reads a version, which Resolve has given, into p.
func (c *Catalog) Load(ctx context.Context, ref Ref, p *sandtrap.Policy) (*policyfile.File, error) {
	of, version, _ := strings.Cut(string(ref), "@")
	*p = policyfile.Default()
	f := policyfile.New(p)
	if version == Builtin {
		if of == Default {
			return f, nil
		}
		return f, f.Extend(of)
	}
	if text, ok := c.adoptedText(ref); ok {
		return f, f.ReadSent(string(ref), []byte(text))
	}
	if c.store == nil {
		return nil, fmt.Errorf("%w %q", ErrUnknown, ref)
	}
	row, err := c.store.Policy(ctx, of, version)
	if err != nil {
		return nil, err
	}
	if row.Source == store.Sent {
		return f, f.ReadSent(string(ref), []byte(row.Texts[row.Root]))
	}
	f.Open = func(path string) ([]byte, error) {
		text, ok := row.Texts[path]
		if !ok {
			return nil, fmt.Errorf("%s was not kept", path)
		}
		return []byte(text), nil
	}
	return f, f.Read(row.Root)
}

// OfFile reports that a version is of a file of the directory.
func (c *Catalog) OfFile(ref Ref) bool {
	of, version, _ := strings.Cut(string(ref), "@")
	if c.store == nil {
		return false
	}
	row, err := c.store.Policy(context.Background(), of, version)
	return err != nil || row.Source == store.OfFile // in doubt it is
}

// Text is the text of the newest version of a policy that was sent, or of another one of its versions.
func (c *Catalog) Text(ctx context.Context, of, version string) (string, error) {
	if c.store == nil {
		return "", fmt.Errorf("%w %q", ErrUnknown, of)
	}
	row, err := c.store.Policy(ctx, of, version)
	if err != nil {
		return "", err
	}
	return row.Texts[row.Root], nil
}
