package wrap

import (
	"context"
	"encoding/xml"
	"hash"
	"image"
	"image/color"
	"image/draw"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// Each of these types has one method of an interface of the standard library, and
// calls that of a script value. Put together they show the host just the methods that
// the value has: see compositions. The methods are those of pointers: so a composition has
// each once, and not again as a value, which a program would be a twentieth larger by.
type (
	withError            struct{ p *plainVal }
	withIs               struct{ p *plainVal }
	withAs               struct{ p *plainVal }
	withUnwrap           struct{ p *plainVal }
	withUnwrapAll        struct{ p *plainVal }
	withTimeout          struct{ p *plainVal }
	withTemporary        struct{ p *plainVal }
	withRuntimeError     struct{ p *plainVal }
	withString           struct{ p *plainVal }
	withGoString         struct{ p *plainVal }
	withRead             struct{ p *plainVal }
	withWrite            struct{ p *plainVal }
	withClose            struct{ p *plainVal }
	withSeek             struct{ p *plainVal }
	withReadAt           struct{ p *plainVal }
	withWriteAt          struct{ p *plainVal }
	withReadFrom         struct{ p *plainVal }
	withWriteTo          struct{ p *plainVal }
	withReadByte         struct{ p *plainVal }
	withUnreadByte       struct{ p *plainVal }
	withWriteByte        struct{ p *plainVal }
	withReadRune         struct{ p *plainVal }
	withUnreadRune       struct{ p *plainVal }
	withWriteString      struct{ p *plainVal }
	withLen              struct{ p *plainVal }
	withLess             struct{ p *plainVal }
	withSwap             struct{ p *plainVal }
	withPush             struct{ p *plainVal }
	withPop              struct{ p *plainVal }
	withLock             struct{ p *plainVal }
	withUnlock           struct{ p *plainVal }
	withMarshalText      struct{ p *plainVal }
	withAppendText       struct{ p *plainVal }
	withUnmarshalText    struct{ p *plainVal }
	withMarshalBinary    struct{ p *plainVal }
	withAppendBinary     struct{ p *plainVal }
	withUnmarshalBinary  struct{ p *plainVal }
	withGobEncode        struct{ p *plainVal }
	withGobDecode        struct{ p *plainVal }
	withSet              struct{ p *plainVal }
	withGet              struct{ p *plainVal }
	withIsBoolFlag       struct{ p *plainVal }
	withNetwork          struct{ p *plainVal }
	withLogValue         struct{ p *plainVal }
	withLevel            struct{ p *plainVal }
	withEnabled          struct{ p *plainVal }
	withHandle           struct{ p *plainVal }
	withWithAttrs        struct{ p *plainVal }
	withWithGroup        struct{ p *plainVal }
	withSum              struct{ p *plainVal }
	withReset            struct{ p *plainVal }
	withSizeHash         struct{ p *plainVal }
	withBlockSize        struct{ p *plainVal }
	withSum32            struct{ p *plainVal }
	withSum64            struct{ p *plainVal }
	withClone            struct{ p *plainVal }
	withOpen             struct{ p *plainVal }
	withStat             struct{ p *plainVal }
	withStatName         struct{ p *plainVal }
	withReadDir          struct{ p *plainVal }
	withReadDirName      struct{ p *plainVal }
	withReadFile         struct{ p *plainVal }
	withGlob             struct{ p *plainVal }
	withSub              struct{ p *plainVal }
	withLstat            struct{ p *plainVal }
	withReadLink         struct{ p *plainVal }
	withName             struct{ p *plainVal }
	withSize             struct{ p *plainVal }
	withMode             struct{ p *plainVal }
	withModTime          struct{ p *plainVal }
	withIsDir            struct{ p *plainVal }
	withSys              struct{ p *plainVal }
	withType             struct{ p *plainVal }
	withInfo             struct{ p *plainVal }
	withDeadline         struct{ p *plainVal }
	withDone             struct{ p *plainVal }
	withErr              struct{ p *plainVal }
	withValue            struct{ p *plainVal }
	withInt63            struct{ p *plainVal }
	withSeed             struct{ p *plainVal }
	withUint64           struct{ p *plainVal }
	withWidth            struct{ p *plainVal }
	withPrecision        struct{ p *plainVal }
	withFlag             struct{ p *plainVal }
	withSkipSpace        struct{ p *plainVal }
	withToken            struct{ p *plainVal }
	withEncrypt          struct{ p *plainVal }
	withDecrypt          struct{ p *plainVal }
	withCryptBlocks      struct{ p *plainVal }
	withXORKeyStream     struct{ p *plainVal }
	withNonceSize        struct{ p *plainVal }
	withOverhead         struct{ p *plainVal }
	withSeal             struct{ p *plainVal }
	withOpenSealed       struct{ p *plainVal }
	withUint16           struct{ p *plainVal }
	withUint32           struct{ p *plainVal }
	withUint64At         struct{ p *plainVal }
	withPutUint16        struct{ p *plainVal }
	withPutUint32        struct{ p *plainVal }
	withPutUint64        struct{ p *plainVal }
	withAppendUint16     struct{ p *plainVal }
	withAppendUint32     struct{ p *plainVal }
	withAppendUint64     struct{ p *plainVal }
	withResetTo          struct{ p *plainVal }
	withTokenXML         struct{ p *plainVal }
	withMarshalXMLAttr   struct{ p *plainVal }
	withUnmarshalXMLAttr struct{ p *plainVal }
	withColorModel       struct{ p *plainVal }
	withBounds           struct{ p *plainVal }
	withAt               struct{ p *plainVal }
	withSetColor         struct{ p *plainVal }
	withRGBA64At         struct{ p *plainVal }
	withSetRGBA64        struct{ p *plainVal }
	withColorIndexAt     struct{ p *plainVal }
	withOpaque           struct{ p *plainVal }
	withRGBA             struct{ p *plainVal }
	withConvert          struct{ p *plainVal }
	withDraw             struct{ p *plainVal }
	withSetCookies       struct{ p *plainVal }
	withCookies          struct{ p *plainVal }
	withPublicSuffix     struct{ p *plainVal }
	withServeHTTP        struct{ p *plainVal }
	withHeader           struct{ p *plainVal }
	withWriteHeader      struct{ p *plainVal }
	withFlush            struct{ p *plainVal }
)

// errors
func (a *withError) Error() string     { return get[string](a.p.call("Error")) }
func (a *withIs) Is(target error) bool { return a.p.has(isBit) && get[bool](a.p.call("Is", target)) }
func (a *withAs) As(target any) bool   { return a.p.has(asBit) && get[bool](a.p.call("As", target)) }
func (a *withUnwrap) Unwrap() error {
	if !a.p.has(unwrapBit) {
		return nil
	}
	return get[error](a.p.call("Unwrap"))
}
func (a *withUnwrapAll) Unwrap() []error  { return get[[]error](a.p.call("Unwrap")) }
func (a *withTimeout) Timeout() bool      { return get[bool](a.p.call("Timeout")) }
func (a *withTemporary) Temporary() bool  { return get[bool](a.p.call("Temporary")) }
func (a *withRuntimeError) RuntimeError() { a.p.call("RuntimeError") }
func (a *withString) String() string      { return get[string](a.p.call("String")) }
func (a *withGoString) GoString() string  { return get[string](a.p.call("GoString")) }

// io
func (a *withRead) Read(p []byte) (int, error) {
	return a.p.read("Read", p[:min(len(p), engine.MaxRead)])
}
func (a *withWrite) Write(p []byte) (int, error) { return get2[int, error](a.p.call("Write", p)) }
func (a *withClose) Close() error                { return get[error](a.p.call("Close")) }
func (a *withSeek) Seek(offset int64, whence int) (int64, error) {
	return get2[int64, error](a.p.call("Seek", offset, whence))
}
func (a *withReadAt) ReadAt(p []byte, off int64) (int, error) {
	return a.p.read("ReadAt", p, off)
}
func (a *withWriteAt) WriteAt(p []byte, off int64) (int, error) {
	return get2[int, error](a.p.call("WriteAt", p, off))
}
func (a *withReadFrom) ReadFrom(r io.Reader) (int64, error) {
	return get2[int64, error](a.p.call("ReadFrom", r))
}
func (a *withWriteTo) WriteTo(w io.Writer) (int64, error) {
	return get2[int64, error](a.p.call("WriteTo", w))
}
func (a *withReadByte) ReadByte() (byte, error) { return get2[byte, error](a.p.call("ReadByte")) }
func (a *withUnreadByte) UnreadByte() error     { return get[error](a.p.call("UnreadByte")) }
func (a *withWriteByte) WriteByte(c byte) error { return get[error](a.p.call("WriteByte", c)) }
func (a *withReadRune) ReadRune() (rune, int, error) {
	return get3[rune, int, error](a.p.call("ReadRune"))
}
func (a *withUnreadRune) UnreadRune() error { return get[error](a.p.call("UnreadRune")) }
func (a *withWriteString) WriteString(s string) (int, error) {
	return get2[int, error](a.p.call("WriteString", s))
}

// sorting and locking
func (a *withLen) Len() int            { return int(a.p.ints("Len", 0, 0)) }
func (a *withLess) Less(i, j int) bool { return a.p.ints("Less", i, j) != 0 }
func (a *withSwap) Swap(i, j int)      { a.p.ints("Swap", i, j) }
func (a *withPush) Push(x any)         { a.p.call("Push", x) }
func (a *withPop) Pop() any            { return get[any](a.p.call("Pop")) }
func (a *withLock) Lock()              { a.p.call("Lock") }
func (a *withUnlock) Unlock()          { a.p.call("Unlock") }

// encoding and flag
func (a *withMarshalText) MarshalText() ([]byte, error) {
	return get2[[]byte, error](a.p.call("MarshalText"))
}
func (a *withAppendText) AppendText(b []byte) ([]byte, error) {
	return get2[[]byte, error](a.p.call("AppendText", b))
}
func (a *withUnmarshalText) UnmarshalText(text []byte) error {
	return get[error](a.p.call("UnmarshalText", text))
}
func (a *withMarshalBinary) MarshalBinary() ([]byte, error) {
	return get2[[]byte, error](a.p.call("MarshalBinary"))
}
func (a *withAppendBinary) AppendBinary(b []byte) ([]byte, error) {
	return get2[[]byte, error](a.p.call("AppendBinary", b))
}
func (a *withUnmarshalBinary) UnmarshalBinary(data []byte) error {
	return get[error](a.p.call("UnmarshalBinary", data))
}
func (a *withGobEncode) GobEncode() ([]byte, error) {
	return get2[[]byte, error](a.p.call("GobEncode"))
}
func (a *withGobDecode) GobDecode(data []byte) error { return get[error](a.p.call("GobDecode", data)) }
func (a *withSet) Set(s string) error                { return get[error](a.p.call("Set", s)) }
func (a *withGet) Get() any                          { return get[any](a.p.call("Get")) }
func (a *withIsBoolFlag) IsBoolFlag() bool           { return get[bool](a.p.call("IsBoolFlag")) }
func (a *withNetwork) Network() string               { return get[string](a.p.call("Network")) }

// slog
func (a *withLogValue) LogValue() slog.Value { return get[slog.Value](a.p.call("LogValue")) }
func (a *withLevel) Level() slog.Level       { return get[slog.Level](a.p.call("Level")) }
func (a *withEnabled) Enabled(ctx context.Context, l slog.Level) bool {
	return get[bool](a.p.call("Enabled", ctx, l))
}
func (a *withHandle) Handle(ctx context.Context, r slog.Record) error {
	return get[error](a.p.call("Handle", ctx, r))
}
func (a *withWithAttrs) WithAttrs(attrs []slog.Attr) slog.Handler {
	return get[slog.Handler](a.p.call("WithAttrs", attrs))
}
func (a *withWithGroup) WithGroup(name string) slog.Handler {
	return get[slog.Handler](a.p.call("WithGroup", name))
}

// hash
func (a *withSum) Sum(b []byte) []byte           { return get[[]byte](a.p.call("Sum", b)) }
func (a *withReset) Reset()                      { a.p.call("Reset") }
func (a *withSizeHash) Size() int                { return get[int](a.p.size("Size")) }
func (a *withBlockSize) BlockSize() int          { return get[int](a.p.size("BlockSize")) }
func (a *withSum32) Sum32() uint32               { return get[uint32](a.p.call("Sum32")) }
func (a *withSum64) Sum64() uint64               { return get[uint64](a.p.call("Sum64")) }
func (a *withClone) Clone() (hash.Cloner, error) { return get2[hash.Cloner, error](a.p.call("Clone")) }

// fs
func (a *withOpen) Open(name string) (fs.File, error) {
	return get2[fs.File, error](a.p.call("Open", name))
}
func (a *withStat) Stat() (fs.FileInfo, error) { return get2[fs.FileInfo, error](a.p.call("Stat")) }
func (a *withStatName) Stat(name string) (fs.FileInfo, error) {
	return get2[fs.FileInfo, error](a.p.call("Stat", name))
}
func (a *withReadDir) ReadDir(n int) ([]fs.DirEntry, error) {
	return get2[[]fs.DirEntry, error](a.p.call("ReadDir", n))
}
func (a *withReadDirName) ReadDir(name string) ([]fs.DirEntry, error) {
	return get2[[]fs.DirEntry, error](a.p.call("ReadDir", name))
}
func (a *withReadFile) ReadFile(name string) ([]byte, error) {
	return get2[[]byte, error](a.p.call("ReadFile", name))
}
func (a *withGlob) Glob(pattern string) ([]string, error) {
	return get2[[]string, error](a.p.call("Glob", pattern))
}
func (a *withSub) Sub(dir string) (fs.FS, error) { return get2[fs.FS, error](a.p.call("Sub", dir)) }
func (a *withLstat) Lstat(name string) (fs.FileInfo, error) {
	return get2[fs.FileInfo, error](a.p.call("Lstat", name))
}
func (a *withReadLink) ReadLink(name string) (string, error) {
	return get2[string, error](a.p.call("ReadLink", name))
}
func (a *withName) Name() string               { return get[string](a.p.call("Name")) }
func (a *withSize) Size() int64                { return get[int64](a.p.size("Size")) }
func (a *withMode) Mode() fs.FileMode          { return get[fs.FileMode](a.p.call("Mode")) }
func (a *withModTime) ModTime() time.Time      { return get[time.Time](a.p.call("ModTime")) }
func (a *withIsDir) IsDir() bool               { return get[bool](a.p.call("IsDir")) }
func (a *withSys) Sys() any                    { return get[any](a.p.call("Sys")) }
func (a *withType) Type() fs.FileMode          { return get[fs.FileMode](a.p.call("Type")) }
func (a *withInfo) Info() (fs.FileInfo, error) { return get2[fs.FileInfo, error](a.p.call("Info")) }

// context and rand
func (a *withDeadline) Deadline() (time.Time, bool) {
	return get2[time.Time, bool](a.p.call("Deadline"))
}
func (a *withDone) Done() <-chan struct{} { return get[<-chan struct{}](a.p.call("Done")) }
func (a *withErr) Err() error             { return get[error](a.p.call("Err")) }
func (a *withValue) Value(key any) any    { return get[any](a.p.call("Value", key)) }
func (a *withInt63) Int63() int64         { return get[int64](a.p.call("Int63")) }
func (a *withSeed) Seed(seed int64)       { a.p.call("Seed", seed) }
func (a *withUint64) Uint64() uint64      { return get[uint64](a.p.call("Uint64")) }

// fmt
func (a *withWidth) Width() (int, bool)         { return get2[int, bool](a.p.call("Width")) }
func (a *withPrecision) Precision() (int, bool) { return get2[int, bool](a.p.call("Precision")) }
func (a *withFlag) Flag(c int) bool             { return get[bool](a.p.call("Flag", c)) }
func (a *withSkipSpace) SkipSpace()             { a.p.call("SkipSpace") }
func (a *withToken) Token(skipSpace bool, f func(rune) bool) ([]byte, error) {
	return get2[[]byte, error](a.p.call("Token", skipSpace, f))
}

// image
func (a *withColorModel) ColorModel() color.Model { return get[color.Model](a.p.call("ColorModel")) }
func (a *withBounds) Bounds() image.Rectangle     { return get[image.Rectangle](a.p.call("Bounds")) }
func (a *withAt) At(x, y int) color.Color         { return get[color.Color](a.p.call("At", x, y)) }
func (a *withSetColor) Set(x, y int, c color.Color) {
	a.p.call("Set", x, y, c)
}
func (a *withRGBA64At) RGBA64At(x, y int) color.RGBA64 {
	return get[color.RGBA64](a.p.call("RGBA64At", x, y))
}
func (a *withSetRGBA64) SetRGBA64(x, y int, c color.RGBA64) { a.p.call("SetRGBA64", x, y, c) }
func (a *withColorIndexAt) ColorIndexAt(x, y int) uint8 {
	return get[uint8](a.p.call("ColorIndexAt", x, y))
}
func (a *withOpaque) Opaque() bool { return get[bool](a.p.call("Opaque")) }
func (a *withConvert) Convert(c color.Color) color.Color {
	return get[color.Color](a.p.call("Convert", c))
}
func (a *withRGBA) RGBA() (red, green, blue, opacity uint32) {
	out := a.p.call("RGBA")
	red, green = get2[uint32, uint32](out)
	blue, opacity = get2[uint32, uint32](out[2:])
	return red, green, blue, opacity
}
func (a *withSetCookies) SetCookies(u *url.URL, cookies []*http.Cookie) {
	a.p.call("SetCookies", u, cookies)
}

func (a *withCookies) Cookies(u *url.URL) []*http.Cookie {
	return get[[]*http.Cookie](a.p.call("Cookies", u))
}

func (a *withPublicSuffix) PublicSuffix(domain string) string {
	return get[string](a.p.call("PublicSuffix", domain))
}

func (a *withServeHTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.p.call("ServeHTTP", w, r)
}

func (a *withHeader) Header() http.Header { return get[http.Header](a.p.call("Header")) }

func (a *withFlush) Flush() { a.p.call("Flush") }

func (a *withWriteHeader) WriteHeader(code int) { a.p.call("WriteHeader", code) }

func (a *withDraw) Draw(dst draw.Image, r image.Rectangle, src image.Image, sp image.Point) {
	a.p.call("Draw", dst, r, src, sp)
}

// crypto and binary
func (a *withEncrypt) Encrypt(dst, src []byte)           { a.p.change("Encrypt", dst, src) }
func (a *withDecrypt) Decrypt(dst, src []byte)           { a.p.change("Decrypt", dst, src) }
func (a *withCryptBlocks) CryptBlocks(dst, src []byte)   { a.p.change("CryptBlocks", dst, src) }
func (a *withXORKeyStream) XORKeyStream(dst, src []byte) { a.p.change("XORKeyStream", dst, src) }
func (a *withNonceSize) NonceSize() int                  { return get[int](a.p.size("NonceSize")) }
func (a *withOverhead) Overhead() int                    { return get[int](a.p.size("Overhead")) }
func (a *withSeal) Seal(dst, nonce, plain, extra []byte) []byte {
	return get[[]byte](a.p.call("Seal", dst, nonce, plain, extra))
}
func (a *withOpenSealed) Open(dst, nonce, sealed, extra []byte) ([]byte, error) {
	return get2[[]byte, error](a.p.call("Open", dst, nonce, sealed, extra))
}
func (a *withUint16) Uint16(b []byte) uint16          { return get[uint16](a.p.call("Uint16", b)) }
func (a *withUint32) Uint32(b []byte) uint32          { return get[uint32](a.p.call("Uint32", b)) }
func (a *withUint64At) Uint64(b []byte) uint64        { return get[uint64](a.p.call("Uint64", b)) }
func (a *withPutUint16) PutUint16(b []byte, v uint16) { a.p.change("PutUint16", b, v) }
func (a *withPutUint32) PutUint32(b []byte, v uint32) { a.p.change("PutUint32", b, v) }
func (a *withPutUint64) PutUint64(b []byte, v uint64) { a.p.change("PutUint64", b, v) }
func (a *withAppendUint16) AppendUint16(b []byte, v uint16) []byte {
	return get[[]byte](a.p.call("AppendUint16", b, v))
}
func (a *withAppendUint32) AppendUint32(b []byte, v uint32) []byte {
	return get[[]byte](a.p.call("AppendUint32", b, v))
}

// xml
func (a *withTokenXML) Token() (xml.Token, error) { return get2[xml.Token, error](a.p.call("Token")) }
func (a *withMarshalXMLAttr) MarshalXMLAttr(name xml.Name) (xml.Attr, error) {
	return get2[xml.Attr, error](a.p.call("MarshalXMLAttr", name))
}
func (a *withUnmarshalXMLAttr) UnmarshalXMLAttr(attr xml.Attr) error {
	return get[error](a.p.call("UnmarshalXMLAttr", attr))
}

// compress
func (a *withResetTo) Reset(r io.Reader, dict []byte) error {
	return get[error](a.p.call("Reset", r, dict))
}
func (a *withAppendUint64) AppendUint64(b []byte, v uint64) []byte {
	return get[[]byte](a.p.call("AppendUint64", b, v))
}

// methodTypes are all of them. The order is that of the bits in caps.
var methodTypes = []any{
	new(withError), new(withIs), new(withAs), new(withUnwrap), new(withUnwrapAll), new(withTimeout), new(withTemporary),
	new(withRuntimeError), new(withString), new(withGoString), new(withRead), new(withWrite), new(withClose), new(withSeek),
	new(withReadAt), new(withWriteAt), new(withReadFrom), new(withWriteTo), new(withReadByte), new(withUnreadByte),
	new(withWriteByte), new(withReadRune), new(withUnreadRune), new(withWriteString), new(withLen), new(withLess), new(withSwap),
	new(withPush), new(withPop), new(withLock), new(withUnlock), new(withMarshalText), new(withAppendText), new(withUnmarshalText),
	new(withMarshalBinary), new(withAppendBinary), new(withUnmarshalBinary), new(withGobEncode), new(withGobDecode), new(withSet),
	new(withGet), new(withIsBoolFlag), new(withNetwork), new(withLogValue), new(withLevel), new(withEnabled), new(withHandle),
	new(withWithAttrs), new(withWithGroup), new(withSum), new(withReset), new(withSizeHash), new(withBlockSize), new(withSum32),
	new(withSum64), new(withClone), new(withOpen), new(withStat), new(withStatName), new(withReadDir), new(withReadDirName),
	new(withReadFile), new(withGlob), new(withSub), new(withLstat), new(withReadLink), new(withName), new(withSize), new(withMode),
	new(withModTime), new(withIsDir), new(withSys), new(withType), new(withInfo), new(withDeadline), new(withDone), new(withErr),
	new(withValue), new(withInt63), new(withSeed), new(withUint64), new(withWidth), new(withPrecision), new(withFlag),
	new(withSkipSpace), new(withToken), new(withEncrypt), new(withDecrypt), new(withCryptBlocks), new(withXORKeyStream),
	new(withNonceSize), new(withOverhead), new(withSeal), new(withOpenSealed), new(withUint16), new(withUint32), new(withUint64At),
	new(withPutUint16), new(withPutUint32), new(withPutUint64), new(withAppendUint16), new(withAppendUint32),
	new(withAppendUint64), new(withResetTo),
	new(withTokenXML), new(withMarshalXMLAttr), new(withUnmarshalXMLAttr),
	new(withColorModel), new(withBounds), new(withAt), new(withSetColor), new(withRGBA64At), new(withSetRGBA64),
	new(withColorIndexAt), new(withOpaque), new(withRGBA), new(withConvert), new(withDraw), new(withSetCookies), new(withCookies), new(withPublicSuffix),
	new(withServeHTTP), new(withHeader), new(withWriteHeader), new(withFlush),
}
