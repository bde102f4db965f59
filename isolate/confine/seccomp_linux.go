package confine

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"unsafe"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// policy is the tables as the library takes them, for this process.
func (p *process) policy() seccomp.Policy {
	allowed := seccomp.SyscallGroup{Action: seccomp.ActionAllow}
	for _, c := range p.allCalls() {
		if len(c.args) == 0 {
			allowed.Names = append(allowed.Names, c.name)
			continue
		}
		row := seccomp.NameWithConditions{Name: c.name}
		for _, a := range c.args {
			row.Conditions = append(row.Conditions, seccomp.Condition{
				Argument: a.index, Operation: seccomp.Equal, Value: p.value(a.equal),
			})
		}
		allowed.NamesWithCondtions = append(allowed.NamesWithCondtions, row)
	}
	groups := []seccomp.SyscallGroup{allowed}
	for _, pr := range p.allProbes() {
		errno := seccomp.Action(unix.SECCOMP_RET_ERRNO | uint32(pr.errno))
		groups = append(groups, seccomp.SyscallGroup{Action: errno, Names: []string{pr.name}})
	}
	return seccomp.Policy{DefaultAction: otherCalls, Syscalls: groups}
}

// otherCalls is what the library is told for calls that are in no table. It knows of no
// handing over, so finish puts in what is meant.
const otherCalls = seccomp.ActionTrap

// allCalls is the table for this process.
func (p *process) allCalls() []call {
	switch {
	case p.spawns:
		return spawnerCalls()
	case len(p.dirs) > 0:
		return slices.Concat(calls, linkedCalls, dirCalls)
	}
	return slices.Concat(calls, linkedCalls)
}

func (p *process) allProbes() []probe {
	switch {
	case p.spawns:
		return nil
	case len(p.dirs) > 0:
		return slices.Concat(probes, dirProbes)
	}
	return probes
}

func (p *process) value(v value) uint64 {
	switch v.of {
	case ownPid:
		return uint64(os.Getpid())
	case ownEpoll:
		return uint64(p.epoll)
	case ownEvent:
		return uint64(p.event)
	}
	return v.number
}

// filter installs the table on all threads, and checks the kernel's answer: a call
// that could not change each thread says so by the number of one, and has changed none.
func filter(p *process, profile posture.Profile) error {
	if err := p.settle(profile.Memory); err != nil {
		return err
	}
	if len(p.dirs) > 0 {
		p.reasons[posture.Seccomp] = "with calls that open and read files"
	}
	p.audit = profile.Audit
	program, err := p.assemble()
	if err != nil {
		return err
	}
	return p.install(program)
}

// install gives all threads the filter. With an audit the kernel's answer is the descriptor of
// those who listen, and a thread that could not be changed is an error.
func (p *process) install(program []unix.SockFilter) error {
	fprog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	flags := uintptr(unix.SECCOMP_FILTER_FLAG_TSYNC)
	if p.audit {
		flags |= unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_TSYNC_ESRCH
	}
	answer, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&fprog)))
	switch {
	case errno != 0:
		return errno
	case p.audit:
		p.listener = int(answer)
	case answer != 0:
		return fmt.Errorf("thread %d could not be given the filter", answer)
	}
	return nil
}

// assemble makes the program of the tables.
func (p *process) assemble() ([]unix.SockFilter, error) {
	policy := p.policy()
	list, err := policy.Assemble()
	if err != nil {
		return nil, err
	}
	raw, err := bpf.Assemble(p.finish(list))
	if err != nil {
		return nil, err
	}
	if len(raw) == 0 {
		return nil, errors.New("the filter is empty")
	}
	program := make([]unix.SockFilter, len(raw))
	for i, r := range raw {
		program[i] = unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K}
	}
	return program, nil
}

// finish has calls of the x32 interface end the process, which the library would answer, and
// so calls that are in no table, or hands them to the host. To a spawner there are no such calls.
func (p *process) finish(list []bpf.Instruction) []bpf.Instruction {
	const enosys = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	for i, in := range list {
		ret, ok := in.(bpf.RetConstant)
		switch {
		case !ok:
		case ret.Val == uint32(otherCalls) && p.spawns:
			list[i] = bpf.RetConstant{Val: enosys}
		case ret.Val == uint32(otherCalls) && p.audit:
			list[i] = bpf.RetConstant{Val: unix.SECCOMP_RET_USER_NOTIF}
		case ret.Val == uint32(otherCalls), ret.Val == enosys:
			list[i] = bpf.RetConstant{Val: unix.SECCOMP_RET_KILL_PROCESS}
		}
	}
	return list
}
