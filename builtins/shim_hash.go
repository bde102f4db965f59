package builtins

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"hash"
	"hash/adler32"
	"hash/crc32"
	"hash/crc64"
	"hash/fnv"
)

func md5New(e *Env) func() hash.Hash             { return hashing(e, md5.New) }
func md5Sum(e *Env) func([]byte) [16]byte        { return summing(e, md5.Sum) }
func sha1New(e *Env) func() hash.Hash            { return hashing(e, sha1.New) }
func sha1Sum(e *Env) func([]byte) [20]byte       { return summing(e, sha1.Sum) }
func sha256New(e *Env) func() hash.Hash          { return hashing(e, sha256.New) }
func sha256New224(e *Env) func() hash.Hash       { return hashing(e, sha256.New224) }
func sha256Sum224(e *Env) func([]byte) [28]byte  { return summing(e, sha256.Sum224) }
func sha256Sum256(e *Env) func([]byte) [32]byte  { return summing(e, sha256.Sum256) }
func sha512New(e *Env) func() hash.Hash          { return hashing(e, sha512.New) }
func sha512New384(e *Env) func() hash.Hash       { return hashing(e, sha512.New384) }
func sha512New224(e *Env) func() hash.Hash       { return hashing(e, sha512.New512_224) }
func sha512New256(e *Env) func() hash.Hash       { return hashing(e, sha512.New512_256) }
func sha512Sum384(e *Env) func([]byte) [48]byte  { return summing(e, sha512.Sum384) }
func sha512Sum512(e *Env) func([]byte) [64]byte  { return summing(e, sha512.Sum512) }
func sha512Sum224(e *Env) func([]byte) [28]byte  { return summing(e, sha512.Sum512_224) }
func sha512Sum256(e *Env) func([]byte) [32]byte  { return summing(e, sha512.Sum512_256) }
func fnvNew32(e *Env) func() hash.Hash32         { return hashing32(e, fnv.New32) }
func fnvNew32a(e *Env) func() hash.Hash32        { return hashing32(e, fnv.New32a) }
func fnvNew64(e *Env) func() hash.Hash64         { return hashing64(e, fnv.New64) }
func fnvNew64a(e *Env) func() hash.Hash64        { return hashing64(e, fnv.New64a) }
func fnvNew128(e *Env) func() hash.Hash          { return hashing(e, fnv.New128) }
func fnvNew128a(e *Env) func() hash.Hash         { return hashing(e, fnv.New128a) }
func adler32New(e *Env) func() hash.Hash32       { return hashing32(e, adler32.New) }
func adler32Checksum(e *Env) func([]byte) uint32 { return summing(e, adler32.Checksum) }
func crc32NewIEEE(e *Env) func() hash.Hash32     { return hashing32(e, crc32.NewIEEE) }
func crc32IEEE(e *Env) func([]byte) uint32       { return summing(e, crc32.ChecksumIEEE) }

func crc32New(e *Env) func(*crc32.Table) hash.Hash32 {
	return func(t *crc32.Table) hash.Hash32 { return &digest32{crc32.New(t), e} }
}

func crc32Checksum(e *Env) func([]byte, *crc32.Table) uint32 {
	return func(b []byte, t *crc32.Table) uint32 {
		e.work(int64(len(b)))
		return crc32.Checksum(b, t)
	}
}

func crc32Update(e *Env) func(uint32, *crc32.Table, []byte) uint32 {
	return func(crc uint32, t *crc32.Table, b []byte) uint32 {
		e.work(int64(len(b)))
		return crc32.Update(crc, t, b)
	}
}

func crc64New(e *Env) func(*crc64.Table) hash.Hash64 {
	return func(t *crc64.Table) hash.Hash64 { return &digest64{crc64.New(t), e} }
}

func crc64Checksum(e *Env) func([]byte, *crc64.Table) uint64 {
	return func(b []byte, t *crc64.Table) uint64 {
		e.work(int64(len(b)))
		return crc64.Checksum(b, t)
	}
}

func crc64Update(e *Env) func(uint64, *crc64.Table, []byte) uint64 {
	return func(crc uint64, t *crc64.Table, b []byte) uint64 {
		e.work(int64(len(b)))
		return crc64.Update(crc, t, b)
	}
}
