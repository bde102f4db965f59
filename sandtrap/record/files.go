package record

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/filelock"
)

// open opens the file at the path of l, locked, and finds the end of its chain.
func (l *Log) open() error {
	older, err := l.lock()
	if err != nil {
		return err
	}
	info, err := l.file.Stat()
	if err != nil {
		return err
	}
	if err := l.file.Chmod(0o600); err != nil {
		return err
	}
	var signed *Checkpoint
	if l.o.Key != nil {
		if signed, err = signedBefore(l.path, l.o.Key.verifier); err != nil {
			return err
		}
	}
	if info.Size() > 0 {
		return l.goOn(info.Size(), signed)
	}
	switch {
	case len(older) > 0:
		return fmt.Errorf("it is empty or missing, but %s has an earlier part of it", older[len(older)-1])
	case signed != nil:
		return fmt.Errorf("it is empty or missing, but its checkpoint signs %d lines", signed.Lines)
	}
	return l.begin(l.file, 1)
}

// lock opens and locks the file, and gives the names of earlier files.
func (l *Log) lock() (older []string, err error) {
	for {
		// Not to be held up by a pipe that nobody reads.
		if info, err := os.Stat(l.path); err == nil && !info.Mode().IsRegular() {
			return nil, errors.New("not a regular file")
		}
		if l.file, err = os.OpenFile(l.path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600); err != nil {
			return nil, err
		}
		if err := filelock.TryLock(l.file); err != nil {
			return nil, fmt.Errorf("another Log has it open: %w", err)
		}
		if older, err = olderFiles(l.path); err != nil {
			return nil, err
		}
		ours, err := l.file.Stat()
		if err != nil {
			return nil, err
		}
		now, err := os.Stat(l.path)
		if err == nil && os.SameFile(ours, now) {
			older, twin, err := withoutTwin(older, ours)
			if twin != "" {
				err = os.Remove(twin)
			}
			return older, err
		}
		// It was renamed between being opened and locked.
		_ = l.file.Close()
	}
}

// withoutTwin is older without the second name of the file, which a process leaves that is killed while it begins a new one.
func withoutTwin(older []string, file os.FileInfo) (others []string, twin string, err error) {
	if n := len(older) - 1; n >= 0 {
		if last, err := os.Stat(older[n]); err != nil {
			return nil, "", err
		} else if os.SameFile(last, file) {
			return older[:n], older[n], nil
		}
	}
	return older, "", nil
}

// begin writes the first line of a new file and makes that the file of l. First is the line with which the oldest file begins.
func (l *Log) begin(f *os.File, first int64) error {
	text, next, err := l.coder.encode(l.chain, &Event{Time: time.Now(), Kind: KindFile, Process: os.Getpid()}, first)
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	l.file, l.size, l.chain, l.only = f, int64(len(text)), next, true
	if l.signed == 0 {
		return l.checkpoint()
	}
	return nil
}

// rotate gives the file of l another name and begins a new one. There is always a file at the path: another process that
// opens it finds it locked.
func (l *Log) rotate() error {
	if err := l.checkpoint(); err != nil {
		return err
	}
	older, err := olderFiles(l.path)
	if err != nil {
		return err
	}
	number := 1
	if len(older) > 0 {
		number = fileNumber(l.path, older[len(older)-1]) + 1
	}
	name := l.path + "." + strconv.Itoa(number)
	older = append(older, name)
	if err := os.Link(l.path, name); err != nil {
		return err
	}
	var dropped []string
	if extra := len(older) - l.o.Keep; l.o.Keep > 0 && extra > 0 {
		dropped, older = older[:extra], older[extra:]
	}
	first, err := firstLine(older[0])
	if err != nil {
		return err
	}
	if err := l.replace(first); err != nil {
		return err
	}
	for _, name := range dropped {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// replace puts a new file in place of that of l.
func (l *Log) replace(first int64) error {
	was := l.file
	f, err := createNew(l.path)
	if err != nil {
		return err
	}
	if err := filelock.TryLock(f); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := l.begin(f, first); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := os.Rename(f.Name(), l.path); err != nil {
		return errors.Join(err, was.Close())
	}
	return was.Close()
}

// olderFiles are the names of the files that were at path before, oldest first.
func olderFiles(path string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if name := filepath.Join(filepath.Dir(path), e.Name()); fileNumber(path, name) > 0 {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return fileNumber(path, a) - fileNumber(path, b) })
	return names, nil
}

// fileNumber is the number at the end of the name of an earlier file, 0 if it is none.
func fileNumber(path, name string) int {
	number, ok := strings.CutPrefix(filepath.Base(name), filepath.Base(path)+".")
	n, err := strconv.Atoi(number)
	if !ok || err != nil || n < 1 || strconv.Itoa(n) != number {
		return 0
	}
	return n
}

// firstLine is the number of the first line of a file.
func firstLine(name string) (int64, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	text, err := bufio.NewReaderSize(f, maxText).ReadSlice('\n')
	if err != nil {
		return 0, fmt.Errorf("%s: its first line is not that of a record", name)
	}
	l, _, _, err := new(coder).parse(text[:len(text)-1])
	return l.N, err
}
