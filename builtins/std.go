package builtins

import (
	"slices"
	"strings"
)

// std lists the curated packages of the standard library, sorted by path.
var std = [...]*Package{
	&stdArchiveTar,
	&stdArchiveZip,
	&stdBufio,
	&stdBytes,
	&stdCmp,
	&stdCompressBzip2,
	&stdCompressFlate,
	&stdCompressGzip,
	&stdCompressLzw,
	&stdCompressZlib,
	&stdContainerHeap,
	&stdContainerList,
	&stdContainerRing,
	&stdContext,
	&stdCrypto,
	&stdCryptoAes,
	&stdCryptoCipher,
	&stdCryptoEd25519,
	&stdCryptoHkdf,
	&stdCryptoHmac,
	&stdCryptoMd5,
	&stdCryptoPbkdf2,
	&stdCryptoRand,
	&stdCryptoSha1,
	&stdCryptoSha256,
	&stdCryptoSha3,
	&stdCryptoSha512,
	&stdCryptoSubtle,
	&stdEncoding,
	&stdEncodingAscii85,
	&stdEncodingBase32,
	&stdEncodingBase64,
	&stdEncodingBinary,
	&stdEncodingCsv,
	&stdEncodingGob,
	&stdEncodingHex,
	&stdEncodingJSON,
	&stdEncodingXML,
	&stdEncodingPem,
	&stdErrors,
	&stdFlag,
	&stdFmt,
	&stdHash,
	&stdHashAdler32,
	&stdHashCrc32,
	&stdHashCrc64,
	&stdHashFnv,
	&stdHashMaphash,
	&stdHtml,
	&stdHtmlTemplate,
	&stdIndexSuffixarray,
	&stdIo,
	&stdIoFs,
	&stdIoIoutil,
	&stdIter,
	&stdLog,
	&stdLogSlog,
	&stdMaps,
	&stdMath,
	&stdMathBig,
	&stdMathBits,
	&stdMathCmplx,
	&stdMathRand,
	&stdMathRandV2,
	&stdMime,
	&stdMimeQuotedprintable,
	&stdNetNetip,
	&stdNetUrl,
	&stdOs,
	&stdOsSignal,
	&stdPath,
	&stdPathFilepath,
	&stdReflect,
	&stdRegexp,
	&stdRegexpSyntax,
	&stdRuntime,
	&stdRuntimeDebug,
	&stdSlices,
	&stdSort,
	&stdStrconv,
	&stdStrings,
	&stdSync,
	&stdSyncAtomic,
	&stdSyscall,
	&stdTestingFstest,
	&stdTextScanner,
	&stdTextTabwriter,
	&stdTextTemplate,
	&stdTextTemplateParse,
	&stdTime,
	&stdTimeTzdata,
	&stdUnicode,
	&stdUnicodeUtf16,
	&stdUnicodeUtf8,
	&stdUnique,
}

// Std returns the curated packages whose path matches one of the patterns, all
// if there are none. A pattern is a path, or a path followed by "/..." for the
// packages at and below it: "net" does not stand for net/http.
func Std(patterns ...string) []Package {
	list := make([]Package, 0, len(std))
	for _, p := range std {
		if len(patterns) == 0 || matchesAny(patterns, p.Path) {
			list = append(list, *p)
			list[len(list)-1].std = p
		}
	}
	return list
}

// InStd says whether the pattern matches one of the curated packages.
func InStd(pattern string) bool {
	return slices.ContainsFunc(std[:], func(p *Package) bool { return MatchPath(pattern, p.Path) })
}

func matchesAny(patterns []string, path string) bool {
	for _, pattern := range patterns {
		if MatchPath(pattern, path) {
			return true
		}
	}
	return false
}

// MatchPath says whether an import path matches a pattern of Std's form.
func MatchPath(pattern, path string) bool {
	if pattern == "..." {
		return true
	}
	prefix, below := strings.CutSuffix(pattern, "/...")
	return path == prefix || below && strings.HasPrefix(path, prefix+"/")
}

// stdPackage returns the curated package at path, nil if there is none.
func stdPackage(path string) *Package {
	for _, p := range std {
		if p.Path == path {
			return p
		}
	}
	return nil
}
