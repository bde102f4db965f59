package mutate

// builtinsRows are the tables of the standard library, what stands in place of its members, and
// what they cost.
func builtinsRows() []Mutation {
	return []Mutation{
		{
			ID: "builtins/decided", Defence: "each export of a listed package is allowed or denied by a row",
			File:    "builtins/internal/std/strings.go",
			Old:     `{Name: "Compare", Value: strings.Compare},`,
			New:     ``,
			Package: "./builtins", Test: "TestEveryExportDecided",
		}, {
			ID: "builtins/text-time", Defence: "time for work on a text is asked for before the work",
			File:    "builtins/internal/shim/slow.go",
			Old:     `if size >= LargeText {`,
			New:     `if size < 0 {`,
			Package: "./builtins", Test: "TestSlowAsksFirst",
		}, {
			ID: "builtins/words", Defence: "text that a decoder of words reads from the script's own reader is charged",
			File:    "builtins/internal/shim/mime/mime.go",
			Old:     `return e.Source(r), nil`,
			New:     `return r, nil`,
			Package: "./builtins/internal/shim/mime", Test: "TestDecodedTextIsPaid",
		}, {
			ID: "builtins/mail-header", Defence: "the header of a message is charged at its decoded size",
			File:    "builtins/internal/shim/net/mail.go",
			Old:     `e.Charge(headerCopies * int64(len(p)))`,
			New:     `e.Charge(0 * int64(len(p)))`,
			Package: "./builtins/internal/shim/net", Test: "TestMailHeaderIsPaid",
		}, {
			ID: "builtins/image-made", Defence: "an image is charged before its pixels are allocated",
			File:    "builtins/internal/shim/image/make.go",
			Old:     `e.Charge(int64(size))`,
			New:     `e.Charge(0 * int64(size))`,
			Package: "./builtins/internal/shim/image", Test: "TestPixelsArePaid",
		}, {
			ID: "builtins/image-parts", Defence: "work on pixels is done in parts, with a check for a stop between them",
			File:    "builtins/internal/shim/image/pixels.go",
			Old:     `tall := max(1, size/width)`,
			New:     `tall := max(1, size/width) << 40`,
			Package: "./builtins/internal/shim/image", Test: "TestDrawnInParts",
		}, {
			ID: "builtins/image-order", Defence: "the parts of an image that is drawn on itself are drawn in the order of its pixels",
			File:    "builtins/internal/shim/image/draw.go",
			Old:     `return d.copies() || d.dst == d.src && r.Overlaps(r.Add(sp.Sub(r.Min)))`,
			New:     `return false`,
			Package: "./builtins/internal/shim/image", Test: "TestDrawnInParts",
		}, {
			ID: "builtins/image-palette", Defence: "a pixel that is drawn on a palette is compared with at most 256 colors",
			File:    "builtins/internal/shim/image/draw.go",
			Old:     `if len(p.Palette) > mostColors {`,
			New:     `if len(p.Palette) < 0 {`,
			Package: "./builtins/internal/shim/image", Test: "TestDrawnInParts",
		}, {
			ID: "builtins/image-rows", Defence: "the rows that an encoder of PNG compresses are bounded",
			File:    "builtins/internal/shim/image/encode.go",
			Old:     `if width > pngWidth {`,
			New:     `if width < 0 {`,
			Package: "./builtins/internal/shim/image", Test: "TestEncodersArePaid",
		}, {
			ID: "builtins/image-pixels", Defence: "an encoder of PNG pays for each pixel",
			File:    "builtins/internal/shim/image/pixels.go",
			Old:     `p.e.Work(p.owed / shim.TickTime)`,
			New:     `p.e.Work(0)`,
			Package: "./builtins/internal/shim/image", Test: "TestEncodersArePaid",
		}, {
			ID: "builtins/image-in-vain", Defence: "an encoder of JPEG checks for a stop even after its writer has failed",
			File: "builtins/internal/shim/image/encode.go",
			Old: `if w.wrote(1); w.err == nil {
		w.err = w.to.WriteByte(c)
	}
	return nil`,
			New: `if w.wrote(1); w.err == nil {
		w.err = w.to.WriteByte(c)
	}
	return w.err`,
			Package: "./builtins/internal/shim/image", Test: "TestEncodersArePaid",
		}, {
			ID: "builtins/image-png", Defence: "an image of PNG is charged when its size has been read",
			File:    "builtins/internal/shim/image/decode.go",
			Old:     `h.e.ChargeProduct(width*height, bytes)`,
			New:     `h.e.ChargeProduct(0, bytes)`,
			Package: "./builtins/internal/shim/image", Test: "TestDecodersArePaid",
		}, {
			ID: "builtins/image-png-chunks", Defence: "the size of a PNG is found also if other chunks come first",
			File:    "builtins/internal/shim/image/decode.go",
			Old:     `h.skip, h.n = h.number(0)+4, 0 // with its sum`,
			New:     `h.done = true`,
			Package: "./builtins/internal/shim/image", Test: "TestDecodersArePaid",
		}, {
			ID: "builtins/image-jpeg", Defence: "an image of JPEG is charged when its size has been read",
			File:    "builtins/internal/shim/image/decode.go",
			Old:     `s.e.ChargeProduct(pixels, bytes)`,
			New:     `s.e.ChargeProduct(0, bytes)`,
			Package: "./builtins/internal/shim/image", Test: "TestDecodersArePaid",
		}, {
			ID: "builtins/image-scans", Defence: "each scan of an image of JPEG is paid for",
			File:    "builtins/internal/shim/image/decode.go",
			Old:     `s.e.Work(s.blocks * s.scan)`,
			New:     `s.e.Work(0)`,
			Package: "./builtins/internal/shim/image", Test: "TestScansArePaid",
		}, {
			ID: "builtins/image-scan-bytes", Defence: "an image with many blocks is read a few bytes at a time",
			File:    "builtins/internal/shim/image/decode.go",
			Old:     `{ return int(max(16, min(sourceMost, (1<<21)/(s.blocks+1)))) }`,
			New:     `{ return 4096 }`,
			Package: "./builtins/internal/shim/image", Test: "TestScansArePaid",
		}, {
			ID: "builtins/image-shared", Defence: "each run has its own copy of an image that a variable of the library refers to",
			File:    "builtins/internal/shim/image/make.go",
			Old:     `*own = image.NewUniform(of.C)`,
			New:     `*own = of`,
			Package: "./builtins/internal/shim/image", Test: "TestSharedAreOwn",
		}, {
			ID: "builtins/image-palettes", Defence: "each run has its own copy of a palette that a variable of the library refers to",
			File:    "builtins/internal/shim/image/make.go",
			Old:     `*own = slices.Clone(of)`,
			New:     `*own = slices.Clip(of)`,
			Package: "./builtins/internal/shim/image", Test: "TestSharedAreOwn",
		}, {
			ID: "builtins/division", Defence: "memory that a division of long numbers uses besides its results is charged",
			File:    "builtins/internal/shim/big/big.go",
			Old:     `e.ChargeProduct(divScratch(n, m), 8)`,
			New:     `e.ChargeProduct(divScratch(1, 1), 8)`,
			Package: "./builtins/internal/shim/big", Test: "TestScratchOfNumbers",
		}, {
			ID: "builtins/copies", Defence: "copies of a text that an error or a receiver keeps are charged",
			File:    "builtins/internal/shim/copies.go",
			Old:     `if size > shortCopy {`,
			New:     `if size < 0 {`,
			Package: "./builtins", Test: "TestKeptPaid",
		}, {
			ID: "builtins/sort", Defence: "sorting checks for a stop",
			File:    "builtins/internal/shim/sort/sort.go",
			Old:     `const sortedAtOnce = 1 << 15`,
			New:     `const sortedAtOnce = 1 << 30`,
			Package: "./builtins", Test: "TestStepsLetAStopThrough",
		}, {
			ID: "builtins/regexp", Defence: "the program of a regular expression is bounded",
			File:    "builtins/internal/shim/regexp/regexp.go",
			Old:     `if p.insts > maxInsts || p.insts*p.groups > maxThreads {`,
			New:     `if p.insts < 0 {`,
			Package: "./builtins/internal/shim/regexp", Test: "TestRegexpRefuses",
		}, {
			ID: "builtins/groups", Defence: "the nesting of groups of attributes is bounded",
			File:    "builtins/internal/shim/log/slog_groups.go",
			Old:     `depth >= maxGroups || names > maxGroupNames {`,
			New:     `depth < 0 {`,
			Package: "./builtins/internal/shim/log", Test: "TestGroupsAreBounded",
		}, {
			ID: "builtins/tabwriter", Defence: "a panic of the writer under a tab writer is charged",
			File:    "builtins/internal/shim/text/tabwriter.go",
			Old:     `t.e.Charge(int64(len(text)))`,
			New:     ``,
			Package: "./builtins/internal/shim/text", Test: "TestTabwritersInEachOther|TestTabwriterStops",
		}, {
			ID: "builtins/tabwriter-stop", Defence: "a stop does not become the text of a panic",
			File:    "builtins/internal/shim/text/tabwriter.go",
			Old:     `t.e.Check() // a stop is no text`,
			New:     ``,
			Package: "./builtins/internal/shim/text", Test: "TestTabwriterStops",
		}, {
			ID: "builtins/scanned", Defence: "numbers are charged while their digits are read",
			File:    "builtins/internal/shim/fmt/scan.go",
			Old:     `if s.digits++; s.digits%digitStep == 0 {`,
			New:     `if s.digits++; s.digits < 0 {`,
			Package: "./builtins", Test: "TestReadNumbersArePaidFor",
		}, {
			ID: "builtins/scanned-fractions", Defence: "fractions are charged while their digits are read",
			File:    "builtins/internal/shim/fmt/scan.go",
			Old:     `shimbig.PayRatDigits(s.env, string(token))`,
			New:     ``,
			Package: "./builtins", Test: "TestReadNumbersArePaidFor",
		}, {
			ID: "builtins/read", Defence: "a reader checks for a stop every few characters",
			File:    "builtins/internal/shim/fmt/scan.go",
			Old:     `if c.n++; c.n%scanStep == 0 {`,
			New:     `if c.n++; c.n < 0 {`,
			Package: "./builtins", Test: "TestStepsLetAStopThrough",
		}, {
			ID: "builtins/no-buffer", Defence: "a writer without a buffer does not make the run wait for room in it",
			File:    "builtins/internal/shim/io/bufio_zero.go",
			Old:     "shim.HasBuffer(b)\n\t\treturn b.WriteString(s)",
			New:     "return b.WriteString(s)",
			Package: "./sandtrap/sandtraptest/ends", Test: "TestNoBuffer",
		}, {
			ID: "builtins/base", Defence: "no shared table has what a host put in the place of a package or a type of Go's",
			File:    "builtins/base.go",
			Old:     `case !p.OfHost || inGo(p.Path) || p.Shows != "" || p.Source != "" || renamesGo(&p):`,
			New:     `case !p.OfHost:`,
			Package: "./builtins", Test: "TestBaseIsNotAHosts",
		}, {
			ID: "builtins/selection", Defence: "tables share what is made for a selection only if they have the same denials",
			File:    "builtins/internal/rows/rows.go",
			Old:     `return fmt.Sprintf("%s %p", p.Path, &p.Members[0])`,
			New:     `return fmt.Sprint(p.Path)`,
			Package: "./builtins", Test: "TestBasesAreShared",
		},
	}
}
