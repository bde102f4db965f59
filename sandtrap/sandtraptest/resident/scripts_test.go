// Package resident measures what processes with hostile scripts have in memory.
package resident

import (
	"fmt"
	"maps"
	"slices"
)

// limit is the memory that each script may hold.
const limit = 64 << 20

// helpers come before each script. block is a MiB that is in use.
const helpers = `const MiB = 1 << 20
func block() []byte {
	b := make([]byte, MiB)
	for i := 0; i < len(b); i += 4096 { b[i] = 1 }
	return b
}
func text() string { return string(block()) }
func ints() []int {
	b := make([]int, MiB/8)
	for i := 0; i < len(b); i += 512 { b[i] = 1 }
	return b
}
func texts() []string {
	b := make([]string, MiB/16)
	for i := 0; i < len(b); i += 256 { b[i] = "x" }
	return b
}
func spans() []time.Duration {
	b := make([]time.Duration, MiB/8)
	for i := 0; i < len(b); i += 512 { b[i] = 1 }
	return b
}
func array() (a [MiB]byte) {
	for i := 0; i < len(a); i += 4096 { a[i] = 1 }
	return a
}
func table() map[int]int {
	m := map[int]int{}
	for i := range MiB/64 { m[i] = i }
	return m
}
type own struct { b []byte; n int }
type small struct { n int }
`

// elements are values of a MiB each. The array behind a slice outlives what the script held it by.
var elements = map[string]string{
	"bytes":          "block()",
	"raw message":    "json.RawMessage(block())",
	"character data": "xml.CharData(block())",
	"text":           "text()",
	"sorted ints":    "sort.IntSlice(ints())",
	"sorted texts":   "sort.StringSlice(texts())",
	"durations":      "spans()",
	"array":          "array()",
	"map":            "table()",
	"url values":     "url.Values{\"a\": {text()}}",
	"pem block":      "&pem.Block{Bytes: block()}",
	"map file":       "&fstest.MapFile{Data: block()}",
	"buffer":         "bytes.NewBuffer(block())",
	"reader":         "bytes.NewReader(block())",
	"text reader":    "strings.NewReader(text())",
	"own struct":     "own{block(), 1}",
	"method value":   "bytes.NewBuffer(block()).Len",
	"attribute":      "slog.Any(\"k\", json.RawMessage(block()))",
}

// containers keep values of any type for a script.
var containers = map[string]struct{ before, keep string }{
	"list":    {"l := list.New()", "l.PushBack(%s)"},
	"ring":    {"r := ring.New(1)", "n := ring.New(1); n.Value = %s; r.Link(n)"},
	"map":     {"var m sync.Map", "m.Store(i, %s)"},
	"pool":    {"var p sync.Pool", "p.Put(%s)"},
	"atomic":  {"var vs []*atomic.Value", "v := new(atomic.Value); v.Store(%s); vs = append(vs, v)"},
	"context": {"ctx := context.Background()", "ctx = context.WithValue(ctx, i, %s)"},
	"slog":    {"var vs []slog.Value", "vs = append(vs, slog.AnyValue(%s))"},
	"reflect": {"var vs []reflect.Value", "vs = append(vs, reflect.ValueOf(%s))"},
	"any":     {"var vs []any", "vs = append(vs, %s)"},
}

// many is a list that takes little, of texts that take a thousand MiB in one.
const many = "l := make([]string, 1000)\ns := text()\nfor i := range l { l[i] = s }\n"

// others keep memory in ways of their own.
var others = map[string]struct{ before, keep string }{
	"texts joined":             {many, "_ = strings.Join(l, \"\")"},
	"bytes joined":             {"l := make([][]byte, 1000)\nb := block()\nfor i := range l { l[i] = b }", "_ = bytes.Join(l, nil)"},
	"texts printed":            {many, "_ = fmt.Sprint(l)"},
	"texts of errors":          {many + "es := make([]error, 1000)\nfor i := range es { es[i] = errors.New(l[i]) }", "_ = errors.Join(es...).Error()"},
	"printed, with methods":    {"type noisy int\nfunc (noisy) String() string { for range 10 { _ = strings.Repeat(\"x\", MiB) }; panic(0) }\n" + many + "vs := make([]any, 1000)\nfor i := range vs { vs[i] = l[i]; if i%50 == 0 { vs[i] = noisy(0) } }", "_ = fmt.Sprint(vs...)"},
	"bytes.Buffer":             {"var b bytes.Buffer", "b.Write(block())"},
	"bytes.Buffer, each":       {"var bs []*bytes.Buffer", "b := new(bytes.Buffer); b.Write(block()); bs = append(bs, b)"},
	"bytes.Buffer, grown":      {"var bs []*bytes.Buffer", "b := new(bytes.Buffer); b.Grow(MiB); b.Write(block()); bs = append(bs, b)"},
	"strings.Builder":          {"var bs []*strings.Builder", "b := new(strings.Builder); b.Write(block()); bs = append(bs, b)"},
	"bytes.Reader reset":       {"var rs []*bytes.Reader", "r := new(bytes.Reader); r.Reset(block()); rs = append(rs, r)"},
	"bufio.NewReaderSize":      {"var rs []*bufio.Reader", "r := bufio.NewReaderSize(bytes.NewReader(block()), MiB); r.Peek(MiB); rs = append(rs, r)"},
	"bufio.NewWriterSize":      {"var ws []*bufio.Writer", "w := bufio.NewWriterSize(io.Discard, MiB); w.Write(block()[1:]); ws = append(ws, w)"},
	"bufio.Scanner.Buffer":     {"var ss []*bufio.Scanner", "s := bufio.NewScanner(strings.NewReader(\"\")); s.Buffer(block(), MiB); ss = append(ss, s)"},
	"io.MultiReader":           {"r := io.Reader(strings.NewReader(\"\"))", "r = io.MultiReader(r, bytes.NewReader(block()))"},
	"io.LimitReader":           {"var rs []io.Reader", "rs = append(rs, io.LimitReader(bytes.NewReader(block()), 10))"},
	"io.NewSectionReader":      {"var rs []io.Reader", "rs = append(rs, io.NewSectionReader(bytes.NewReader(block()), 0, 10))"},
	"io.TeeReader":             {"var rs []io.Reader", "rs = append(rs, io.TeeReader(bytes.NewReader(block()), io.Discard))"},
	"io.MultiWriter":           {"var ws []io.Writer", "ws = append(ws, io.MultiWriter(bytes.NewBuffer(block())))"},
	"json.Decoder":             {"var ds []*json.Decoder", "ds = append(ds, json.NewDecoder(bytes.NewReader(block())))"},
	"json.Decoder, buffered":   {"var ds []*json.Decoder", "d := json.NewDecoder(strings.NewReader(\"1 \" + strings.Repeat(\" \", MiB))); var v any; d.Decode(&v); ds = append(ds, d)"},
	"json.RawMessage decoded":  {"var vs []json.RawMessage", "var v json.RawMessage; json.Unmarshal([]byte(\"\\\"\" + strings.Repeat(\"x\", MiB) + \"\\\"\"), &v); vs = append(vs, v)"},
	"json.Encoder":             {"var es []*json.Encoder", "es = append(es, json.NewEncoder(bytes.NewBuffer(block())))"},
	"json tree":                {"var vs []any\nsrc := []byte(\"[\" + strings.Repeat(\"1,\", 30_000) + \"1]\")", "var v any; json.Unmarshal(src, &v); vs = append(vs, v)"},
	"xml.Decoder":              {"var ds []*xml.Decoder", "ds = append(ds, xml.NewDecoder(bytes.NewReader(block())))"},
	"xml tokens":               {"var ts []xml.Token\nsrc := \"<a>\" + strings.Repeat(\"x\", MiB) + \"</a>\"", "d := xml.NewDecoder(strings.NewReader(src)); d.Token(); t, _ := d.Token(); ts = append(ts, xml.CopyToken(t))"},
	"pem.Decode":               {"var bs []*pem.Block\nsrc := pem.EncodeToMemory(&pem.Block{Type: \"A\", Bytes: block()})", "b, _ := pem.Decode(src); bs = append(bs, b)"},
	"fstest.MapFS":             {"fsys := fstest.MapFS{}", "fsys[strconv.Itoa(i)] = &fstest.MapFile{Data: block()}"},
	"fs.FS files":              {"var fs []any", "f, _ := fstest.MapFS{\"a\": &fstest.MapFile{Data: block()}}.Open(\"a\"); fs = append(fs, f)"},
	"logger with":              {"l := slog.New(slog.NewTextHandler(io.Discard, nil))", "l = l.With(\"k\", text())"},
	"logger group":             {"l := slog.New(slog.NewJSONHandler(io.Discard, nil))", "l = l.WithGroup(text())"},
	"log prefix":               {"var ls []*log.Logger", "ls = append(ls, log.New(io.Discard, text(), 0))"},
	"regexp":                   {"var rs []*regexp.Regexp", "rs = append(rs, regexp.MustCompile(strings.Repeat(\"x[a-c]\", 2000) + strconv.Itoa(i)))"},
	"regexp, repeated":         {"var rs []*regexp.Regexp", "rs = append(rs, regexp.MustCompile(\"(a{100}){9}\" + strconv.Itoa(i)))"},
	"text template, in itself": {"t := template.Must(template.New(\"t\").Parse(\"{{define \\\"a\\\"}}{{with .}}{{range .}}{{if true}}{{template \\\"a\\\" $}}{{end}}{{end}}{{end}}{{end}}{{template \\\"a\\\" .}}\"))", "t.Execute(io.Discard, []int{1})"},
	"text template":            {"var ts []*template.Template", "ts = append(ts, template.Must(template.New(\"a\").Parse(strings.Repeat(\"{{.}}x\", 2000))))"},
	"text template, one text":  {"var ts []*template.Template", "ts = append(ts, template.Must(template.New(\"a\").Parse(text())))"},
	"template functions":       {"var ts []*template.Template", "b := block(); ts = append(ts, template.New(\"a\").Funcs(template.FuncMap{\"f\": func() int { return len(b) }}))"},
	"strings.Replacer":         {"var rs []*strings.Replacer", "r := strings.NewReplacer(text(), \"x\"); rs = append(rs, r)"},
	"strings.Replacer, built":  {"var rs []*strings.Replacer\nvar args []string\nfor i := range 256 { args = append(args, string(rune(i)) + \"k\", \"v\") }", "r := strings.NewReplacer(args...); r.Replace(\"xk\"); rs = append(rs, r)"},
	"big.Int":                  {"var ns []*big.Int", "n := new(big.Int).Lsh(big.NewInt(1), 8*MiB); ns = append(ns, n)"},
	"big.Int bytes":            {"var ns []*big.Int", "n := new(big.Int).SetBytes(block()); ns = append(ns, n)"},
	"big.Int gob":              {"var ns []*big.Int\nsrc, _ := new(big.Int).SetBytes(block()).GobEncode()", "n := new(big.Int); n.GobDecode(src); ns = append(ns, n)"},
	"big.Int rand":             {"var ns []*big.Int\nr := rand.New(rand.NewSource(1))\nmost := new(big.Int).Lsh(big.NewInt(1), 8*MiB)", "ns = append(ns, new(big.Int).Rand(r, most))"},
	"big.Rat":                  {"var ns []*big.Rat\nn := new(big.Int).SetBytes(block())", "ns = append(ns, new(big.Rat).SetInt(n))"},
	"big.Float":                {"var ns []*big.Float", "ns = append(ns, new(big.Float).SetPrec(8*MiB).SetInt64(3).Sqrt(big.NewFloat(2).SetPrec(8*MiB)))"},
	"time.FixedZone":           {"var zs []*time.Location", "zs = append(zs, time.FixedZone(text(), i))"},
	"time.FixedZone, small":    {"var zs []*time.Location", "for range 1000 { zs = append(zs, time.FixedZone(\"x\", i)) }"},
	"hmac.New":                 {"var hs []any", "for range 1000 { hs = append(hs, hmac.New(sha256.New, []byte(\"key\"))) }"},
	"aes.NewCipher":            {"var hs []any", "for range 1000 { c, _ := aes.NewCipher(make([]byte, 32)); hs = append(hs, c) }"},
	"base64.NewEncoding":       {"var es []*base64.Encoding", "for range 1000 { es = append(es, base64.NewEncoding(\"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/\")) }"},
	"base32.NewEncoding":       {"var es []*base32.Encoding", "for range 1000 { es = append(es, base32.NewEncoding(\"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567\")) }"},
	"rand.NewSource":           {"var rs []rand.Source", "for range 200 { rs = append(rs, rand.NewSource(int64(i))) }"},
	"rand.New":                 {"var rs []*rand.Rand", "for range 200 { rs = append(rs, rand.New(rand.NewSource(int64(i)))) }"},
	"crc32 tables":             {"var ts []any", "for j := range 100 { ts = append(ts, crc32.MakeTable(uint32(i*100+j))) }"},
	"gzip writers":             {"var ws []*gzip.Writer", "w := gzip.NewWriter(io.Discard); w.Write([]byte(\"x\")); ws = append(ws, w)"},
	"flate readers":            {"var rs []io.Reader", "for range 20 { rs = append(rs, flate.NewReader(strings.NewReader(\"x\"))) }"},
	"zlib writers":             {"var ws []*zlib.Writer", "w := zlib.NewWriter(io.Discard); w.Write([]byte(\"x\")); ws = append(ws, w)"},
	"lzw writers":              {"var ws []any", "w := lzw.NewWriter(io.Discard, lzw.LSB, 8); w.Write([]byte(\"x\")); ws = append(ws, w)"},
	"csv readers":              {"var rs []*csv.Reader", "r := csv.NewReader(bytes.NewReader(block())); rs = append(rs, r)"},
	"csv records":              {"var rs [][]string\nsrc := strings.Repeat(\"x,\", 10_000)", "r, _ := csv.NewReader(strings.NewReader(src)).Read(); rs = append(rs, r)"},
	"url.Parse":                {"var us []*url.URL", "u, _ := url.Parse(\"/\" + strings.Repeat(\"x\", MiB)); us = append(us, u)"},
	"errors":                   {"var es []error", "es = append(es, fmt.Errorf(\"%s\", text()))"},
	"strconv errors":           {"var es []error", "_, err := strconv.Atoi(text()); es = append(es, err)"},
	"suffixarray":              {"var xs []any", "xs = append(xs, suffixarray.New(block()[:MiB/8]))"},
	"tabwriter":                {"var ws []any", "w := tabwriter.NewWriter(io.Discard, 0, 8, 1, ' ', 0); w.Write(block()); ws = append(ws, w)"},
	"memory files":             {"", "os.WriteFile(\"f\" + strconv.Itoa(i), block(), 0o600)"},
	"memory files, one":        {"f, _ := os.Create(\"f\")", "f.Write(block())"},
	"memory files, truncated":  {"", "f, _ := os.Create(\"f\" + strconv.Itoa(i)); f.Truncate(MiB); f.Close()"},
	"array to the host":        {"var vs []any\ntype A = [MiB]byte\nvar a A\na[1] = 1", "var v any = a; vs = append(vs, v)"},
	"map to the host":          {"var vs []slog.Value\nm := table()", "vs = append(vs, slog.AnyValue(m))"},
	"arrays in a list":         {"l := list.New()\nvar a [MiB/8]int\na[1] = 1", "l.PushBack(a)"},
	"slices of arrays":         {"l := list.New()", "a := make([][1024]byte, 1024); for j := range a { a[j][1] = 1 }; l.PushBack(a)"},
	"structs in a list":        {"l := list.New()", "a := make([]small, MiB/8); a[1].n = 1; l.PushBack(a)"},
	"small slices":             {"l := list.New()", "for range 1000 { l.PushBack(json.RawMessage(make([]byte, 1000))) }"},
	"tiny slices":              {"var m sync.Map", "for j := range 10000 { m.Store(i*10000+j, json.RawMessage(make([]byte, 17))) }"},
	"unique handles":           {"var hs []unique.Handle[string]", "hs = append(hs, unique.Make(text() + strconv.Itoa(i)))"},
	"flags":                    {"", "flag.String(strconv.Itoa(i), text(), text())"},
	"gob":                      {"var vs []any\nvar b bytes.Buffer\ngob.NewEncoder(&b).Encode(block())\nsrc := b.Bytes()", "var v []byte; gob.NewDecoder(bytes.NewReader(src)).Decode(&v); vs = append(vs, json.RawMessage(v))"},
	"tar headers":              {"var hs []any", "hs = append(hs, &tar.Header{Name: text()})"},
	"zip writers":              {"var ws []*zip.Writer", "w := zip.NewWriter(io.Discard); w.SetComment(strings.Repeat(\"x\", 60000)); f, _ := w.Create(\"a\"); f.Write(block()); ws = append(ws, w)"},
	"once values":              {"var fs []func() int", "b := block(); fs = append(fs, sync.OnceValue(func() int { return len(b) }))"},
	"iterators":                {"var fs []any", "fs = append(fs, slices.Values(ints()))"},
	"timers":                   {"", "b := block(); time.AfterFunc(time.Hour, func() { _ = b })"},
	"contexts, functions":      {"ctx, _ := context.WithCancel(context.Background())", "b := block(); context.AfterFunc(ctx, func() { _ = b })"},
}

// A script is one that holds more and more, for ever.
type script struct{ name, text string }

func scripts() []script {
	var all []script
	for _, c := range slices.Sorted(maps.Keys(containers)) {
		for _, e := range slices.Sorted(maps.Keys(elements)) {
			k := containers[c]
			all = append(all, loop(c+" of "+e, k.before, fmt.Sprintf(k.keep, elements[e])))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		all = append(all, loop(name, others[name].before, others[name].keep))
	}
	return all
}

func loop(name, before, keep string) script {
	return script{name, helpers + before + "\nfor i := 0; ; i++ { _ = i; " + keep + " }\n"}
}
