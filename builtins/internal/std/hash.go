package std

import (
	"hash"
	"hash/crc32"
	"hash/crc64"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimcrypto "github.com/sandtrap-go/sandtrap/builtins/internal/shim/crypto"
	shimrand "github.com/sandtrap-go/sandtrap/builtins/internal/shim/rand"
)

var stdHash = rows.Package{
	Path:    "hash",
	Renamed: true,
	Members: []rows.Member{
		{Name: "digest", Value: (*shim.Digest)(nil), With: "AppendBinary BlockSize MarshalBinary Reset Size Sum UnmarshalBinary Write WriteString", Why: "what makers of hashes return, for assertions"},

		{Name: "Cloner", Value: (*hash.Cloner)(nil)},
		{Name: "Hash", Value: (*hash.Hash)(nil)},
		{Name: "Hash32", Value: (*hash.Hash32)(nil)},
		{Name: "Hash64", Value: (*hash.Hash64)(nil)},
		{Name: "XOF", Value: (*hash.XOF)(nil)},
	},
}

var stdHashAdler32 = rows.Package{
	Path: "hash/adler32",
	Members: []rows.Member{
		{Name: "Checksum", Value: shimcrypto.Adler32Checksum, Why: "long texts take long"},
		{Name: "New", Value: shimcrypto.Adler32New, Why: "a stop is let through in long texts"},

		{Name: "Size", Value: rows.Literal("4")},
	},
}

var stdHashCrc32 = rows.Package{
	Path:    "hash/crc32",
	Bounded: "MakeTable",
	Members: []rows.Member{
		{Name: "Table", Value: (*crc32.Table)(nil)},

		{Name: "Checksum", Value: shimcrypto.Crc32Checksum, Why: "long texts take long"},
		{Name: "ChecksumIEEE", Value: shimcrypto.Crc32IEEE, Why: "long texts take long"},
		{Name: "MakeTable", Value: crc32.MakeTable},
		{Name: "New", Value: shimcrypto.Crc32New, Why: "a stop is let through in long texts"},
		{Name: "NewIEEE", Value: shimcrypto.Crc32NewIEEE, Why: "a stop is let through in long texts"},
		{Name: "Update", Value: shimcrypto.Crc32Update, Why: "long texts take long"},

		{Name: "IEEETable", Value: &crc32.IEEETable},

		{Name: "Castagnoli", Value: rows.Literal("2197175160")},
		{Name: "IEEE", Value: rows.Literal("3988292384")},
		{Name: "Koopman", Value: rows.Literal("3945912366")},
		{Name: "Size", Value: rows.Literal("4")},
	},
}

var stdHashCrc64 = rows.Package{
	Path:    "hash/crc64",
	Bounded: "MakeTable",
	Members: []rows.Member{
		{Name: "Table", Value: (*crc64.Table)(nil)},

		{Name: "Checksum", Value: shimcrypto.Crc64Checksum, Why: "long texts take long"},
		{Name: "MakeTable", Value: crc64.MakeTable},
		{Name: "New", Value: shimcrypto.Crc64New, Why: "a stop is let through in long texts"},
		{Name: "Update", Value: shimcrypto.Crc64Update, Why: "long texts take long"},

		{Name: "ECMA", Value: rows.Literal("14514072000185962306")},
		{Name: "ISO", Value: rows.Literal("15564440312192434176")},
		{Name: "Size", Value: rows.Literal("8")},
	},
}

var stdHashFnv = rows.Package{
	Path: "hash/fnv",
	Members: []rows.Member{
		{Name: "New128", Value: shimcrypto.FnvNew128, Why: "a stop is let through in long texts"},
		{Name: "New128a", Value: shimcrypto.FnvNew128a, Why: "a stop is let through in long texts"},
		{Name: "New32", Value: shimcrypto.FnvNew32, Why: "a stop is let through in long texts"},
		{Name: "New32a", Value: shimcrypto.FnvNew32a, Why: "a stop is let through in long texts"},
		{Name: "New64", Value: shimcrypto.FnvNew64, Why: "a stop is let through in long texts"},
		{Name: "New64a", Value: shimcrypto.FnvNew64a, Why: "a stop is let through in long texts"},
	},
}

var stdHashMaphash = rows.Package{
	Path:    "hash/maphash",
	Renamed: true,
	Members: []rows.Member{
		{Name: "Hash", Value: (*shimrand.MapHash)(nil), With: "BlockSize Clone Reset Seed SetSeed Size Sum Sum64 Write WriteByte WriteString", Needs: "random", Why: "Go's own takes its seed from the host's process"},
		{Name: "Seed", Value: (*shimrand.MapSeed)(nil)},

		{Name: "Bytes", Value: shimrand.MaphashBytes, Why: "Go's own depends on the host's processor"},
		{Name: "MakeSeed", Value: shimrand.MaphashMakeSeed, Needs: "random", Why: "a seed of the run's"},
		{Name: "String", Value: shimrand.MaphashString, Why: "Go's own depends on the host's processor"},
	},
	Denied: []rows.Denial{
		{Names: "Comparable WriteComparable", Why: "would see how the sandbox keeps values, not the values", Instead: "maphash.String"},
	},
}
