package sandtrap

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/isolate"
)

// A Hole is a way past the wall around scripts that a policy makes.
type Hole struct {
	Cause string // the field of Policy, and what in it: "Files.Paths /data:rw"
	Opens string // what there is because of it, for people
}

// Explain lists what the policy opens, in the order of the fields of Policy: what the host does for
// scripts, and what a worker may do itself or is not kept from. Without any of it a script can
// but compute, for as long and with as much as Limits allow, and print.
func (p *Plan) Explain() []Hole {
	var holes []Hole
	for _, row := range holeRows {
		for _, h := range row.holes(p) {
			h.Cause = strings.TrimSuffix(row.field+" "+h.Cause, " ")
			holes = append(holes, h)
		}
	}
	return holes
}

// holeRows has the fields of Policy that can open anything. Each gives holes whose Cause is what
// in the field it is.
var holeRows = []struct {
	field string
	holes func(*Plan) []Hole
}{
	{"Std", (*Plan).stdHoles},
	{"Packages", func(p *Plan) (holes []Hole) {
		for _, pkg := range p.policy.Packages {
			holes = append(holes, Hole{pkg.Path, "the host runs its functions and methods, and shares its variables" + granted(pkg.Network, pkg.HostFiles)})
		}
		return holes
	}},
	{"Funcs", func(p *Plan) (holes []Hole) {
		for _, name := range slices.Sorted(maps.Keys(p.policy.Funcs)) {
			m, _ := p.policy.Funcs[name].(Member)
			holes = append(holes, Hole{name, "the host runs it, or shares it if it is a value" + granted(m.Network, m.HostFiles)})
		}
		return holes
	}},
	{"Files.Open", func(p *Plan) []Hole {
		return whole(p.policy.Files != nil, "files of the file system that it returns, which the host reads and changes for scripts, within Files.Quota")
	}},
	{"Files.Paths", (*Plan).pathHoles},
	{"Files.ModuleRoot", func(p *Plan) []Hole {
		if p.policy.Files == nil || p.policy.Files.ModuleRoot == "" {
			return nil
		}
		return []Hole{{p.policy.Files.ModuleRoot, "source below it is imported, under the rules of the script"}}
	}},
	{"Env", func(p *Plan) []Hole {
		return whole(p.policy.Env != nil, fmt.Sprintf("%d variables to read, and to change for the run itself", len(p.policy.Env)))
	}},
	{"Wrappers", func(p *Plan) []Hole {
		return whole(len(p.policy.Wrappers) > 0, "the host has methods of scripts called, on the time and memory of the run")
	}},
	{"Isolation", func(p *Plan) []Hole {
		switch p.policy.Isolation {
		case None:
			return []Hole{{string(None), "no wall: who finds a defect of the engine is in the process of the host"}}
		case Process:
			return []Hole{{string(Process), "no wall: who finds a defect of the engine has all that the user of the host may do"}}
		}
		return nil
	}},
	{"Level", func(p *Plan) []Hole {
		all, has := isolate.Maximum.Layers(), isolate.Level(p.policy.Level).Layers()
		all = slices.DeleteFunc(all, func(layer string) bool { return slices.Contains(has, layer) })
		if p.policy.Isolation != Kernel || len(all) == 0 {
			return nil
		}
		return []Hole{{string(p.policy.Level), "the worker runs without " + strings.Join(all, ", ")}}
	}},
	{"Audit", func(p *Plan) []Hole {
		return whole(p.policy.Audit != nil, "a worker that makes a forbidden system call goes on, with an error of the kernel's")
	}},
	{"AllowDegraded", func(p *Plan) []Hole {
		return whole(p.policy.AllowDegraded && p.policy.Isolation != None, "scripts run where layers are missing; Result.Isolation says which")
	}},
}

// pathHoles are directories of the host.
func (p *Plan) pathHoles() (holes []Hole) {
	for _, g := range p.given {
		h := Hole{g.Path, "what is below it to read"}
		if p.policy.Isolation != None {
			h.Opens += ", by the worker itself: the kernel lets it open files there, by a descriptor, and no others"
		}
		if g.Write {
			h.Cause += ":rw"
			h.Opens += "; the host changes it for scripts, within Files.Quota"
		}
		holes = append(holes, h)
	}
	return holes
}

// stdHoles are standard packages with functions that tell of this machine.
func (p *Plan) stdHoles() (holes []Hole) {
	paths := p.table.Paths()
	for _, pkg := range builtins.Std() {
		if !p.table.Standard(pkg.Path) || !slices.Contains(paths, pkg.Path) {
			continue
		}
		needs := slices.DeleteFunc(pkg.Needs(), ofPolicy)
		if len(needs) > 0 {
			holes = append(holes, Hole{pkg.Path, "functions that need: " + strings.Join(needs, ", ")})
		}
	}
	return holes
}

func granted(network, hostFiles bool) string {
	if words := strings.Fields(grants(network, hostFiles)); len(words) > 0 {
		return "; granted: " + strings.Join(words, ", ")
	}
	return ""
}

// whole is a hole that is all of a field, if it is there.
func whole(open bool, what string) []Hole {
	if !open {
		return nil
	}
	return []Hole{{"", what}}
}
