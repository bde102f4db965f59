package sandtrap

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/isolate"
)

// An Exposure is access to something outside of the sandbox that a policy gives scripts.
type Exposure struct {
	Cause string // the field of Policy, and what in it: "Files.Paths /data:rw"
	Opens string // what it gives access to, for people
}

// Explain lists what the policy gives access to, in the order of the fields of Policy: what the
// host does for scripts, and what a worker may do itself or is not prevented from doing. If the
// list is empty a script can only compute, within Limits, and print.
func (p *Plan) Explain() []Exposure {
	var exposures []Exposure
	for _, row := range exposureRows {
		for _, h := range row.exposures(p) {
			h.Cause = strings.TrimSuffix(row.field+" "+h.Cause, " ")
			exposures = append(exposures, h)
		}
	}
	return exposures
}

// exposureRows has the fields of Policy that can open anything. Each gives exposures whose Cause is what
// in the field it is.
var exposureRows = []struct {
	field     string
	exposures func(*Plan) []Exposure
}{
	{"Std", (*Plan).stdExposures},
	{"Packages", func(p *Plan) (exposures []Exposure) {
		for _, pkg := range p.policy.Packages {
			exposures = append(exposures, Exposure{pkg.Path, "the host runs its functions and methods, and shares its variables" + granted(pkg.Network, pkg.HostFiles)})
		}
		return exposures
	}},
	{"Funcs", func(p *Plan) (exposures []Exposure) {
		for _, name := range slices.Sorted(maps.Keys(p.policy.Funcs)) {
			m, _ := p.policy.Funcs[name].(Member)
			exposures = append(exposures, Exposure{name, "the host runs it, or shares it if it is a value" + granted(m.Network, m.HostFiles)})
		}
		return exposures
	}},
	{"Files.Open", func(p *Plan) []Exposure {
		return whole(p.policy.Files != nil, "files of the file system that it returns, which the host reads and changes for scripts, within Files.Quota")
	}},
	{"Files.Paths", (*Plan).pathExposures},
	{"Files.Secrets", func(p *Plan) []Exposure {
		return whole(p.policy.Files != nil && p.policy.Files.Secrets, "files with keys, passwords and tokens are there in Files.Paths")
	}},
	{"Files.ModuleRoot", func(p *Plan) []Exposure {
		if p.policy.Files == nil || p.policy.Files.ModuleRoot == "" {
			return nil
		}
		return []Exposure{{p.policy.Files.ModuleRoot, "source below it is imported, under the rules of the script"}}
	}},
	{"Env", func(p *Plan) []Exposure {
		return whole(p.policy.Env != nil, fmt.Sprintf("%d variables to read, and to change for the run itself", len(p.policy.Env)))
	}},
	{"Network", func(p *Plan) []Exposure {
		return whole(p.policy.Network != nil, "requests by package net/http, which the gate of the host makes if its policy lists them")
	}},
	{"Wrappers", func(p *Plan) []Exposure {
		return whole(len(p.policy.Wrappers) > 0, "the host has methods of scripts called, on the time and memory of the run")
	}},
	{"Isolation", func(p *Plan) []Exposure {
		switch p.policy.Isolation {
		case None:
			return []Exposure{{string(None), "no wall: who finds a defect of the engine is in the process of the host"}}
		case Process:
			return []Exposure{{string(Process), "no wall: who finds a defect of the engine has all that the user of the host may do"}}
		}
		return nil
	}},
	{"Level", func(p *Plan) []Exposure {
		all, has := isolate.Maximum.Layers(), isolate.Level(p.policy.Level).Layers()
		all = slices.DeleteFunc(all, func(layer string) bool { return slices.Contains(has, layer) })
		if p.policy.Isolation != Kernel || len(all) == 0 {
			return nil
		}
		return []Exposure{{string(p.policy.Level), "the worker runs without " + strings.Join(all, ", ")}}
	}},
	{"Audit", func(p *Plan) []Exposure {
		return whole(p.policy.Audit != nil, "a worker that makes a forbidden system call goes on, with an error of the kernel's")
	}},
	{"AllowDegraded", func(p *Plan) []Exposure {
		return whole(p.policy.AllowDegraded && p.policy.Isolation != None, "scripts run where layers are missing; Result.Isolation says which")
	}},
}

// pathExposures are directories of the host.
func (p *Plan) pathExposures() (exposures []Exposure) {
	for _, g := range p.given {
		h := Exposure{g.Path, "what is below it to read"}
		if !g.Whole {
			h.Opens += ", but for secrets such as .env and keys"
		}
		if p.policy.Isolation == Kernel && !p.guards.Files {
			h.Opens += ", by the worker itself: the kernel lets it open files there, of any name, by a descriptor, and no others"
		}
		if g.Write {
			h.Cause += ":rw"
			h.Opens += "; the host changes it for scripts, within Files.Quota"
		}
		exposures = append(exposures, h)
	}
	return exposures
}

// stdExposures are standard packages with functions that tell of this machine.
func (p *Plan) stdExposures() (exposures []Exposure) {
	paths := p.table.Paths()
	for _, pkg := range builtins.Std() {
		if !p.table.Standard(pkg.Path) || !slices.Contains(paths, pkg.Path) {
			continue
		}
		needs := slices.DeleteFunc(pkg.Needs(), func(need string) bool { return ofPolicy(need) || need == grantNetwork })
		if len(needs) > 0 {
			exposures = append(exposures, Exposure{pkg.Path, "functions that need: " + strings.Join(needs, ", ")})
		}
	}
	return exposures
}

func granted(network, hostFiles bool) string {
	if words := strings.Fields(grants(network, hostFiles)); len(words) > 0 {
		return "; granted: " + strings.Join(words, ", ")
	}
	return ""
}

// whole is a hole that is all of a field, if it is there.
func whole(open bool, what string) []Exposure {
	if !open {
		return nil
	}
	return []Exposure{{"", what}}
}
