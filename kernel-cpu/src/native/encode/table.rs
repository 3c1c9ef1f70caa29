//! The instructions, a row each.

use super::{Family, Immediate, Row};

const Z: Family = Family::Evex { length: 2, memory: 64 };

/// Vectors of 512 bits with memory operands of so many bytes.
const fn z(memory: u8) -> Family {
    Family::Evex { length: 2, memory }
}

const fn x(memory: u8) -> Family {
    Family::Evex { length: 0, memory }
}

const K: Family = Family::Vex { length: false };
const K3: Family = Family::Vex { length: true };
const G: Family = Family::Legacy;
const B: Family = Family::Byte;

const NONE: Immediate = Immediate::None;
const BYTE: Immediate = Immediate::Byte;
const LONG: Immediate = Immediate::Long;

/// Constants for rows, with their numbers, which no other table has.
macro_rules! rows {
    ($all:ident from $first:literal: $($constant:ident $name:literal $family:expr, $map:literal $prefix:literal $wide:literal $opcode:literal $(/ $extension:literal)? $immediate:ident;)*) => {
        #[expect(clippy::upper_case_acronyms, non_camel_case_types, reason = "named as the constants")]
        #[derive(Clone, Copy)]
        enum Number { $($constant),* }

        $(pub(in crate::native) const $constant: Row = Row {
            number: $first + Number::$constant as u16,
            name: $name,
            family: $family,
            map: $map,
            prefix: $prefix,
            wide: $wide != 0,
            opcode: $opcode,
            extension: { let extension: Option<u8> = None; $(let extension = { let _ = extension; Some($extension) };)? extension },
            immediate: $immediate,
        };)*

        /// All of them, each at its number, from the first on.
        #[allow(dead_code, reason = "of some tables, only tests want it")]
        pub(in crate::native) const $all: &[Row] = &[$($constant),*];
    };
}

// Name, family, opcode map, mandatory prefix, width, opcode.
rows! { TABLE from 0:
    // Floats.
    ADDPS "vaddps" Z, 1 0 0 0x58 NONE;
    SUBPS "vsubps" Z, 1 0 0 0x5c NONE;
    MULPS "vmulps" Z, 1 0 0 0x59 NONE;
    DIVPS "vdivps" Z, 1 0 0 0x5e NONE;
    MINPS "vminps" Z, 1 0 0 0x5d NONE;
    MAXPS "vmaxps" Z, 1 0 0 0x5f NONE;
    SQRTPS "vsqrtps" Z, 1 0 0 0x51 NONE;
    RSQRT14PS "vrsqrt14ps" Z, 2 1 0 0x4e NONE;
    SCALEFPS "vscalefps" Z, 2 1 0 0x2c NONE;
    SCALEFPD "vscalefpd" Z, 2 1 1 0x2c NONE;
    ADDPD "vaddpd" Z, 1 1 1 0x58 NONE;
    SUBPD "vsubpd" Z, 1 1 1 0x5c NONE;
    MULPD "vmulpd" Z, 1 1 1 0x59 NONE;
    DIVPD "vdivpd" Z, 1 1 1 0x5e NONE;
    MINPD "vminpd" Z, 1 1 1 0x5d NONE;
    MAXPD "vmaxpd" Z, 1 1 1 0x5f NONE;
    SQRTPD "vsqrtpd" Z, 1 1 1 0x51 NONE;
    FMADD132PS "vfmadd132ps" Z, 2 1 0 0x98 NONE;
    FMADD132PD "vfmadd132pd" Z, 2 1 1 0x98 NONE;
    FMADD213PS "vfmadd213ps" Z, 2 1 0 0xa8 NONE;
    FMADD213PD "vfmadd213pd" Z, 2 1 1 0xa8 NONE;
    FMADD231PS "vfmadd231ps" Z, 2 1 0 0xb8 NONE;
    FMADD231PD "vfmadd231pd" Z, 2 1 1 0xb8 NONE;
    FMSUB132PS "vfmsub132ps" Z, 2 1 0 0x9a NONE;
    FMSUB132PD "vfmsub132pd" Z, 2 1 1 0x9a NONE;
    FMSUB213PS "vfmsub213ps" Z, 2 1 0 0xaa NONE;
    FMSUB213PD "vfmsub213pd" Z, 2 1 1 0xaa NONE;
    FMSUB231PS "vfmsub231ps" Z, 2 1 0 0xba NONE;
    FMSUB231PD "vfmsub231pd" Z, 2 1 1 0xba NONE;
    FNMADD132PS "vfnmadd132ps" Z, 2 1 0 0x9c NONE;
    FNMADD132PD "vfnmadd132pd" Z, 2 1 1 0x9c NONE;
    FNMADD213PS "vfnmadd213ps" Z, 2 1 0 0xac NONE;
    FNMADD213PD "vfnmadd213pd" Z, 2 1 1 0xac NONE;
    FNMADD231PS "vfnmadd231ps" Z, 2 1 0 0xbc NONE;
    FNMADD231PD "vfnmadd231pd" Z, 2 1 1 0xbc NONE;
    RNDSCALEPS "vrndscaleps" Z, 3 1 0 0x08 BYTE;
    RNDSCALEPD "vrndscalepd" Z, 3 1 1 0x09 BYTE;
    FPCLASSPS "vfpclassps" Z, 3 1 0 0x66 BYTE;
    FPCLASSPD "vfpclasspd" Z, 3 1 1 0x66 BYTE;
    CMPPS "vcmpps" Z, 1 0 0 0xc2 BYTE;
    CMPPD "vcmppd" Z, 1 1 1 0xc2 BYTE;
    // Integers.
    PADDD "vpaddd" Z, 1 1 0 0xfe NONE;
    PSUBD "vpsubd" Z, 1 1 0 0xfa NONE;
    PMULLD "vpmulld" Z, 2 1 0 0x40 NONE;
    PMULUDQ "vpmuludq" Z, 1 1 1 0xf4 NONE;
    PMULDQ "vpmuldq" Z, 2 1 1 0x28 NONE;
    PSHUFD "vpshufd" Z, 1 1 0 0x70 BYTE;
    PERMQ "vpermq" Z, 3 1 1 0x00 BYTE;
    PERMD "vpermd" Z, 2 1 0 0x36 NONE;
    PERMT2Q "vpermt2q" Z, 2 1 1 0x7e NONE;
    VALIGND "valignd" Z, 3 1 0 0x03 BYTE;
    VALIGNQ "valignq" Z, 3 1 1 0x03 BYTE;
    PADDB "vpaddb" Z, 1 1 0 0xfc NONE;
    PSHUFB "vpshufb" Z, 2 1 0 0x00 NONE;
    PSADBW "vpsadbw" Z, 1 1 0 0xf6 NONE;
    PMADDUBSW "vpmaddubsw" Z, 2 1 0 0x04 NONE;
    PMADDWD "vpmaddwd" Z, 1 1 0 0xf5 NONE;
    PADDQ "vpaddq" Z, 1 1 1 0xd4 NONE;
    PSUBQ "vpsubq" Z, 1 1 1 0xfb NONE;
    PMULLQ "vpmullq" Z, 2 1 1 0x40 NONE;
    PANDD "vpandd" Z, 1 1 0 0xdb NONE;
    PANDND "vpandnd" Z, 1 1 0 0xdf NONE;
    PORD "vpord" Z, 1 1 0 0xeb NONE;
    PXORD "vpxord" Z, 1 1 0 0xef NONE;
    PANDQ "vpandq" Z, 1 1 1 0xdb NONE;
    PORQ "vporq" Z, 1 1 1 0xeb NONE;
    PXORQ "vpxorq" Z, 1 1 1 0xef NONE;
    PMINUD "vpminud" Z, 2 1 0 0x3b NONE;
    PMAXUD "vpmaxud" Z, 2 1 0 0x3f NONE;
    PMINSD "vpminsd" Z, 2 1 0 0x39 NONE;
    PMAXSD "vpmaxsd" Z, 2 1 0 0x3d NONE;
    PMINUQ "vpminuq" Z, 2 1 1 0x3b NONE;
    PMAXUQ "vpmaxuq" Z, 2 1 1 0x3f NONE;
    PMINSQ "vpminsq" Z, 2 1 1 0x39 NONE;
    PMAXSQ "vpmaxsq" Z, 2 1 1 0x3d NONE;
    PABSD "vpabsd" Z, 2 1 0 0x1e NONE;
    PABSQ "vpabsq" Z, 2 1 1 0x1f NONE;
    PSLLVD "vpsllvd" Z, 2 1 0 0x47 NONE;
    PSRLVD "vpsrlvd" Z, 2 1 0 0x45 NONE;
    PSRAVD "vpsravd" Z, 2 1 0 0x46 NONE;
    PSLLVQ "vpsllvq" Z, 2 1 1 0x47 NONE;
    PSRLVQ "vpsrlvq" Z, 2 1 1 0x45 NONE;
    PSRAVQ "vpsravq" Z, 2 1 1 0x46 NONE;
    PSLLD "vpslld" Z, 1 1 0 0x72 / 6 BYTE;
    PSRLD "vpsrld" Z, 1 1 0 0x72 / 2 BYTE;
    PSRAD "vpsrad" Z, 1 1 0 0x72 / 4 BYTE;
    PSLLQ "vpsllq" Z, 1 1 1 0x73 / 6 BYTE;
    PSRLQ "vpsrlq" Z, 1 1 1 0x73 / 2 BYTE;
    PSRAQ "vpsraq" Z, 1 1 1 0x72 / 4 BYTE;
    PLZCNTD "vplzcntd" Z, 2 1 0 0x44 NONE;
    PLZCNTQ "vplzcntq" Z, 2 1 1 0x44 NONE;
    PCMPD "vpcmpd" Z, 3 1 0 0x1f BYTE;
    PCMPUD "vpcmpud" Z, 3 1 0 0x1e BYTE;
    PCMPQ "vpcmpq" Z, 3 1 1 0x1f BYTE;
    PCMPUQ "vpcmpuq" Z, 3 1 1 0x1e BYTE;
    PTESTMD "vptestmd" Z, 2 1 0 0x27 NONE;
    PTESTMQ "vptestmq" Z, 2 1 1 0x27 NONE;
    PTESTMB "vptestmb" x(16), 2 1 0 0x26 NONE;
    PROLVD "vprolvd" Z, 2 1 0 0x15 NONE;
    PROLVQ "vprolvq" Z, 2 1 1 0x15 NONE;
    // Moves.
    MOVDQA32 "vmovdqa32" Z, 1 1 0 0x6f NONE;
    MOVDQA32_STORE "vmovdqa32" Z, 1 1 0 0x7f NONE;
    MOVDQA64 "vmovdqa64" Z, 1 1 1 0x6f NONE;
    MOVDQU32 "vmovdqu32" Z, 1 2 0 0x6f NONE;
    MOVDQU32_STORE "vmovdqu32" Z, 1 2 0 0x7f NONE;
    MOVDQU64 "vmovdqu64" Z, 1 2 1 0x6f NONE;
    MOVDQU64_STORE "vmovdqu64" Z, 1 2 1 0x7f NONE;
    MOVDQU8 "vmovdqu8" x(16), 1 3 0 0x6f NONE;
    MOVDQU8_STORE "vmovdqu8" x(16), 1 3 0 0x7f NONE;
    BLENDMD "vpblendmd" Z, 2 1 0 0x64 NONE;
    BLENDMQ "vpblendmq" Z, 2 1 1 0x64 NONE;
    BROADCASTSS "vbroadcastss" z(4), 2 1 0 0x18 NONE;
    BROADCASTSD "vbroadcastsd" z(8), 2 1 1 0x19 NONE;
    BROADCASTD "vpbroadcastd" z(4), 2 1 0 0x7c NONE;
    BROADCASTQ "vpbroadcastq" z(8), 2 1 1 0x7c NONE;
    MOVD_TO_GENERAL "vmovd" x(4), 1 1 0 0x7e NONE;
    MOVQ_TO_GENERAL "vmovq" x(8), 1 1 1 0x7e NONE;
    MOVD_LOAD "vmovd" x(4), 1 1 0 0x6e NONE;
    PINSRD "vpinsrd" x(4), 3 1 0 0x22 BYTE;
    INSERT_QUARTER "vinserti32x4" z(16), 3 1 0 0x38 BYTE;
    EXTRACT_HIGH "vextracti64x4" z(32), 3 1 1 0x3b BYTE;
    INSERT_HIGH "vinserti64x4" z(32), 3 1 1 0x3a BYTE;
    PERMT2D "vpermt2d" Z, 2 1 0 0x7e NONE;
    SHUFFLE_QUARTERS "vshufi64x2" Z, 3 1 1 0x43 BYTE;
    // Conversions.
    PMOVZXBD "vpmovzxbd" z(16), 2 1 0 0x31 NONE;
    PMOVZXWD "vpmovzxwd" z(32), 2 1 0 0x33 NONE;
    PMOVZXDQ "vpmovzxdq" z(32), 2 1 0 0x35 NONE;
    PMOVSXDQ "vpmovsxdq" z(32), 2 1 0 0x25 NONE;
    PMOVDB "vpmovdb" z(16), 2 2 0 0x31 NONE;
    PMOVDW "vpmovdw" z(32), 2 2 0 0x33 NONE;
    PMOVQD "vpmovqd" z(32), 2 2 0 0x35 NONE;
    CVTDQ2PS "vcvtdq2ps" Z, 1 0 0 0x5b NONE;
    CVTUDQ2PS "vcvtudq2ps" Z, 1 3 0 0x7a NONE;
    CVTTPS2DQ "vcvttps2dq" Z, 1 2 0 0x5b NONE;
    CVTTPS2UDQ "vcvttps2udq" Z, 1 0 0 0x78 NONE;
    CVTDQ2PD "vcvtdq2pd" z(32), 1 2 0 0xe6 NONE;
    CVTUDQ2PD "vcvtudq2pd" z(32), 1 2 0 0x7a NONE;
    CVTQQ2PS "vcvtqq2ps" Z, 1 0 1 0x5b NONE;
    CVTUQQ2PS "vcvtuqq2ps" Z, 1 3 1 0x7a NONE;
    CVTQQ2PD "vcvtqq2pd" Z, 1 2 1 0xe6 NONE;
    CVTUQQ2PD "vcvtuqq2pd" Z, 1 2 1 0x7a NONE;
    CVTPS2PD "vcvtps2pd" z(32), 1 0 0 0x5a NONE;
    CVTPH2PS "vcvtph2ps" z(32), 2 1 0 0x13 NONE;
    CVTPS2PH "vcvtps2ph" z(32), 3 1 0 0x1d BYTE;
    CVTTPD2QQ "vcvttpd2qq" Z, 1 1 1 0x7a NONE;
    CVTTPD2UQQ "vcvttpd2uqq" Z, 1 1 1 0x78 NONE;
    CVTPD2PS "vcvtpd2ps" Z, 1 1 1 0x5a NONE;
    // Gathers and scatters: an index of 32 or of 64 bits, an element of 32 or of 64.
    GATHERDD "vpgatherdd" z(4), 2 1 0 0x90 NONE;
    GATHERDQ "vpgatherdq" z(8), 2 1 1 0x90 NONE;
    GATHERQD "vpgatherqd" z(4), 2 1 0 0x91 NONE;
    GATHERQQ "vpgatherqq" z(8), 2 1 1 0x91 NONE;
    SCATTERDD "vpscatterdd" z(4), 2 1 0 0xa0 NONE;
    SCATTERDQ "vpscatterdq" z(8), 2 1 1 0xa0 NONE;
    SCATTERQD "vpscatterqd" z(4), 2 1 0 0xa1 NONE;
    SCATTERQQ "vpscatterqq" z(8), 2 1 1 0xa1 NONE;
    // Masks of 16 bits.
    KMOV "kmovw" K, 1 0 0 0x90 NONE;
    KMOV_STORE "kmovw" K, 1 0 0 0x91 NONE;
    KMOV_FROM_GENERAL "kmovw" K, 1 0 0 0x92 NONE;
    KMOV_TO_GENERAL "kmovw" K, 1 0 0 0x93 NONE;
    KAND "kandw" K3, 1 0 0 0x41 NONE;
    KANDN "kandnw" K3, 1 0 0 0x42 NONE;
    KNOT "knotw" K, 1 0 0 0x44 NONE;
    KOR "korw" K3, 1 0 0 0x45 NONE;
    KXNOR "kxnorw" K3, 1 0 0 0x46 NONE;
    KXOR "kxorw" K3, 1 0 0 0x47 NONE;
    KORTEST "kortestw" K, 1 0 0 0x98 NONE;
    KSHIFTR "kshiftrw" K, 3 1 1 0x30 BYTE;
    KUNPACK "kunpckbw" K3, 1 1 0 0x4b NONE;
    // General registers.
    MOV32 "mov" G, 0 0 0 0x8b NONE;
    MOV64 "mov" G, 0 0 1 0x8b NONE;
    MOV8_STORE "mov" B, 0 0 0 0x88 NONE;
    MOV16_STORE "mov" G, 0 1 0 0x89 NONE;
    MOV32_STORE "mov" G, 0 0 0 0x89 NONE;
    MOV64_STORE "mov" G, 0 0 1 0x89 NONE;
    MOV32_IMMEDIATE "mov" G, 0 0 0 0xc7 / 0 LONG;
    MOVZX8 "movzx" B, 1 0 0 0xb6 NONE;
    MOVZX16 "movzx" G, 1 0 0 0xb7 NONE;
    MOVSX8_64 "movsx" B, 1 0 1 0xbe NONE;
    MOVSX16_64 "movsx" G, 1 0 1 0xbf NONE;
    MOVSX32_64 "movsxd" G, 0 0 1 0x63 NONE;
    LEA64 "lea" G, 0 0 1 0x8d NONE;
    LEA32 "lea" G, 0 0 0 0x8d NONE;
    ADD32 "add" G, 0 0 0 0x03 NONE;
    ADD64 "add" G, 0 0 1 0x03 NONE;
    SUB32 "sub" G, 0 0 0 0x2b NONE;
    SUB64 "sub" G, 0 0 1 0x2b NONE;
    AND32 "and" G, 0 0 0 0x23 NONE;
    AND64 "and" G, 0 0 1 0x23 NONE;
    OR32 "or" G, 0 0 0 0x0b NONE;
    OR64 "or" G, 0 0 1 0x0b NONE;
    XOR32 "xor" G, 0 0 0 0x33 NONE;
    XOR64 "xor" G, 0 0 1 0x33 NONE;
    ADD32_STORE "add" G, 0 0 0 0x01 NONE;
    ADD64_STORE "add" G, 0 0 1 0x01 NONE;
    SUB32_STORE "sub" G, 0 0 0 0x29 NONE;
    SUB64_STORE "sub" G, 0 0 1 0x29 NONE;
    AND32_STORE "and" G, 0 0 0 0x21 NONE;
    AND64_STORE "and" G, 0 0 1 0x21 NONE;
    OR32_STORE "or" G, 0 0 0 0x09 NONE;
    OR64_STORE "or" G, 0 0 1 0x09 NONE;
    XOR32_STORE "xor" G, 0 0 0 0x31 NONE;
    XOR64_STORE "xor" G, 0 0 1 0x31 NONE;
    CMP32 "cmp" G, 0 0 0 0x3b NONE;
    CMP64 "cmp" G, 0 0 1 0x3b NONE;
    TEST32 "test" G, 0 0 0 0x85 NONE;
    TEST64 "test" G, 0 0 1 0x85 NONE;
    IMUL32 "imul" G, 1 0 0 0xaf NONE;
    IMUL64 "imul" G, 1 0 1 0xaf NONE;
    IMUL64_IMMEDIATE "imul" G, 0 0 1 0x69 LONG;
    ADD64_IMMEDIATE "add" G, 0 0 1 0x81 / 0 LONG;
    AND32_IMMEDIATE "and" G, 0 0 0 0x81 / 4 LONG;
    AND64_IMMEDIATE "and" G, 0 0 1 0x81 / 4 LONG;
    CMP32_IMMEDIATE "cmp" G, 0 0 0 0x81 / 7 LONG;
    CMP64_IMMEDIATE "cmp" G, 0 0 1 0x81 / 7 LONG;
    NOT32 "not" G, 0 0 0 0xf7 / 2 NONE;
    NOT64 "not" G, 0 0 1 0xf7 / 2 NONE;
    NEG32 "neg" G, 0 0 0 0xf7 / 3 NONE;
    NEG64 "neg" G, 0 0 1 0xf7 / 3 NONE;
    DIV32 "div" G, 0 0 0 0xf7 / 6 NONE;
    DIV64 "div" G, 0 0 1 0xf7 / 6 NONE;
    SHL32 "shl" G, 0 0 0 0xc1 / 4 BYTE;
    SHL64 "shl" G, 0 0 1 0xc1 / 4 BYTE;
    SHR32 "shr" G, 0 0 0 0xc1 / 5 BYTE;
    SHR64 "shr" G, 0 0 1 0xc1 / 5 BYTE;
    SAR32 "sar" G, 0 0 0 0xc1 / 7 BYTE;
    SAR64 "sar" G, 0 0 1 0xc1 / 7 BYTE;
    SHLX32 "shlx" K, 2 1 0 0xf7 NONE;
    SHLX64 "shlx" K, 2 1 1 0xf7 NONE;
    SHRX32 "shrx" K, 2 3 0 0xf7 NONE;
    SHRX64 "shrx" K, 2 3 1 0xf7 NONE;
    SARX32 "sarx" K, 2 2 0 0xf7 NONE;
    SARX64 "sarx" K, 2 2 1 0xf7 NONE;
    CMOVE64 "cmove" G, 1 0 1 0x44 NONE;
    CMOVNE64 "cmovne" G, 1 0 1 0x45 NONE;
    CMOVB64 "cmovb" G, 1 0 1 0x42 NONE;
    CMOVA64 "cmova" G, 1 0 1 0x47 NONE;
    CMOVL64 "cmovl" G, 1 0 1 0x4c NONE;
    CMOVG64 "cmovg" G, 1 0 1 0x4f NONE;
    PREFETCH "prefetcht1" G, 1 0 0 0x18 / 2 NONE;
    LOCK_XADD32 "xadd" G, 1 4 0 0xc1 NONE;
    LOCK_XADD64 "xadd" G, 1 4 1 0xc1 NONE;
    LOCK_CMPXCHG32 "cmpxchg" G, 1 4 0 0xb1 NONE;
    LOCK_CMPXCHG64 "cmpxchg" G, 1 4 1 0xb1 NONE;
    XCHG32 "xchg" G, 0 0 0 0x87 NONE;
    XCHG64 "xchg" G, 0 0 1 0x87 NONE;
    TZCNT "tzcnt" G, 1 2 0 0xbc NONE;
    BSR "bsr" G, 1 0 0 0xbd NONE;
    CALL "call" G, 0 0 0 0xff / 2 NONE;
}
