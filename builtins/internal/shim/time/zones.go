package time

import (
	"archive/zip"
	_ "embed"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// zoneinfo is the data of the IANA time zone database as Go distributes it: a zip
// file, not compressed. time.LoadLocation would look for files of the host's first.
//
//go:embed zoneinfo.zip
var zoneinfo string

// zoneFiles finds the entries of zoneinfo by name.
var zoneFiles = sync.OnceValue(func() map[string]*zip.File {
	files := map[string]*zip.File{}
	r, err := zip.NewReader(strings.NewReader(zoneinfo), int64(len(zoneinfo)))
	if err != nil {
		panic(err) // a test reads all of it
	}
	for _, f := range r.File {
		files[f.Name] = f
	}
	return files
})

// zones are the locations that were asked for; nothing in them can be changed.
var zones sync.Map // by name

func TimeLoadLocation(e *shim.Env) func(string) (*time.Location, error) {
	return func(name string) (*time.Location, error) {
		e.PayCopies(1, len(name))
		return LoadZone(name)
	}
}

// LoadZone is the location of a name, the same one each time.
func LoadZone(name string) (*time.Location, error) {
	switch {
	case name == "" || name == "UTC", name == "Local":
		return time.UTC, nil
	case strings.HasPrefix(name, "/"), strings.ContainsRune(name, '\\'), strings.Contains(name, ".."):
		return nil, errors.New("time: invalid location name")
	}
	if loc, ok := zones.Load(name); ok {
		return loc.(*time.Location), nil
	}
	file := zoneFiles()[name]
	if file == nil || strings.HasSuffix(name, "/") {
		return nil, errors.New("unknown time zone " + name)
	}
	r, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	loc, err := time.LoadLocationFromTZData(name, data)
	if err != nil {
		return nil, err
	}
	first, _ := zones.LoadOrStore(name, loc)
	return first.(*time.Location), nil
}

func TimeLoadLocationFromTZData(e *shim.Env) func(string, []byte) (*time.Location, error) {
	return func(name string, data []byte) (*time.Location, error) {
		e.Charge(16 * int64(len(data)))
		return time.LoadLocationFromTZData(name, data)
	}
}

func TimeUnmarshalBinary(*shim.Env) func(*time.Time, []byte) error {
	return func(t *time.Time, data []byte) error {
		err := t.UnmarshalBinary(data)
		*t = zoneOnly(*t)
		return err
	}
}
