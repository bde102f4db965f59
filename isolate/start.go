package isolate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

const (
	grace   = 100 * time.Millisecond // for a job to end when it is told to
	startup = 15 * time.Second       // for a worker to be ready, on a machine that does much else
)

// Start starts a worker and returns when it is locked down. If that is not possible, the
// error is a *MissingError, which names each missing layer.
func Start(ctx context.Context, spec Spec) (*Worker, error) {
	if spec.Path == "" && !serves.Load() {
		return nil, ErrNoWorker
	}
	if len(spec.Dirs) > MaxDirs {
		return nil, fmt.Errorf("isolate: %d directories are more than %d", len(spec.Dirs), MaxDirs)
	}
	rows, err := spec.Level.rows()
	if err != nil {
		return nil, err
	}
	if spec.CPU > 0 {
		rows = append(rows, cpu)
	}
	if spec.ReadRate > 0 {
		rows = append(rows, reads)
	}
	missing := []posture.Layer{}
	for {
		w, err := start(ctx, spec, rows, missing)
		var lack *MissingError
		if err == nil || !errors.As(err, &lack) {
			return w, err
		}
		missing = append(missing, lack.Layers...)
		because(missing)
		rest := slices.DeleteFunc(slices.Clone(rows), func(row layer) bool { return contains(missing, row.name) })
		if !spec.AllowDegraded || len(rest) == len(rows) {
			return nil, &MissingError{missing}
		}
		rows = rest
	}
}

func contains(list []posture.Layer, name string) bool {
	return slices.ContainsFunc(list, func(l posture.Layer) bool { return l.Name == name })
}

// start starts a worker with the layers of rows and no others.
func start(ctx context.Context, spec Spec, rows []layer, missing []posture.Layer) (*Worker, error) {
	if lack := unfounded(rows, left(spec, rows)); len(lack) > 0 {
		return nil, &MissingError{lack}
	}
	p, socket, err := spawn(spec, rows)
	if err != nil {
		return nil, err
	}
	w := &Worker{
		proc: p, socket: socket, conn: wire.NewConn(socket), room: spec.room(), frames: spec.Frames,
		closed: make(chan struct{}), messages: make(chan *wire.Message, 1), // each may be as large as a frame
	}
	w.conn.Bound(w.holds)
	go w.receive()
	if err := w.prepare(ctx, spec, rows); err != nil {
		w.Close()
		return nil, err
	}
	w.ready.Store(true)
	w.status = append(w.status, missing...)
	return w, nil
}

// left says which rows a test has taken away.
func left(spec Spec, rows []layer) []posture.Layer {
	lack := []posture.Layer{}
	for _, row := range rows {
		if slices.Contains(spec.without, row.name) {
			lack = append(lack, posture.Layer{Name: row.name, State: posture.Missing, Reason: "left out"})
		}
	}
	return lack
}

// unfounded adds to lack the rows that need what is not there, or what lacks. They are not tried:
// whoever makes a root without a mount namespace makes it for all processes of this machine.
func unfounded(rows []layer, lack []posture.Layer) []posture.Layer {
	for _, row := range rows { // each after what it needs
		has := func(r layer) bool { return r.name == row.needs && !contains(lack, r.name) }
		if row.needs != "" && !contains(lack, row.name) && !slices.ContainsFunc(rows, has) {
			lack = append(lack, posture.Layer{Name: row.name, State: posture.Missing, Reason: "it needs " + row.needs})
		}
	}
	return lack
}

// prepare tells the worker what to become, and checks that it has.
func (w *Worker) prepare(ctx context.Context, spec Spec, rows []layer) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startup, fmt.Errorf("%v were not enough", startup))
	defer cancel()
	var hello wire.Greeting
	if err := w.expect(ctx, wire.Hello, &hello); err != nil {
		return err
	}
	if hello.Version != wire.Version {
		return fmt.Errorf("%w: it speaks version %d of the protocol, this host version %d", ErrWorker, hello.Version, wire.Version)
	}
	profile := posture.Profile{Memory: spec.Memory, Frames: spec.Frames, Audit: spec.Audit != nil, Dirs: len(spec.Dirs)}
	for _, row := range rows {
		if !row.host {
			profile.Layers = append(profile.Layers, row.name)
		}
	}
	body, err := wire.Encode(profile)
	if err != nil {
		return err
	}
	if err := w.conn.Send(&wire.Message{Kind: wire.Prepare, Body: body}); err != nil {
		return w.death(err)
	}
	held, err := w.proc.hold(spec, rows) // while it locks itself down
	if err != nil {
		return err
	}
	var report posture.Report
	if err := w.expect(ctx, wire.Ready, &report); err != nil {
		return err
	}
	if err := w.verify(rows, append(held, report.Layers...)); err != nil {
		return err
	}
	return w.audit(spec, report.Listener)
}

// audit has the calls answered that the filter hands to the host.
func (w *Worker) audit(spec Spec, listener int) error {
	if spec.Audit == nil {
		return nil
	}
	if listener == 0 {
		return &MissingError{[]posture.Layer{{Name: posture.Seccomp, State: posture.Missing, Reason: "it hands no calls to the host"}}}
	}
	return w.proc.listen(listener, spec.Audit)
}

// expect waits for a message of a kind.
func (w *Worker) expect(ctx context.Context, kind wire.Kind, into any) error {
	select {
	case <-ctx.Done():
		return fmt.Errorf("%w: it is not ready: %w", ErrWorker, context.Cause(ctx))
	case m, ok := <-w.messages:
		switch {
		case !ok:
			return w.death(nil)
		case m.Kind == wire.Failed:
			return failed(m)
		case m.Kind != kind:
			return fmt.Errorf("%w: a message of kind %d instead of %d", ErrWorker, m.Kind, kind)
		}
		return wire.Decode(m.Body, into)
	}
}

// failed is the layer that a worker could not apply.
func failed(m *wire.Message) error {
	return &MissingError{[]posture.Layer{{Name: m.Name, State: posture.Missing, Reason: m.Error}}}
}

// verify compares what the worker says with what the kernel shows, row by row.
func (w *Worker) verify(rows []layer, said []posture.Layer) error {
	lack := []posture.Layer{}
	seen := w.proc.look()
	for _, row := range rows {
		at := slices.IndexFunc(said, func(l posture.Layer) bool { return l.Name == row.name })
		status := posture.Layer{Name: row.name, State: posture.Missing, Reason: "the worker does not say that it has it"}
		if at >= 0 {
			status = said[at]
		}
		if check := checks[row.name]; check != nil && status.State == posture.Applied {
			if err := check(seen); err != nil {
				status = posture.Layer{Name: row.name, State: posture.Missing, Reason: "read back: " + err.Error()}
			}
		}
		if status.State != posture.Applied {
			lack = append(lack, status)
		}
		w.status = append(w.status, status)
	}
	if len(lack) == 0 {
		return nil
	}
	select { // of a process that has ended there is nothing to be seen
	case _, open := <-w.messages:
		if !open {
			return w.death(nil)
		}
	case <-time.After(dying):
	}
	return &MissingError{lack}
}

// dying is how long it takes at most until it is known that a process has ended.
const dying = 50 * time.Millisecond
