package mutate

// filesRows are what keeps a script within its files.
func filesRows() []Mutation {
	return []Mutation{
		{
			ID: "files/root", Defence: "a file of a directory is opened beneath it, whatever its path and links say",
			File:    "vfs/dir.go",
			Old:     `f, err := d.root.OpenFile(inside(name), flag|noWait, perm&fs.ModePerm)`,
			New:     `f, err := os.OpenFile(path.Join(d.root.Name(), inside(name)), flag|noWait, perm&fs.ModePerm)`,
			Package: "./vfs", Test: "TestWayOut|TestSwapRace",
		}, {
			ID: "files/decided-links", Defence: "an operation that was decided follows no link that came into its path meanwhile",
			File:    "vfs/straight.go",
			Old:     `	if err == nil && !os.SameFile(st, opened) {`,
			New:     `	if err == nil && st == nil {`,
			Package: "./vfs", Test: "TestDecideRace/dir",
		}, {
			ID: "files/decided-links-memory", Defence: "nor does one on files in memory",
			File:    "vfs/mem.go",
			Old:     `			if m.noLinks {`,
			New:     `			if m.noLinks && parts == nil {`,
			Package: "./vfs", Test: "TestDecideRace/mem",
		}, {
			ID: "files/decided-links-layer", Defence: "nor does one on a layer over a directory",
			File:    "vfs/straight.go",
			Old:     `&Layer{base: withoutLinks(b.base), noLinks`,
			New:     `&Layer{base: b.base, noLinks`,
			Package: "./vfs", Test: "TestDecideRace/layer",
		}, {
			ID: "files/own-run", Defence: "an operation on files that a worker asks for is decided by the run that it is of",
			File: "sandtrap/guard.go",
			Old:  `	return fileCall{s, s.fs.Deciding(func(op vfs.Operation) error { return guarded.DecideFile(ctx, op) })}`,
			New: `	s.fs.Decide = func(op vfs.Operation) error { return guarded.DecideFile(ctx, op) }
	return fileCall{s, s.fs}`,
			Package: "./sandtrap", Test: "TestFilesOwnRun",
		}, {
			ID: "files/decided-tree", Defence: "a directory is not moved with files that came into it after the decision",
			File:    "vfs/decide.go",
			Old:     `err != nil || !slices.Equal(now, list) {`,
			New:     `err != nil || now == nil {`,
			Package: "./vfs", Test: "TestDecideGrows",
		}, {
			ID: "files/decided-new", Defence: "a file that somebody else has made meanwhile is decided anew",
			File:    "vfs/fs_open.go",
			Old:     `	if f.Decide != nil && found == nil {`,
			New:     `	if f.Decide != nil && found == nil && flag < 0 {`,
			Package: "./vfs", Test: "TestDecideNew",
		}, {
			ID: "files/device", Defence: "devices, pipes and sockets cannot be opened",
			File:    "vfs/dir.go",
			Old:     `return st.Mode().IsRegular() || st.IsDir() }`,
			New:     `return st != nil }`,
			Package: "./vfs", Test: "TestNoDevice",
		}, {
			ID: "files/pipe", Defence: "a pipe that replaces a file does not block its opener",
			File:    "vfs/dir.go",
			Old:     `inside(name), flag|noWait, perm`,
			New:     `inside(name), flag|(noWait-noWait), perm`,
			Package: "./vfs", Test: "TestSwappedPipe",
		}, {
			ID: "files/swapped", Defence: "an open file is checked again",
			File:    "vfs/dir.go",
			Old:     `!ordinary(st) { // another`,
			New:     `st == nil { // another`,
			Package: "./vfs", Test: "TestSwappedPipe",
		}, {
			ID: "files/secrets", Defence: "scripts do not see files with keys and passwords in directories of the host",
			File:    "vfs/given.go",
			Old:     `if !g.Whole {`,
			New:     `if g.Whole {`,
			Package: "./sandtrap/sandtraptest", Test: "TestSecrets/vm-none/paths",
		}, {
			ID: "files/secret-links", Defence: "a worker does not open secrets by a link",
			File:    "sandtrap/worker/given.go",
			Old:     `if !g.whole && (vfs.Secret(name) || g.linked(name)) {`,
			New:     `if !g.whole && vfs.Secret(name) {`,
			Package: "./sandtrap/worker", Test: "TestGiven",
		}, {
			ID: "files/readlink", Defence: "the target of a link that leads outside is not shown",
			File:    "vfs/dir.go",
			Old:     `if err == nil && path.IsAbs(target) {`,
			New:     `if err == nil && target == "" {`,
			Package: "./vfs", Test: "TestNothingOfTheHost",
		}, {
			ID: "files/sys", Defence: "information about a file shows nothing of the host",
			File: "vfs/volume.go",
			Old: `return bare(st, path.Base(name)), nil
}

// Lstat`,
			New: `return st, nil
}

// Lstat`,
			Package: "./vfs", Test: "TestNothingOfTheHost",
		}, {
			ID: "files/bytes", Defence: "the bytes that a script adds are bounded",
			File:    "vfs/volume.go",
			Old:     `if bytes > 0 && bytes > v.quota.Bytes-v.bytes ||`,
			New:     `if`,
			Package: "./vfs", Test: "TestQuota/dir",
		}, {
			ID: "files/written", Defence: "of what a script writes no more is written than fits the quota",
			File:    "vfs/volume.go",
			Old:     `bytes = min(bytes, max(0, v.quota.Bytes-v.bytes))`,
			New:     ``,
			Package: "./vfs", Test: "TestQuota/dir",
		}, {
			ID: "files/files", Defence: "the files that a script makes are bounded",
			File:    "vfs/volume.go",
			Old:     `|| files > 0 && files > v.quota.Files-v.files {`,
			New:     `{`,
			Package: "./vfs", Test: "TestQuota",
		}, {
			ID: "files/open", Defence: "the open files of a run are bounded",
			File:    "vfs/held.go",
			Old:     `if len(f.open)+f.opening >= f.vol.quota.Open {`,
			New:     `if len(f.open) < 0 {`,
			Package: "./vfs", Test: "TestQuota",
		}, {
			ID: "files/left-open", Defence: "files that a run leaves open are closed",
			File:    "vfs/volume.go",
			Old:     `_ = f.release(file) // nothing is held back that could be lost`,
			New:     `_ = file`,
			Package: "./vfs", Test: "TestClose",
		}, {
			ID: "files/held", Defence: "deleted files that are still open count for the quota",
			File:    "vfs/held.go",
			Old:     `if v.open[file] && file.orphan == nil {`,
			New:     `if v.open[file] && left == nil {`,
			Package: "./vfs", Test: "TestHeldOpen",
		}, {
			ID: "files/opened-late", Defence: "files that a run opens while it ends are closed",
			File:    "vfs/held.go",
			Old:     `case f.turn != turn:`,
			New:     `case f.turn < turn:`,
			Package: "./vfs", Test: "TestOpenedLate",
		}, {
			ID: "files/minted", Defence: "concurrent operations give no quota back twice",
			File:    "vfs/shrink.go",
			Old:     `if sameFile(s.st, st, s.at, at) {`,
			New:     `if s.st == nil {`,
			Package: "./vfs", Test: "TestNothingMinted",
		}, {
			ID: "files/append", Defence: "concurrent appends do not overwrite each other",
			File:    "vfs/fs_open.go",
			Old:     "how := flag\n\tif flag&os.O_TRUNC",
			New:     "how := flag &^ os.O_APPEND\n\tif flag&os.O_TRUNC",
			Package: "./vfs", Test: "TestAppendAtOnce",
		}, {
			ID: "files/flags", Defence: "a file is opened only with flags that scripts have names for",
			File:    "vfs/fs_open.go",
			Old:     `flag &= openFlags`,
			New:     ``,
			Package: "./vfs", Test: "TestOpenFlags",
		}, {
			ID: "files/layer-quota", Defence: "files that a layer copies to change them count for the quota",
			File:    "vfs/mem.go",
			Old:     `return max(0, n-max(0, m.most-m.bytes))`,
			New:     `return 0`,
			Package: "./vfs", Test: "TestLayerQuota",
		}, {
			ID: "files/layer-half", Defence: "a file that a layer could not copy as a whole is not in it",
			File:    "vfs/layer.go",
			Old:     `_ = l.upper.Remove(at) // a part of the file would pass for all of it`,
			New:     ``,
			Package: "./vfs", Test: "TestLayerHalf",
		}, {
			ID: "files/commit-names", Defence: "a commit that is completed later uses the names that the script has made",
			File:    "vfs/commit.go",
			Old:     `return []byte(strconv.QuoteToASCII(string(t))), nil`,
			New:     `return []byte("\"" + strings.ToValidUTF8(string(t), "?") + "\""), nil`,
			Package: "./vfs", Test: "TestCommitCutOff",
		}, {
			ID: "files/commit-modes", Defence: "the mode of a directory does not prevent a commit",
			File:    "vfs/commit.go",
			Old:     `const ownerAll = 0o700`,
			New:     `const ownerAll = 0`,
			Package: "./vfs", Test: "TestCommitModes",
		}, {
			ID: "files/commit-place", Defence: "a commit without a place in its base does not begin",
			File:    "vfs/commit.go",
			Old:     `if err := takes(l.base, c.Path); err != nil {`,
			New:     `if err := takes(l.base, "/"); err != nil {`,
			Package: "./vfs", Test: "TestCommitNowhere",
		}, {
			ID: "files/commit-lock", Defence: "a commit in progress is not taken for an interrupted one",
			File:    "vfs/commit_place.go",
			Old:     `return b.lockStage()`,
			New:     `return func() {}, nil`,
			Package: "./vfs", Test: "TestCommitUnderWay",
		}, {
			ID: "files/read-only", Defence: "a handed directory is read-only unless the policy says otherwise",
			File:    "vfs/given.go",
			Old:     `if !g.Write {`,
			New:     `if g.Path == "" {`,
			Package: "./sandtrap/sandtraptest", Test: "TestPaths",
		}, {
			ID: "files/mount", Defence: "a mount cannot be removed or moved away",
			File:    "vfs/mount.go",
			Old:     `case a == "/" || b == "/" || m.above(old) || m.above(new):`,
			New:     `case a == "" && m.above(old):`,
			Package: "./vfs", Test: "TestMountStays",
		}, {
			ID: "files/hidden", Defence: "a hidden name does not exist",
			File:    "vfs/hide.go",
			Old:     "})) {\n\t\t\treturn true",
			New:     "})) {\n\t\t\treturn false",
			Package: "./vfs", Test: "TestHide",
		}, {
			ID: "files/hidden-dots", Defence: "a link with dots in it does not lead to hidden files",
			File:    "vfs/hide.go",
			Old:     `hidden, dots := h.follow(name, false)`,
			New:     `hidden, dots := h.follow(name, true)`,
			Package: "./vfs", Test: "TestHideDots",
		}, {
			ID: "files/hidden-mount", Defence: "a link below a mount is checked by its paths there",
			File:    "vfs/hide.go",
			Old:     `if m, ok := base.(*mountFs); ok && !h.hides(m.at) {`,
			New:     `if m, ok := base.(*mountFs); ok && m == nil {`,
			Package: "./vfs", Test: "TestHideDots",
		}, {
			ID: "files/hidden-swap", Defence: "another goroutine of a script cannot change where a path leads after the check",
			File:    "vfs/hide.go",
			Old:     "h.change.Lock()\n\treturn h.change.Unlock",
			New:     "return func() {}",
			Package: "./vfs", Test: "TestHideSwap",
		}, {
			ID: "files/nul", Defence: "a path with a NUL byte is refused",
			File:    "vfs/path.go",
			Old:     `case strings.Contains(part, "\x00"):`,
			New:     `case strings.Contains(part, "\x00\x00"):`,
			Package: "./vfs", Test: "TestNoPaths",
		}, {
			ID: "files/depth", Defence: "the elements of a path are bounded",
			File:    "vfs/path.go",
			Old:     `if w.depth++; w.depth > maxDepth {`,
			New:     `if w.depth++; w.depth < 0 {`,
			Package: "./vfs", Test: "TestNoPaths",
		}, {
			ID: "files/charge", Defence: "memory is charged before a file is read into it",
			File:    "vfs/fs_open.go",
			Old:     `f.charge(st.Size() + 512)`,
			New:     ``,
			Package: "./vfs", Test: "TestChargedFirst",
		}, {
			ID: "files/layer", Defence: "a file that is truncated is truncated in the layer, not below it",
			File:    "vfs/layer_fs.go",
			Old:     `case changes(flag) && !st.IsDir():`,
			New:     `case writes(flag) && !st.IsDir():`,
			Package: "./vfs", Test: "TestLayerTruncates",
		}, {
			ID: "files/emptied", Defence: "quota that is given back can be used again",
			File:    "vfs/fs_open.go",
			Old:     `if flag&os.O_TRUNC != 0 && !writes(flag) {`,
			New:     `if flag < 0 {`,
			Package: "./vfs", Test: "TestEmptiedByReader",
		}, {
			ID: "files/temporary", Defence: "temporary files are not made in a directory of the host that has no place for them",
			File:    "vfs/volume.go",
			Old:     `base = mount(base, tempDir, Mem(), true)`,
			New:     `_ = base.MkdirAll(tempDir, 0o777)`,
			Package: "./vfs", Test: "TestTemp",
		}, {
			ID: "files/decide-links", Defence: "a rule about files is about what a link leads to",
			File:    "vfs/decide.go",
			Old:     `	at, err := f.unlinked(at, follow)`,
			New:     `	var err error`,
			Package: "./sandtrap/sandtraptest/guardtest", Test: "TestFileLinks",
		}, {
			ID: "files/decide-move", Defence: "rules about a file hold when a directory that it is in is moved",
			File:    "vfs/decide.go",
			Old:     `	list, err := f.doing().tree(from, 0)`,
			New:     `	list, err := f.doing().tree("/nowhere", 0)`,
			Package: "./sandtrap/sandtraptest/guardtest", Test: "TestFiles",
		}, {
			ID: "files/decide-worker", Defence: "where files are decided about, a worker has no directories to read itself",
			File:    "sandtrap/remote.go",
			Old:     `		if p.guards.Files {`,
			New:     `		if false {`,
			Package: "./sandtrap/sandtraptest/guardtest", Test: "TestFiles",
		},
	}
}
