package vfs

import (
	"io/fs"
	"sync"
)

// Identities number files, so that somebody else can tell whether two infos are of the same file. The last of
// them are remembered: an older file is another one for it. The zero value is ready; it is safe for concurrent use.
type Identities struct {
	mu    sync.Mutex
	last  uint64
	infos [256]fs.FileInfo // by their numbers
}

// Number is that of i's file, never 0.
func (l *Identities) Number(i fs.FileInfo) uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	size := uint64(len(l.infos))
	for n := l.last; n > 0 && n+size > l.last; n-- {
		if SameFile(l.infos[n%size], i) {
			return n
		}
	}
	l.last++
	l.infos[l.last%size] = i
	return l.last
}
