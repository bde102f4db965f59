package crypto

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

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

func Md5New(e *shim.Env) func() hash.Hash             { return shim.Hashing(e, md5.New) }
func Md5Sum(e *shim.Env) func([]byte) [16]byte        { return shim.Summing(e, md5.Sum) }
func Sha1New(e *shim.Env) func() hash.Hash            { return shim.Hashing(e, sha1.New) }
func Sha1Sum(e *shim.Env) func([]byte) [20]byte       { return shim.Summing(e, sha1.Sum) }
func Sha256New(e *shim.Env) func() hash.Hash          { return shim.Hashing(e, sha256.New) }
func Sha256New224(e *shim.Env) func() hash.Hash       { return shim.Hashing(e, sha256.New224) }
func Sha256Sum224(e *shim.Env) func([]byte) [28]byte  { return shim.Summing(e, sha256.Sum224) }
func Sha256Sum256(e *shim.Env) func([]byte) [32]byte  { return shim.Summing(e, sha256.Sum256) }
func Sha512New(e *shim.Env) func() hash.Hash          { return shim.Hashing(e, sha512.New) }
func Sha512New384(e *shim.Env) func() hash.Hash       { return shim.Hashing(e, sha512.New384) }
func Sha512New224(e *shim.Env) func() hash.Hash       { return shim.Hashing(e, sha512.New512_224) }
func Sha512New256(e *shim.Env) func() hash.Hash       { return shim.Hashing(e, sha512.New512_256) }
func Sha512Sum384(e *shim.Env) func([]byte) [48]byte  { return shim.Summing(e, sha512.Sum384) }
func Sha512Sum512(e *shim.Env) func([]byte) [64]byte  { return shim.Summing(e, sha512.Sum512) }
func Sha512Sum224(e *shim.Env) func([]byte) [28]byte  { return shim.Summing(e, sha512.Sum512_224) }
func Sha512Sum256(e *shim.Env) func([]byte) [32]byte  { return shim.Summing(e, sha512.Sum512_256) }
func FnvNew32(e *shim.Env) func() hash.Hash32         { return shim.Hashing32(e, fnv.New32) }
func FnvNew32a(e *shim.Env) func() hash.Hash32        { return shim.Hashing32(e, fnv.New32a) }
func FnvNew64(e *shim.Env) func() hash.Hash64         { return shim.Hashing64(e, fnv.New64) }
func FnvNew64a(e *shim.Env) func() hash.Hash64        { return shim.Hashing64(e, fnv.New64a) }
func FnvNew128(e *shim.Env) func() hash.Hash          { return shim.Hashing(e, fnv.New128) }
func FnvNew128a(e *shim.Env) func() hash.Hash         { return shim.Hashing(e, fnv.New128a) }
func Adler32New(e *shim.Env) func() hash.Hash32       { return shim.Hashing32(e, adler32.New) }
func Adler32Checksum(e *shim.Env) func([]byte) uint32 { return shim.Summing(e, adler32.Checksum) }
func Crc32NewIEEE(e *shim.Env) func() hash.Hash32     { return shim.Hashing32(e, crc32.NewIEEE) }
func Crc32IEEE(e *shim.Env) func([]byte) uint32       { return shim.Summing(e, crc32.ChecksumIEEE) }

func Crc32New(e *shim.Env) func(*crc32.Table) hash.Hash32 {
	return func(t *crc32.Table) hash.Hash32 { return e.Digest32(crc32.New(t)) }
}

func Crc32Checksum(e *shim.Env) func([]byte, *crc32.Table) uint32 {
	return func(b []byte, t *crc32.Table) uint32 {
		e.Work(int64(len(b)))
		return crc32.Checksum(b, t)
	}
}

func Crc32Update(e *shim.Env) func(uint32, *crc32.Table, []byte) uint32 {
	return func(crc uint32, t *crc32.Table, b []byte) uint32 {
		e.Work(int64(len(b)))
		return crc32.Update(crc, t, b)
	}
}

func Crc64New(e *shim.Env) func(*crc64.Table) hash.Hash64 {
	return func(t *crc64.Table) hash.Hash64 { return e.Digest64(crc64.New(t)) }
}

func Crc64Checksum(e *shim.Env) func([]byte, *crc64.Table) uint64 {
	return func(b []byte, t *crc64.Table) uint64 {
		e.Work(int64(len(b)))
		return crc64.Checksum(b, t)
	}
}

func Crc64Update(e *shim.Env) func(uint64, *crc64.Table, []byte) uint64 {
	return func(crc uint64, t *crc64.Table, b []byte) uint64 {
		e.Work(int64(len(b)))
		return crc64.Update(crc, t, b)
	}
}
