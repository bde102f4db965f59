package cli

import (
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/sandtrap-go/sandtrap/internal/plaintext"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

const recordHelp = `sandtrap record verify FILE [--key FILE] [--checkpoint FILE] [--json]
sandtrap record query FILE [filters] [--json]
sandtrap record key FILE

A record has what was decided about the calls of scripts, a line for each event; docs/record.md explains it.
Earlier files of it, FILE.1, FILE.2 and so on, are read too.

verify checks that no line was changed, removed or moved, and names the first one that was.
  --key FILE           the public key of "sandtrap record key": the record must also reach its
                       checkpoint, so that lines that were cut off at the end are found
  --checkpoint FILE    a checkpoint that was kept elsewhere, in place of FILE.checkpoint
  --json               {"ok":..., "files":..., "first":..., "last":..., "signed":..., "error":...}

query prints the events that match all filters, oldest first. A text that ends in * matches what begins like it.
  --tenant T           likewise --session, --run, --kind, --member, --script, --decision, --code,
                       --rule, --by and --outcome
  --failed             calls that were denied, and errors; --failed=false: all others
  --since TIME         from this time on, as 2026-01-02 (UTC) or 2026-01-02T15:04:05Z
  --until TIME         before this time
  --limit N            at most N events
  --offset N           without the first N
  --json               {"events": [...], "error": ...}

key makes a key to sign records with: the private one in FILE, for the host alone, the public one in FILE.pub.

Exit codes: 0 success; 1 a line is bad; 64 wrong use.
`

// record verifies and reads records, and makes keys for them.
func (c *call) record(args []string) int {
	verbs := map[string]func(*call, []string) int{"verify": (*call).recordVerify, "query": (*call).recordQuery, "key": (*call).recordKey}
	if len(args) == 0 {
		return c.usage(errors.New(`record takes verify, query or key; "sandtrap help record" explains them`))
	}
	switch args[0] {
	case "-h", "-help", "--help":
		return c.help([]string{"record"})
	}
	if verb, ok := verbs[args[0]]; ok {
		return verb(c, args[1:])
	}
	return c.usage(fmt.Errorf("record takes verify, query or key; got %q%s", args[0], didYouMean(args[0], []string{"verify", "query", "key"})))
}

// oneFile reads flags, and the one file that stands before, between or after them.
func (c *call) oneFile(verb string, fs *flag.FlagSet, args []string) (string, error) {
	fs.Bool("json", false, "") // Main has found it
	var files []string
	for len(args) > 0 {
		if err := fs.Parse(args); err != nil {
			return "", c.explainFlag(err, fs, "record")
		}
		if args = fs.Args(); len(args) > 0 {
			files, args = append(files, args[0]), args[1:]
		}
	}
	if len(files) != 1 {
		return "", fmt.Errorf("record %s takes one file; got %d", verb, len(files))
	}
	return files[0], nil
}

// A jsonVerified is what record verify --json prints.
type jsonVerified struct {
	OK     bool       `json:"ok"`
	Files  int        `json:"files"`
	First  int64      `json:"first"`
	Last   int64      `json:"last"`
	Signed int64      `json:"signed"`
	Error  *jsonFault `json:"error"`
}

// A jsonFault is what is wrong with a record. Line is 0 if it is not a line of it.
type jsonFault struct {
	File    string `json:"file,omitempty"`
	Line    int64  `json:"line,omitempty"`
	Message string `json:"message"`
}

func (c *call) recordVerify(args []string) int {
	flags := newFlags("record")
	key := flags.String("key", "", "")
	kept := flags.String("checkpoint", "", "")
	path, err := c.oneFile("verify", flags, args)
	if err != nil {
		return c.usage(err)
	}
	if *kept != "" && *key == "" {
		return c.usage(errors.New("--checkpoint needs --key FILE, to know who signed it"))
	}
	checkpoint, err := signedCheckpoint(path, *key, *kept)
	var s record.Summary
	if err == nil {
		s, err = record.VerifyFiles(path, checkpoint)
	}
	switch {
	case isUsage(err):
		return c.usage(err)
	case err != nil && c.json:
		return c.printObject(jsonVerified{Error: faultOf(err)}, exitPanic)
	case err != nil:
		return c.badRecord(err)
	case c.json:
		return c.printObject(jsonVerified{true, s.Files, s.First, s.Last, s.Signed, nil}, exitOK)
	}
	fmt.Fprintf(c.stdout, "lines %d to %d, files %d: none was changed, removed or moved\n", s.First, s.Last, s.Files)
	if checkpoint == nil {
		fmt.Fprintln(c.stdout, "lines that were cut off at the end, or a record that was written anew, are found with --key only")
	} else {
		fmt.Fprintf(c.stdout, "the checkpoint signs the first %d\n", s.Signed)
	}
	return exitOK
}

// errUsage is matched by errors about what the user has named.
var errUsage = errors.New("wrong use")

// isUsage reports errors of the user, and not of what is in a record.
func isUsage(err error) bool {
	var bad *record.BadLine
	return errors.Is(err, errUsage) || !errors.As(err, &bad) && errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errNoCheckpoint)
}

var errNoCheckpoint = errors.New("there is no checkpoint: it was removed, or the record was made without a key")

// signedCheckpoint is the checkpoint of the record at path, or that which was kept elsewhere; nil without a key.
func signedCheckpoint(path, key, kept string) (*record.Checkpoint, error) {
	if key == "" {
		return nil, nil
	}
	text, err := os.ReadFile(key)
	if err != nil {
		return nil, errors.Join(errUsage, err)
	}
	by, err := note.NewVerifier(strings.TrimSpace(string(text)))
	if err != nil {
		return nil, fmt.Errorf("%w: %s is not a public key of \"sandtrap record key\"", errUsage, key)
	}
	if kept == "" {
		kept = record.CheckpointFile(path)
		if _, err := os.Stat(path); err != nil {
			return nil, err
		}
	}
	signed, err := os.ReadFile(kept)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", errNoCheckpoint, err)
	}
	return record.ReadCheckpoint(signed, by)
}

// faultOf says what is wrong with a record.
func faultOf(err error) *jsonFault {
	var bad *record.BadLine
	if errors.As(err, &bad) {
		return &jsonFault{bad.File, bad.Line, bad.Reason}
	}
	return &jsonFault{Message: err.Error()}
}

// badRecord tells what is wrong with a record.
func (c *call) badRecord(err error) int {
	fmt.Fprintf(c.stderr, "sandtrap: %s\n", plaintext.Escape(strings.TrimPrefix(err.Error(), "record: ")))
	return exitPanic
}

// recordKey makes a key in two new files.
func (c *call) recordKey(args []string) int {
	path, err := c.oneFile("key", newFlags("record"), args)
	if err != nil {
		return c.usage(err)
	}
	private, public, err := note.GenerateKey(rand.Reader, "sandtrap")
	if err == nil {
		err = writeNew(path, private+"\n")
	}
	if err == nil {
		err = writeNew(path+".pub", public+"\n")
	}
	if err != nil {
		return c.usage(err)
	}
	if c.json {
		return c.printObject(map[string]string{"private": path, "public": path + ".pub"}, exitOK)
	}
	fmt.Fprintf(c.stdout, "%s has the private key, and %s.pub the public one\n", path, path)
	return exitOK
}

// writeNew writes a file for its owner alone. It is an error if there is one.
func writeNew(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
