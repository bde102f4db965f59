package http

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// A Jar is what scripts have as the jar of package cookiejar. Go's asks its list of public suffixes, which may be the script's,
// while it holds a lock: a list that uses the jar, waits, or ends its goroutine would leave the host waiting for ever. So the
// list is asked by another jar, which is new for each call, and the answers are given to the one that keeps the cookies.
type Jar struct {
	env     *shim.Env
	jar     *cookiejar.Jar
	list    cookiejar.PublicSuffixList // nil for none
	answers []string                   // of the list, for the next call of jar

	known map[cookieID]bool // what jar has ever kept
	text  int               // bytes of that
}

// A cookieID is what no two cookies of a jar have in common.
type cookieID struct{ host, domain, path, name string }

// What a cookie takes in a jar beside its texts, in a list of the jar's, and as a copy.
const (
	keptCookie   = 640
	listedCookie = 512
	copiedCookie = 256
)

// How long a jar takes for a cookie that is set, and for one that it has when it is asked, in nanoseconds; and for each byte of its
// texts.
const (
	setTime, listedTime = 2000, 500
	setRate, listedRate = 8, 1
)

func NewJar(e *shim.Env) func(*cookiejar.Options) (*Jar, error) {
	return func(o *cookiejar.Options) (*Jar, error) {
		e.Charge(keptCookie)
		j := &Jar{env: e, known: map[cookieID]bool{}}
		var own cookiejar.Options
		if o != nil && o.PublicSuffixList != nil {
			j.list, own.PublicSuffixList = o.PublicSuffixList, answering{j}
		}
		var err error
		j.jar, err = cookiejar.New(&own)
		return j, err
	}
}

func (j *Jar) SetCookies(u *url.URL, cookies []*http.Cookie) {
	j.payHost(u)
	j.pay(u, cookies)
	at, cookies := *u, j.copied(cookies)
	j.do(func(to *cookiejar.Jar) { to.SetCookies(&at, cookies) })
}

func (j *Jar) Cookies(u *url.URL) (list []*http.Cookie) {
	j.payHost(u)
	j.env.Work(int64(len(j.known)*listedTime+j.text*listedRate) / shim.TickTime)
	j.env.Charge(int64(len(j.known)) * listedCookie)
	at := *u
	j.do(func(of *cookiejar.Jar) { list = of.Cookies(&at) })
	return list
}

// do has f done with the cookies of j, after the list was asked what f asks it.
func (j *Jar) do(f func(*cookiejar.Jar)) {
	if j.jar == nil { // nobody has made it
		f(&cookiejar.Jar{})
		return
	}
	if j.list != nil {
		asked := &asking{jar: j}
		scout, _ := cookiejar.New(&cookiejar.Options{PublicSuffixList: asked})
		f(scout)
		j.answers = asked.answers
	}
	f(j.jar)
}

// asking calls the list of the script, and keeps what it says.
type asking struct {
	jar     *Jar
	answers []string
}

func (a *asking) PublicSuffix(domain string) string {
	e := a.jar.env
	e.Check()
	e.Enter()
	defer e.Leave()
	suffix := a.jar.list.PublicSuffix(domain)
	a.answers = append(a.answers, suffix)
	return suffix
}

func (*asking) String() string { return "" }

// answering repeats that.
type answering struct{ jar *Jar }

func (a answering) PublicSuffix(string) string {
	suffix := a.jar.answers[0]
	a.jar.answers = a.jar.answers[1:]
	return suffix
}

func (answering) String() string { return "" }

// copied are copies of cookies, which the list of the script cannot change meanwhile. Times are those of the machine, which the
// jar compares them with.
func (j *Jar) copied(cookies []*http.Cookie) []*http.Cookie {
	later := time.Duration(0)
	if j.env != nil && j.env.Clock != nil {
		later = time.Until(j.env.Now())
	}
	out := slices.Clone(cookies)
	for i, c := range out {
		if c == nil {
			continue
		}
		own := *c
		if !own.Expires.IsZero() {
			own.Expires = own.Expires.Add(-later)
		}
		out[i] = &own
	}
	return out
}

// pay charges for what a jar keeps of cookies, and asks for the time that it takes.
func (j *Jar) pay(u *url.URL, cookies []*http.Cookie) {
	j.env.ChargeProduct(int64(len(cookies)), copiedCookie)
	took := 0
	for _, c := range cookies {
		took += setTime + setRate*cookieText(u, c)
	}
	j.env.Work(int64(took) / shim.TickTime) // of all at once, since the jar cannot be stopped between two
	for _, c := range cookies {
		if c == nil {
			continue
		}
		text := cookieText(u, c)
		id := cookieID{u.Host, c.Domain, u.Path, c.Name}
		if c.Path != "" {
			id.path = c.Path
		}
		if j.known != nil && !j.known[id] {
			j.env.Charge(int64(keptCookie + text))
			j.known[id] = true
			j.text += text
		}
	}
}

// cookieText is how many bytes the texts are that tell a cookie from others.
func cookieText(u *url.URL, c *http.Cookie) int {
	if c == nil {
		return 0
	}
	return len(u.Host) + len(u.Path) + len(c.Name) + len(c.Path) + len(c.Domain)
}

// payHost asks for the time that a host takes which is not ASCII: each letter is compared with each other.
func (j *Jar) payHost(u *url.URL) {
	j.env.PayText(requestRate, len(u.Host)+len(u.Path))
	if strings.IndexFunc(u.Host, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		n := int64(utf8.RuneCountInString(u.Host))
		j.env.Charge(8 * int64(len(u.Host)))
		j.env.WorkProduct(n, n)
	}
}

func init() {
	shim.StandsIn[*Jar](shim.Stand{Name: func(any) string { return "*cookiejar.Jar" }})
}
