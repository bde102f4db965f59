package sandtraptest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Amplifiers make much memory, or take much time, out of little. Each of these
// programs would want more than its run has, in one call of the library or in few.
var amplifiers = map[string]string{
	"hash of much":             "b := make([]byte, 32<<20)\nfor { sha512.Sum512(b) }",
	"hash, written to":         "b := make([]byte, 32<<20)\nh := md5.New()\nfor { h.Write(b) }",
	"hash by io.WriteString":   "s := strings.Repeat(\"x\", 32<<20)\nh := sha1.New()\nfor { io.WriteString(h, s) }",
	"hmac":                     "b := make([]byte, 32<<20)\nh := hmac.New(sha256.New, b)\nfor { h.Write(b) }",
	"pbkdf2":                   "pbkdf2.Key(sha256.New, \"p\", nil, 1<<40, 32)",
	"pbkdf2, long key":         "pbkdf2.Key(sha256.New, \"p\", nil, 1, 1<<30)",
	"checksum":                 "b := make([]byte, 32<<20)\nfor { crc64.Checksum(b, nil) }",
	"random":                   "b := make([]byte, 32<<20)\nfor { rand.Read(b) }",
	"random prime":             "rand.Prime(rand.Reader, 1<<16)",
	"hex":                      "b := make([]byte, 24<<20)\ns := hex.EncodeToString(b)\n_ = s",
	"hex dump":                 "b := make([]byte, 16<<20)\nfor { hex.Dump(b) }",
	"base64":                   "var l []string\nb := make([]byte, 10<<20)\nfor { l = append(l, base64.StdEncoding.EncodeToString(b)) }",
	"base64 encoder":           "var b bytes.Buffer\nw := base64.NewEncoder(base64.StdEncoding, &b)\np := make([]byte, 1<<20)\nfor { w.Write(p) }",
	"base32":                   "b := make([]byte, 16<<20)\nfor { base32.StdEncoding.EncodeToString(b) }",
	"html":                     "s := strings.Repeat(\"<\", 16<<20)\nfor { html.EscapeString(s) }",
	"power":                    "x := big.NewInt(3)\nx.Exp(x, big.NewInt(1<<40), nil)",
	"power of power":           "x := big.NewInt(3)\nfor { x.Exp(x, x, nil) }",
	"power modulo":             "x := new(big.Int).Lsh(big.NewInt(1), 1<<20)\nm := new(big.Int).Sub(x, big.NewInt(1))\nx.Exp(m, m, x)",
	"shift":                    "new(big.Int).Lsh(big.NewInt(1), 1<<40)",
	"bit":                      "new(big.Int).SetBit(big.NewInt(1), 1<<40, 1)",
	"squares":                  "x := big.NewInt(3)\nfor { x.Mul(x, x) }",
	"shifts, kept":             "var l []*big.Int\nfor { l = append(l, new(big.Int).Lsh(big.NewInt(1), 1<<20)) }",
	"sums, kept":               "var l []*big.Int\nx := new(big.Int).Lsh(big.NewInt(1), 1<<20)\nfor { l = append(l, new(big.Int).Add(x, x)) }",
	"factorial":                "new(big.Int).MulRange(1, 1<<40)",
	"binomial":                 "new(big.Int).Binomial(1<<62, 1<<61)",
	"binomial, slow":           "new(big.Int).Binomial(2_000_000, 1_000_000)",
	"square root":              "x := new(big.Int).Lsh(big.NewInt(1), 1<<26)\nx.Sqrt(x)",
	"inverse":                  "x := new(big.Int).Lsh(big.NewInt(1), 1<<23)\ny := new(big.Int).Sub(x, big.NewInt(1))\ny.Div(y, big.NewInt(3))\ny.ModInverse(y, x)",
	"greatest divisor":         "x := new(big.Int).Exp(big.NewInt(3), big.NewInt(1<<22), nil)\ny := new(big.Int).Exp(big.NewInt(7), big.NewInt(1<<21), nil)\nx.GCD(nil, nil, x, y)",
	"jacobi":                   "x := new(big.Int).Exp(big.NewInt(3), big.NewInt(1<<20), nil)\ny := new(big.Int).Exp(big.NewInt(7), big.NewInt(1<<20), nil)\nbig.Jacobi(x, y)",
	"square root modulo nine":  "new(big.Int).ModSqrt(big.NewInt(4), big.NewInt(9))",
	"prime":                    "x := new(big.Int).Lsh(big.NewInt(1), 1<<17)\nx.Sub(x, big.NewInt(1)).ProbablyPrime(1<<30)",
	"number as text":           "x := new(big.Int).Lsh(big.NewInt(1), 1<<26)\n_ = x.Text(10)",
	"number printed":           "x := new(big.Int).Lsh(big.NewInt(1), 1<<26)\nfmt.Println(x)",
	"numbers printed":          "x := new(big.Int).Lsh(big.NewInt(1), 1<<25)\nfmt.Println([]*big.Int{x, x, x, x})",
	"text as number":           "x, _ := new(big.Int).SetString(strings.Repeat(\"9\", 8<<20), 10)\n_ = x",
	"text scanned as number":   "x := new(big.Int)\nfmt.Sscan(strings.Repeat(\"9\", 8<<20), x)",
	"sum of far floats":        "x := new(big.Float).SetMantExp(big.NewFloat(1), 1<<30)\nx.Add(x, big.NewFloat(1))",
	"root of long float":       "x := new(big.Float).SetPrec(1<<30).SetInt64(2)\nx.Sqrt(x)",
	"quotient of long floats":  "x := new(big.Float).SetPrec(1<<31).SetInt64(2)\nx.Quo(x, big.NewFloat(3))",
	"far float as integer":     "x, _ := new(big.Float).SetMantExp(big.NewFloat(1), 1<<30).Int(nil)\n_ = x",
	"far float as text":        "_ = new(big.Float).SetMantExp(big.NewFloat(1), 1<<24).Text('f', 10)",
	"small float as text":      "_ = new(big.Float).SetMantExp(big.NewFloat(1), -1<<24).Text('g', 10)",
	"small float printed":      "fmt.Println(new(big.Float).SetMantExp(big.NewFloat(1), -1<<24))",
	"fraction as text":         "_ = big.NewRat(1, 3).FloatString(1 << 27)",
	"fraction from text":       "var l []*big.Rat\nfor { r, _ := new(big.Rat).SetString(\"1e900000\"); l = append(l, r) }",
	"regexp, long text":        "re := regexp.MustCompile(`(a|aa)*b`)\n_ = re.MatchString(strings.Repeat(\"a\", 16<<20))",
	"regexp, square":           "re := regexp.MustCompile(`a.*b|a`)\n_ = len(re.FindAllString(strings.Repeat(\"a\", 1<<20), -1))",
	"regexp, square, begins":   "re := regexp.MustCompile(`\\ba.*b|a`)\n_ = len(re.FindAllStringIndex(strings.Repeat(\"a\", 1<<20), -1))",
	"regexp, small squares":    "re := regexp.MustCompile(`a.*b|a`)\ns := strings.Repeat(\"a\", 1<<12)\nfor { _ = len(re.FindAllString(s, -1)) }",
	"regexp, replacement":      "re := regexp.MustCompile(`a`)\n_ = re.ReplaceAllString(strings.Repeat(\"a\", 1<<20), strings.Repeat(\"$0\", 1000))",
	"regexp, replaced by func": "re := regexp.MustCompile(`a`)\nr := strings.Repeat(\"b\", 1<<10)\n_ = re.ReplaceAllStringFunc(strings.Repeat(\"a\", 1<<20), func(string) string { return r })",
	"regexp, expanded":         "re := regexp.MustCompile(`a*`)\ns := strings.Repeat(\"a\", 1<<20)\n_ = re.ExpandString(nil, strings.Repeat(\"$0\", 1<<10), s, re.FindStringSubmatchIndex(s))",
	"regexp, groups":           "re := regexp.MustCompile(strings.Repeat(`(a?)`, 500) + `b`)\n_ = re.FindStringSubmatch(strings.Repeat(\"a\", 1<<20))",
	"regexp, repetitions":      "re := regexp.MustCompile(strings.Repeat(`((a{10}b?){10}c?){9}`, 10))\n_ = re.MatchString(strings.Repeat(\"a\", 1<<20))",
	"regexps, kept":            "var l []*regexp.Regexp\np := strings.Repeat(`(a|b)`, 1000)\nfor { l = append(l, regexp.MustCompile(p)) }",
	"regexp, classes":          "regexp.MustCompile(strings.Repeat(`(?i)[\\pL\\pN]`, 10000))",
	"regexp, all places":       "re := regexp.MustCompile(``)\n_ = len(re.FindAllStringIndex(strings.Repeat(\"a\", 8<<20), -1))",
	"regexp, split":            "re := regexp.MustCompile(``)\n_ = len(re.Split(strings.Repeat(\"a\", 8<<20), -1))",
	"regexp, endless reader":   "re := regexp.MustCompile(`b`)\n_ = re.MatchReader(bufio.NewReader(rand.Reader))\nfor { re.MatchReader(strings.NewReader(strings.Repeat(\"a\", 1<<20))) }",
	"json, shared parts":       "var v any = 1\nfor range 40 { v = []any{v, v} }\njson.Marshal(v)",
	"json, shared in structs":  "type n struct{ A, B *n }\nv := &n{}\nfor range 40 { v = &n{v, v} }\njson.Marshal(v)",
	"json, long string":        "s := strings.Repeat(\"\\x01\", 10<<20)\nfor { json.Marshal(s) }",
	"json, bytes":              "b := make([]byte, 20<<20)\nfor { json.Marshal(b) }",
	"json, kept":               "var l [][]byte\ns := strings.Repeat(\"x\", 1<<20)\nfor { b, _ := json.Marshal(s); l = append(l, b) }",
	"json, indented":           "json.MarshalIndent(make([]int, 100000), strings.Repeat(\"p\", 1<<12), \"\")",
	"json, indented deep":      "var v any\nfor range 5000 { v = []any{v} }\njson.MarshalIndent(v, \"\", strings.Repeat(\" \", 1<<10))",
	"json, Indent":             "var b bytes.Buffer\njson.Indent(&b, []byte(strings.Repeat(\"[\", 9000)+strings.Repeat(\"]\", 9000)), \"\", \"    \")",
	"json, spaces":             "b := bytes.Repeat([]byte(\" \"), 30<<20)\nfor { json.Valid(b) }",
	"json, spaces compacted":   "var o bytes.Buffer\nb := append(bytes.Repeat([]byte(\" \"), 30<<20), '1')\nfor { json.Compact(&o, b) }",
	"json, text of any":        "var v any\njson.Unmarshal([]byte(\"[\"+strings.Repeat(\"[],\", 4<<20)+\"1]\"), &v)",
	"json, objects of any":     "var v any\njson.Unmarshal([]byte(\"[\"+strings.Repeat(\"{},\", 4<<20)+\"1]\"), &v)",
	"json, text of structs":    "var v []struct{ A [100]int }\njson.Unmarshal([]byte(\"[\"+strings.Repeat(\"{},\", 1<<20)+\"{}]\"), &v)",
	"json, text skipped":       "var v struct{}\nb := []byte(\"{\\\"a\\\":[\"+strings.Repeat(\"[],\", 4<<20)+\"1]}\")\nfor { json.Unmarshal(b, &v) }",
	"json, keys":               "var b strings.Builder\nfor i := range 200000 { fmt.Fprintf(&b, \",\\\"k%d\\\":1\", i) }\nt := []byte(\"{\\\"k\\\":1\" + b.String() + \"}\")\nvar l []map[string]int\nfor { var m map[string]int; json.Unmarshal(t, &m); l = append(l, m) }",
	"json, long number":        "b := bytes.Repeat([]byte(\"1\"), 30<<20)\nvar v any\nfor { json.Unmarshal(b, &v) }",
	"json, escapes":            "b := []byte(`\"` + strings.Repeat(`\\u00e9`, 4<<20) + `\"`)\nvar s string\nfor { json.Unmarshal(b, &s) }",
	"json, base64":             "b := []byte(`\"` + strings.Repeat(`AAAA`, 6<<20) + `\"`)\nvar s []byte\nfor { json.Unmarshal(b, &s) }",
	"json, own methods":        "json.Marshal(marshaler(100))\ntype marshaler int\nfunc (m marshaler) MarshalJSON() ([]byte, error) { if m == 0 { return []byte(\"1\"), nil }; json.Marshal(m - 1); return json.Marshal(m - 1) }",
	"json, endless reader":     "json.NewDecoder(&endless{}).Decode(new(any))\ntype endless struct{ n int }\nfunc (e *endless) Read(p []byte) (int, error) { for i := range p { p[i] = \"[1,\"[min(e.n, 1+e.n%2)]; e.n++ }; return len(p), nil }",
	"json, endless tokens":     "d := json.NewDecoder(&endless{})\nfor { d.Token() }\ntype endless struct{}\nfunc (e *endless) Read(p []byte) (int, error) { for i := range p { p[i] = '[' }; return len(p), nil }",
	"json, encoder kept":       "var b bytes.Buffer\ne := json.NewEncoder(&b)\nfor { e.Encode(strings.Repeat(\"x\", 1<<10)) }",
	"json, map sorted":         "m := map[int]bool{}\nfor i := range 300000 { m[i] = true }\nfor { json.Marshal(m) }",
	"gzip bomb, kept":          "var b bytes.Buffer\nw := gzip.NewWriter(&b)\np := make([]byte, 1<<20)\nfor range 40 { w.Write(p) }\nw.Close()\nr, _ := gzip.NewReader(&b)\nx, _ := io.ReadAll(r)\nl := [][]byte{x}\nfor { l = append(l, bytes.Clone(x)) }",
	"gzip bomb, dropped":       "var b bytes.Buffer\nw := gzip.NewWriter(&b)\np := make([]byte, 1<<20)\nfor range 20 { w.Write(p) }\nw.Close()\nfor { r, _ := gzip.NewReader(bytes.NewReader(b.Bytes())); io.Copy(io.Discard, r) }",
	"gzip of much":             "p := make([]byte, 32<<20)\nrand.Read(p[:8<<20])\nw, _ := gzip.NewWriterLevel(io.Discard, 9)\nfor { w.Write(p) }",
	"gzip, printed to":         "s := strings.Repeat(\"ab\", 16<<20)\nw, _ := gzip.NewWriterLevel(io.Discard, 9)\nfor { fmt.Fprint(w, s) }",
	"flate of empty blocks":    "b := bytes.Repeat([]byte{0, 0, 0, 255, 255}, 6<<20)\nfor { io.ReadAll(flate.NewReader(bytes.NewReader(b))) }",
	"zlib writers, kept":       "var l []*zlib.Writer\nfor { w := zlib.NewWriter(io.Discard); w.Write([]byte{1}); l = append(l, w) }",
	"gzip writers, zero":       "var l [1000]gzip.Writer\nfor i := range l { l[i].Reset(io.Discard); l[i].Write([]byte{1}) }\nfor {}",
	"zip entries, kept":        "var b bytes.Buffer\nw := zip.NewWriter(&b)\nn := strings.Repeat(\"x\", 60000)\nfor { w.Create(n) }",
	"zip directory":            "var b bytes.Buffer\nw := zip.NewWriter(&b)\nfor i := range 20000 { w.CreateHeader(&zip.FileHeader{Name: fmt.Sprint(i)}) }\nw.Close()\nvar l []*zip.Reader\nfor { r, _ := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len())); l = append(l, r) }",
	"zip, slashes":             "var b bytes.Buffer\nw := zip.NewWriter(&b)\nn := strings.Repeat(\"x/\", 30000)\nfor i := range 100 { w.Create(fmt.Sprint(n, i)) }\nw.Close()\nr, _ := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))\nf, err := r.Open(\"x\")\nfor { fmt.Sprint(f, err) }",
	"tar, sparse":              "var b bytes.Buffer\nw := tar.NewWriter(&b)\nfor i := range 2000 { w.WriteHeader(&tar.Header{Name: fmt.Sprint(i), Format: tar.FormatPAX, PAXRecords: map[string]string{\"A.b\": strings.Repeat(\"c\", 1000)}}) }\nw.Close()\nvar l []*tar.Header\nfor { r := tar.NewReader(bytes.NewReader(b.Bytes())); for { h, err := r.Next(); if err != nil { break }; l = append(l, h) } }",
	"sort of millions":         "l := make([]int, 2<<20)\nfor { for i := 0; i < len(l); i += 64 { l[i] = i*7919 % 1000003 }; sort.Ints(l) }",
	"slices.Sort of millions":  "l := make([]int, 2<<20)\nfor { for i := 0; i < len(l); i += 64 { l[i] = i*7919 % 1000003 }; slices.Sort(l) }",
	"any of many":              "s := strings.Repeat(\"a\", 1<<20)\nfor { strings.IndexAny(s, strings.Repeat(\"é\", 1<<19)) }",
	"suffix array":             "suffixarray.New(make([]byte, 16<<20))",
	"reflect, slice":           "_ = reflect.MakeSlice(reflect.TypeOf([]int{}), 1<<30, 1<<30).Len()",
	"reflect, arrays kept":     "var l []reflect.Value\nfor { l = append(l, reflect.New(reflect.TypeFor[[1 << 16]int64]())) }",
	"reflect, appended":        "v := reflect.ValueOf([]int{1})\nfor { v = reflect.AppendSlice(v, v) }",
	"reflect, grown":           "var l []int\nreflect.ValueOf(&l).Elem().Grow(1 << 30)",
	"reflect, map walks":       "m := map[int]int{1: 1}\nvar l []*reflect.MapIter\nfor { it := reflect.ValueOf(m).MapRange(); it.Next(); l = append(l, it) }",
	"reflect, keys":            "m := map[int]int{}\nfor i := range 100000 { m[i] = i }\nvar l [][]reflect.Value\nfor { l = append(l, reflect.ValueOf(m).MapKeys()) }",
	"reflect, deep equal":      "a, b := make([]int, 1<<20), make([]int, 1<<20)\nfor { reflect.DeepEqual(a, b) }",
	"reflect, converted":       "s := reflect.ValueOf(strings.Repeat(\"x\", 8<<20))\nfor { s.Convert(reflect.TypeFor[[]rune]()) }",
	"reflect, called":          "var f func(int) int\nf = func(n int) int { if n == 0 { return 1 }; v := []reflect.Value{reflect.ValueOf(n - 1)}; reflect.ValueOf(f).Call(v); return int(reflect.ValueOf(f).Call(v)[0].Int()) }\nf(100)",
	"number, own text":         "x := new(big.Int).Lsh(big.NewInt(1), 1<<26)\n_ = x.String()",
	"float, own text":          "x := new(big.Float).SetMantExp(big.NewFloat(1), 1<<26)\n_ = x.String()",
	"float, shortest":          "x := new(big.Float).SetPrec(1<<18).SetInt64(2)\nx.Quo(x, big.NewFloat(3))\n_ = x.Text('g', -1)",
	"errors of errors":         "err := errors.New(strings.Repeat(\"x\", 1<<20))\nfor range 10 { err = errors.Join(err, err) }\n_ = err.Error()",
	"errors of errors printed": "err := errors.New(strings.Repeat(\"x\", 1<<20))\nfor range 10 { err = errors.Join(err, err) }\nfmt.Fprintln(io.Discard, err)",
	"errors of own errors":     "type e string\nfunc (e e) Error() string { return string(e) }\nvar err error = e(strings.Repeat(\"x\", 1<<20))\nfor range 10 { err = errors.Join(err, err) }\n_ = err.Error()",
	"errors of paths":          "err := errors.New(\"x\")\nfor range 40 { err = &fs.PathError{Op: \"x\", Path: \"y\", Err: errors.Join(err, err)} }\n_ = err.Error()",
	"errors panicked":          "err := errors.New(strings.Repeat(\"x\", 1<<20))\nfor range 10 { err = errors.Join(err, err) }\npanic(err)",
	"replacer, long":           "s := strings.Repeat(\"a\", 4<<20)\nstrings.NewReplacer(\"b\"+s, \"x\", \"c\", \"d\", \"ee\", \"f\").Replace(s)\nstrings.NewReplacer(s+\"b\", \"x\").Replace(s)",
	"replacer, many":           "s := strings.Repeat(\"a\", 1<<20)\nvar l []string\nfor i := range 10000 { l = append(l, s[:i+1], \"\") }\nfor { strings.NewReplacer(l...).Replace(s) }",
	"sort.Sort of millions":    "l := make(sort.IntSlice, 2<<20)\nfor { for i := range l { l[i] = i*7919 % 1000003 }; sort.Sort(sort.Reverse(l)) }",
	"sorted, one long text":    "s := strings.Repeat(\"a\", 8<<20)\nl := make([]string, 1<<16)\nfor i := range l { l[i] = s[i:] }\nsort.Strings(l)\nsort.Sort(sort.Reverse(sort.StringSlice(l)))\nslices.IsSorted(l)",
	"sorted, other kinds":      "l := make([]uint16, 2<<20)\nfor { for i := range l { l[i] = uint16(i*7919) }; slices.Sort(l) }",
	"upper case":               "s := strings.Repeat(\"\\xff\", 16<<20)\nfor { strings.ToUpper(s) }",
	"matched pattern":          "filepath.Match(strings.Repeat(\"*a\", 1<<20)+\"b\", strings.Repeat(\"a\", 1<<20))",
	"print of a map":           "m := map[int]int{}\nfor i := range 200000 { m[i] = i }\nfor { fmt.Fprint(io.Discard, m) }",
	"print of floats":          "l := make([]float64, 1<<20)\nfor i := range l { l[i] = 1/float64(i+3) }\nfor { fmt.Fprint(io.Discard, l) }",
	"scan":                     "s := strings.Repeat(\"a\", 24<<20)\nvar x string\nfor { fmt.Sscan(s, &x) }",
	"scan, long format":        "s := strings.Repeat(\" \", 24<<20)\nfor { fmt.Sscanf(s, s) }",
	"time layout":              "s := strings.Repeat(\"2006\", 4<<20)\nfor { time.Parse(s, s) }",
	"url":                      "s := strings.Repeat(\"a/\", 16<<20)\nfor { url.JoinPath(s, s) }",
	"signature":                "k := ed25519.NewKeyFromSeed(make([]byte, 32))\nb := make([]byte, 32<<20)\nfor { ed25519.Sign(k, b) }",
	"sum of fractions":         "x := big.NewRat(1, 3)\nfor i := int64(1); ; i++ { x.Add(x, big.NewRat(1, i*i+1)) }",
}

func TestAmplifiers(t *testing.T) { wantStopped(t, amplifiers) }

// wantStopped wants each to end by a limit, soon after it, and the host to stay
// small.
func wantStopped(t *testing.T, amplifiers map[string]string) {
	plan, err := sandtrap.Compile(sandtrap.Policy{Std: sandtrap.Default(), Engine: "vm", Limits: sandtrap.Limits{Memory: memoryLimit, Timeout: amplifyTime, Output: 1 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	for name, src := range amplifiers {
		t.Run(name, func(t *testing.T) {
			box, script := amplifierOf(t, plan, src)
			late := []time.Duration{amplify(t, box, script)}
			for late[0] > amplifyLate && len(late) < 7 { // it may be by chance
				late = append(late, amplify(t, box, script))
			}
			if slices.Sort(late); late[0] > amplifyLate || late[len(late)/2] > amplifyMedian {
				t.Errorf("after the time there was work of %v, want %v once, and in the mean %v", late, amplifyLate, amplifyMedian)
			}
		})
	}
}

// amplify runs one of them, and tells how much work there was after its time.
func amplify(t *testing.T, box *sandtrap.Sandbox, script sandtrap.Script) (late time.Duration) {
	runtime.GC()
	before := heapNow()
	most := peak(t)
	slow := slowness()
	start := time.Now()
	var err error
	late = workAfter(amplifyTime, func(ctx context.Context) time.Duration {
		var res *sandtrap.Result
		res, err = box.Run(ctx, script)
		return res.Duration
	})
	took := time.Since(start)
	grown := most() - before
	slow = max(slow, slowness())
	late = time.Duration(float64(late) / slow)
	t.Logf("%v after %v, work of %v after the time (the machine was %.1f times as slow), heap grew by %d MiB", kindOf(err),
		took.Round(time.Millisecond), late.Round(100*time.Microsecond), slow, grown>>20)
	if !errors.Is(err, sandtrap.ErrMemory) && !errors.Is(err, sandtrap.ErrTimeout) {
		t.Errorf("error %v, want ErrMemory or ErrTimeout", err)
	}
	if took > amplifySlack {
		t.Errorf("took %v, want it to end soon after %v", took, amplifyTime)
	}
	if grown > 12*memoryLimit { // what else the tests hold lets garbage grow as much again
		t.Errorf("the heap of the host grew by %d MiB", grown>>20)
	}
	return late
}

const (
	amplifyTime  = 200 * time.Millisecond
	amplifySlack = 2 * time.Second // a machine may be busy

	// amplifyLate is how much work may come after the time, as the machine does it when it does
	// nothing else. Where that is more in the first run, there are more: one of them has to keep
	// it, and their median amplifyMedian, as what else a machine does slows work in many ways.
	amplifyLate   = 10 * time.Millisecond
	amplifyMedian = 60 * time.Millisecond
)

func kindOf(err error) string {
	if e := (*sandtrap.Error)(nil); errors.As(err, &e) {
		return string(e.Kind)
	}
	return fmt.Sprint(err)
}

// amplifierOf compiles a snippet, so that a run has all of its time for running; where two
// packages have one name it means the first of ambiguous.
func amplifierOf(t *testing.T, plan *sandtrap.Plan, src string) (*sandtrap.Sandbox, sandtrap.Script) {
	for _, path := range ambiguous {
		name := path[strings.LastIndex(path, "/")+1:]
		if strings.Contains(src, name+".") && !strings.HasPrefix(src, "import") {
			src = fmt.Sprintf("import %q\n%s", path, src)
		}
	}
	box, err := plan.New(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { box.Close() })
	script := sandtrap.Script{Text: src}
	for range 50 { // within the time of a run
		if _, err = box.Check(context.Background(), script); err == nil {
			return box, script
		}
	}
	t.Fatal(err)
	return nil, script
}

var ambiguous = []string{"crypto/rand", "text/template", "text/scanner"}
