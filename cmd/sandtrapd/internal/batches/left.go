package batches

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// maxSwept bounds the batches whose lines are swept at a time.
const maxSwept = 1000

// unreachable is an error of a queue that cannot be reached, or is full: the same can be tried again.
func unreachable(err error) error {
	return fmt.Errorf("the queue of batches: %w: %w", store.ErrDisk, err)
}

// unlessDropped is err, unless nobody answers since the consumer was deleted meanwhile, as another server has noted the end of its batch.
func (q *Shared) unlessDropped(ctx context.Context, name string, err error) error {
	if !errors.Is(err, nats.ErrNoResponders) {
		return err
	}
	if _, e := q.stream.Consumer(ctx, name); errors.Is(e, jetstream.ErrConsumerNotFound) {
		return nil
	}
	return err
}

// Left is a method of Queue.
func (q *Shared) Left(ctx context.Context, of Name) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, answerLines)
	defer cancel()
	_, subject := consumer(of)
	info, err := q.stream.Info(ctx, jetstream.WithSubjectFilter(subject+".>"))
	if err != nil {
		return true, unreachable(err)
	}
	return len(info.State.Subjects) > 0, nil
}

// Sweep is a method of Queue.
func (q *Shared) Sweep(ctx context.Context, age time.Duration, has func(batch string) (bool, error)) (n int, err error) {
	asking, cancel := context.WithTimeout(ctx, 12*answerLines) // there may be many
	defer cancel()
	info, err := q.stream.Info(asking, jetstream.WithSubjectFilter(linesSubject+">"))
	if err != nil {
		return 0, unreachable(err)
	}
	seen := map[string]bool{}
	for subject := range info.State.Subjects {
		of := subject[:max(0, strings.LastIndex(subject, "."))] // without the number
		if seen[of] || n >= maxSwept {
			continue
		}
		seen[of] = true
		batch := of[strings.LastIndex(of, ".")+1:]
		if is, err := has(batch); is || err != nil {
			if err != nil {
				return n, err
			}
			continue
		}
		m, err := q.stream.GetLastMsgForSubject(ctx, of+".>")
		if errors.Is(err, jetstream.ErrMsgNotFound) || err == nil && m.Time.After(info.TimeStamp.Add(-age)) {
			continue
		}
		if err == nil {
			err = q.stream.Purge(ctx, jetstream.WithPurgeSubject(of+".>"))
		}
		if err != nil {
			return n, unreachable(err)
		}
		n++
	}
	return n, nil
}
