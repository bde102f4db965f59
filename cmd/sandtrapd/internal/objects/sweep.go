package objects

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// maxSwept bounds what is swept at a time.
const maxSwept = 10_000

// Sweep deletes objects, and parts of objects, that are older than this and that nothing names. Of names that are the same up to their first dot
// the func is asked once: it gives those that stay, or nil for all of them.
func (b *Bucket) Sweep(ctx context.Context, age time.Duration, named func(ctx context.Context, id string) (map[string]bool, error)) (n int, err error) {
	info, err := b.stream.Info(ctx, jetstream.WithSubjectFilter(b.parts+"*")) // before the list of objects, which has later ones too
	if err != nil {
		return 0, err
	}
	old := info.TimeStamp.Add(-age)
	list, err := b.objects.List(ctx, jetstream.ListObjectsShowDeleted())
	if err != nil && !errors.Is(err, jetstream.ErrNoObjectsFound) {
		return 0, err
	}
	slices.SortFunc(list, func(a, b *jetstream.ObjectInfo) int { return strings.Compare(a.Name, b.Name) })
	var stay map[string]bool
	last, known := "", false
	for _, o := range list {
		delete(info.State.Subjects, b.parts+o.NUID)
		if n >= maxSwept || o.ModTime.After(old) {
			continue
		}
		if id, _, _ := strings.Cut(o.Name, "."); id != last || !known {
			if stay, err = named(ctx, id); err != nil {
				return n, err
			}
			last, known = id, true
		}
		if stay == nil || stay[o.Name] && !o.Deleted {
			continue
		}
		is, err := b.meta(ctx, o.Name)
		if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
			return n, err
		}
		if err == nil && is.NUID == o.NUID && is.when.Before(old) {
			if err := b.erase(o.Name, is); err != nil {
				return n, err
			}
			n++
		}
	}
	more, err := b.sweepParts(ctx, info.State.Subjects, old, maxSwept-n)
	return n + more, err
}

// sweepParts deletes parts of objects that were never there as a whole.
func (b *Bucket) sweepParts(ctx context.Context, subjects map[string]uint64, old time.Time, most int) (n int, err error) {
	for subject := range subjects {
		if n >= most {
			break
		}
		m, err := b.stream.GetLastMsgForSubject(ctx, subject)
		if err == nil && m.Time.Before(old) {
			err = b.stream.Purge(ctx, jetstream.WithPurgeSubject(subject))
			n++
		}
		if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
			return n, err
		}
	}
	return n, nil
}
