package vfs

import "io/fs"

// A shrink is what makes a file smaller or takes it away, while it does, and so gives back a part of the
// quota.
type shrink struct {
	st   fs.FileInfo
	at   string
	done chan struct{}
}

// lookAgain is how often a file is looked for again that is another one each time: a worker is told so of one whose
// file system, in the host, cannot tell.
const lookAgain = 8

// shrinks is for who gives back what he finds with look at a path. Until end nobody else does it for that
// file: two at a time would give back the same. Others are not waited for, because a file system of the host's
// may not come back.
func (v *Volume) shrinks(at string, look func() (fs.FileInfo, error)) (st fs.FileInfo, end func(), err error) {
	for tries := 0; ; tries++ {
		before, err := look()
		if err != nil {
			return nil, nil, err
		}
		mine, other := v.claim(before, at)
		if other != nil {
			<-other.done
			continue
		}
		st, err := look() // it may have got smaller before it was claimed
		if err == nil && (tries == lookAgain || sameFile(before, st, at, at)) {
			return st, func() { v.unclaim(mine) }, nil
		}
		v.unclaim(mine)
		if err != nil {
			return nil, nil, err
		}
	}
}

func (v *Volume) claim(st fs.FileInfo, at string) (mine, other *shrink) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for s := range v.shrinking {
		if sameFile(s.st, st, s.at, at) {
			return nil, s
		}
	}
	if v.shrinking == nil {
		v.shrinking = map[*shrink]bool{}
	}
	mine = &shrink{st, at, make(chan struct{})}
	v.shrinking[mine] = true
	return mine, nil
}

func (v *Volume) unclaim(s *shrink) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.shrinking, s)
	close(s.done)
}
