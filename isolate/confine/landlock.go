package confine

import (
	"fmt"
	"strings"
)

// A rights is what a version of Landlock in the kernel can forbid, as bits of
// landlock_create_ruleset(2).
type rights struct {
	files, network, scopes uint64
	adds                   string // what this version forbids that the one before could not
}

// abis has a row for each version of Landlock, from 1 on. What a kernel with a later
// version could forbid besides is not known here, and not forbidden.
var abis = []rights{
	{1<<13 - 1, 0, 0, "opening, making and removing files"},
	{1<<14 - 1, 0, 0, "moving files between directories"},
	{1<<15 - 1, 0, 0, "truncating files"},
	{1<<15 - 1, 1<<2 - 1, 0, "binding and connecting TCP sockets"},
	{1<<16 - 1, 1<<2 - 1, 0, "ioctl on devices"},
	{1<<16 - 1, 1<<2 - 1, 1<<2 - 1, "signals and abstract sockets of others"},
}

// atABI is the row for a kernel with the version abi.
func atABI(abi int) (rights, error) {
	if abi < 1 {
		return rights{}, fmt.Errorf("this kernel has no Landlock, or did not start it (version %d)", abi)
	}
	return abis[min(abi, len(abis))-1], nil
}

// made is how the layer was made with version abi: what is not forbidden, empty if that is nothing. dirs is
// how many directories may be read.
func made(abi, dirs int) string {
	var parts []string
	if dirs > 0 {
		parts = append(parts, fmt.Sprintf("but for reading beneath %d directories", dirs))
	}
	if abi < len(abis) {
		var lacks []string
		for _, r := range abis[abi:] {
			lacks = append(lacks, r.adds)
		}
		parts = append(parts, fmt.Sprintf("version %d, which does not forbid: %s", abi, strings.Join(lacks, "; ")))
	}
	return strings.Join(parts, "; ")
}
