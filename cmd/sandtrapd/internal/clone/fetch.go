package clone

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"
	"github.com/go-git/go-git/v5/plumbing/transport"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"
)

// maxRefs bounds the list of refs of a server, in bytes.
const maxRefs = 8 << 20

// fetch gets the objects of one commit, without its parents.
func (c *Cloner) fetch(ctx context.Context, network http.RoundTripper, ep *transport.Endpoint, ref string) (*objects, plumbing.Hash, error) {
	session, err := githttp.NewClient(&http.Client{Transport: plainHeaders{network}}).NewUploadPackSession(ep, nil)
	if err != nil {
		return nil, plumbing.ZeroHash, err
	}
	defer session.Close()
	refs, err := session.AdvertisedReferencesContext(ctx)
	if err != nil {
		return nil, plumbing.ZeroHash, err
	}
	commit, err := find(refs, ref)
	if err != nil {
		return nil, commit, err
	}
	request := packp.NewUploadPackRequestFromCapabilities(refs.Capabilities)
	request.Wants, request.Depth = []plumbing.Hash{commit}, packp.DepthCommits(1)
	if err := request.Capabilities.Set(capability.Shallow); err != nil {
		return nil, commit, err
	}
	if refs.Capabilities.Supports(capability.NoProgress) {
		if err := request.Capabilities.Set(capability.NoProgress); err != nil {
			return nil, commit, err
		}
	}
	response, err := session.UploadPack(ctx, request)
	if err != nil {
		return nil, commit, err
	}
	defer response.Close()
	objects, err := readPack(ctx, demux(request.Capabilities, response), c.limits)
	return objects, commit, err
}

// demux is the pack in a response.
func demux(l *capability.List, r io.Reader) io.Reader {
	switch {
	case l.Supports(capability.Sideband64k):
		return sideband.NewDemuxer(sideband.Sideband64k, r)
	case l.Supports(capability.Sideband):
		return sideband.NewDemuxer(sideband.Sideband, r)
	}
	return r
}

// find is the commit, or the tag of one, that a ref names.
func find(refs *packp.AdvRefs, ref string) (plumbing.Hash, error) {
	if ref == "" {
		if refs.Head == nil {
			return plumbing.ZeroHash, fmt.Errorf("%w: it has no HEAD; name a ref", ErrRepository)
		}
		return *refs.Head, nil
	}
	for _, name := range []string{"refs/heads/" + ref, "refs/tags/" + ref, ref} {
		if hash, ok := refs.References[name]; ok {
			return hash, nil
		}
	}
	if len(ref) == 40 && plumbing.IsHash(ref) {
		return plumbing.NewHash(ref), nil
	}
	return plumbing.ZeroHash, fmt.Errorf("%w: it has no branch or tag %q", ErrRepository, ref)
}

// plainHeaders are requests without the fields of the header that net/http makes itself, and responses with a bounded list of refs.
type plainHeaders struct{ to http.RoundTripper }

func (p plainHeaders) RoundTrip(q *http.Request) (*http.Response, error) {
	q = q.Clone(q.Context())
	q.Header.Del("Host")
	q.Header.Del("Content-Length")
	res, err := p.to.RoundTrip(q)
	if err == nil && strings.HasSuffix(q.URL.Path, "/info/refs") {
		res.Body = &bounded{ReadCloser: res.Body, left: maxRefs}
	}
	return res, err
}

// A bounded body has an error after some bytes.
type bounded struct {
	io.ReadCloser
	left int
}

var errRefs = fmt.Errorf("%w: its list of refs has more than %d bytes", ErrLimit, maxRefs)

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errRefs
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// errMalformed is the error of packs that are not as git writes them.
var errMalformed = errors.New("its pack is malformed")
