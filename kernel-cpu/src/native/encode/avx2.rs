//! The vector instructions of processors without AVX-512, a row each: of 256 bits (`V...`), and of 128 bits where the name says so.

use super::{Family, Immediate, Row};

const Y: Family = Family::Vex { length: true };
const X: Family = Family::Vex { length: false };

const NONE: Immediate = Immediate::None;
const BYTE: Immediate = Immediate::Byte;
const MASK: Immediate = Immediate::Mask;

// Name, family, opcode map, mandatory prefix, width, opcode.
rows! { AVX2_TABLE from 0x1000:
    // Floats.
    VADDPS "vaddps" Y, 1 0 0 0x58 NONE;
    VSUBPS "vsubps" Y, 1 0 0 0x5c NONE;
    VMULPS "vmulps" Y, 1 0 0 0x59 NONE;
    VDIVPS "vdivps" Y, 1 0 0 0x5e NONE;
    VMINPS "vminps" Y, 1 0 0 0x5d NONE;
    VMAXPS "vmaxps" Y, 1 0 0 0x5f NONE;
    VSQRTPS "vsqrtps" Y, 1 0 0 0x51 NONE;
    VADDPD "vaddpd" Y, 1 1 0 0x58 NONE;
    VSUBPD "vsubpd" Y, 1 1 0 0x5c NONE;
    VMULPD "vmulpd" Y, 1 1 0 0x59 NONE;
    VDIVPD "vdivpd" Y, 1 1 0 0x5e NONE;
    VMINPD "vminpd" Y, 1 1 0 0x5d NONE;
    VMAXPD "vmaxpd" Y, 1 1 0 0x5f NONE;
    VSQRTPD "vsqrtpd" Y, 1 1 0 0x51 NONE;
    VROUNDPS "vroundps" Y, 3 1 0 0x08 BYTE;
    VROUNDPD "vroundpd" Y, 3 1 0 0x09 BYTE;
    VCMPPS "vcmpps" Y, 1 0 0 0xc2 BYTE;
    VCMPPD "vcmppd" Y, 1 1 0 0xc2 BYTE;
    // Integers.
    VPADDD "vpaddd" Y, 1 1 0 0xfe NONE;
    VPSUBD "vpsubd" Y, 1 1 0 0xfa NONE;
    VPMULLD "vpmulld" Y, 2 1 0 0x40 NONE;
    VPMULUDQ "vpmuludq" Y, 1 1 0 0xf4 NONE;
    VPADDQ "vpaddq" Y, 1 1 0 0xd4 NONE;
    VPSUBQ "vpsubq" Y, 1 1 0 0xfb NONE;
    VPSUBUSW "vpsubusw" Y, 1 1 0 0xd9 NONE;
    VPAND "vpand" Y, 1 1 0 0xdb NONE;
    VPANDN "vpandn" Y, 1 1 0 0xdf NONE;
    VPOR "vpor" Y, 1 1 0 0xeb NONE;
    VPXOR "vpxor" Y, 1 1 0 0xef NONE;
    VPMINUD "vpminud" Y, 2 1 0 0x3b NONE;
    VPMAXUD "vpmaxud" Y, 2 1 0 0x3f NONE;
    VPMINSD "vpminsd" Y, 2 1 0 0x39 NONE;
    VPMAXSD "vpmaxsd" Y, 2 1 0 0x3d NONE;
    VPABSD "vpabsd" Y, 2 1 0 0x1e NONE;
    VPSLLVD "vpsllvd" Y, 2 1 0 0x47 NONE;
    VPSRLVD "vpsrlvd" Y, 2 1 0 0x45 NONE;
    VPSRAVD "vpsravd" Y, 2 1 0 0x46 NONE;
    VPSLLVQ "vpsllvq" Y, 2 1 1 0x47 NONE;
    VPSRLVQ "vpsrlvq" Y, 2 1 1 0x45 NONE;
    VPSLLD "vpslld" Y, 1 1 0 0x72 / 6 BYTE;
    VPSRLD "vpsrld" Y, 1 1 0 0x72 / 2 BYTE;
    VPSRAD "vpsrad" Y, 1 1 0 0x72 / 4 BYTE;
    VPSLLQ "vpsllq" Y, 1 1 0 0x73 / 6 BYTE;
    VPSRLQ "vpsrlq" Y, 1 1 0 0x73 / 2 BYTE;
    VPSRLDQ_128 "vpsrldq" X, 1 1 0 0x73 / 3 BYTE;
    VPCMPEQB "vpcmpeqb" Y, 1 1 0 0x74 NONE;
    VPCMPEQD "vpcmpeqd" Y, 1 1 0 0x76 NONE;
    VPCMPEQQ "vpcmpeqq" Y, 2 1 0 0x29 NONE;
    VPCMPGTD "vpcmpgtd" Y, 1 1 0 0x66 NONE;
    VPCMPGTQ "vpcmpgtq" Y, 2 1 0 0x37 NONE;
    VPTEST "vptest" Y, 2 1 0 0x17 NONE;
    // Moves.
    VMOVDQU "vmovdqu" Y, 1 2 0 0x6f NONE;
    VMOVDQU_STORE "vmovdqu" Y, 1 2 0 0x7f NONE;
    VMOVDQU_128 "vmovdqu" X, 1 2 0 0x6f NONE;
    VMOVDQU_128_STORE "vmovdqu" X, 1 2 0 0x7f NONE;
    VPMASKMOVD "vpmaskmovd" Y, 2 1 0 0x8c NONE;
    VPMASKMOVQ "vpmaskmovq" Y, 2 1 1 0x8c NONE;
    VPMASKMOVD_STORE "vpmaskmovd" Y, 2 1 0 0x8e NONE;
    VPMASKMOVQ_STORE "vpmaskmovq" Y, 2 1 1 0x8e NONE;
    VBLENDVPS "vblendvps" Y, 3 1 0 0x4a MASK;
    VBROADCASTSS "vbroadcastss" Y, 2 1 0 0x18 NONE;
    VBROADCASTSD "vbroadcastsd" Y, 2 1 0 0x19 NONE;
    VPBROADCASTD "vpbroadcastd" Y, 2 1 0 0x58 NONE;
    VPBROADCASTQ "vpbroadcastq" Y, 2 1 0 0x59 NONE;
    VMOVD_FROM_GENERAL "vmovd" X, 1 1 0 0x6e NONE;
    VMOVQ_FROM_GENERAL "vmovq" X, 1 1 1 0x6e NONE;
    VMOVD_TO_GENERAL "vmovd" X, 1 1 0 0x7e NONE;
    VMOVQ_TO_GENERAL "vmovq" X, 1 1 1 0x7e NONE;
    VMOVMSKPS "vmovmskps" Y, 1 0 0 0x50 NONE;
    VEXTRACTI128 "vextracti128" Y, 3 1 0 0x39 BYTE;
    VINSERTI128 "vinserti128" Y, 3 1 0 0x38 BYTE;
    VSHUFPS "vshufps" Y, 1 0 0 0xc6 BYTE;
    VPERM2I128 "vperm2i128" Y, 3 1 0 0x46 BYTE;
    VPALIGNR "vpalignr" Y, 3 1 0 0x0f BYTE;
    VPERMD "vpermd" Y, 2 1 0 0x36 NONE;
    VPERMQ "vpermq" Y, 3 1 1 0x00 BYTE;
    VPACKUSDW "vpackusdw" Y, 2 1 0 0x2b NONE;
    VPACKSSDW "vpackssdw" Y, 1 1 0 0x6b NONE;
    VPACKUSWB_128 "vpackuswb" X, 1 1 0 0x67 NONE;
    VPACKSSWB_128 "vpacksswb" X, 1 1 0 0x63 NONE;
    // Conversions.
    VPMOVZXBD "vpmovzxbd" Y, 2 1 0 0x31 NONE;
    VPMOVSXBD "vpmovsxbd" Y, 2 1 0 0x21 NONE;
    VPMOVZXWD "vpmovzxwd" Y, 2 1 0 0x33 NONE;
    VPMOVZXDQ "vpmovzxdq" Y, 2 1 0 0x35 NONE;
    VPMOVSXDQ "vpmovsxdq" Y, 2 1 0 0x25 NONE;
    VCVTDQ2PS "vcvtdq2ps" Y, 1 0 0 0x5b NONE;
    VCVTTPS2DQ "vcvttps2dq" Y, 1 2 0 0x5b NONE;
    VCVTDQ2PD "vcvtdq2pd" Y, 1 2 0 0xe6 NONE;
    VCVTPS2PD "vcvtps2pd" Y, 1 0 0 0x5a NONE;
    VCVTPH2PS "vcvtph2ps" Y, 2 1 0 0x13 NONE;
    VCVTPS2PH "vcvtps2ph" Y, 3 1 0 0x1d BYTE;
    VCVTPD2PS "vcvtpd2ps" Y, 1 1 0 0x5a NONE;
    // Gathers: an index of 32 or of 64 bits, an element of 32 or of 64.
    VPGATHERDD "vpgatherdd" Y, 2 1 0 0x90 NONE;
    VPGATHERDQ "vpgatherdq" Y, 2 1 1 0x90 NONE;
    VPGATHERQD "vpgatherqd" Y, 2 1 0 0x91 NONE;
    VPGATHERQQ "vpgatherqq" Y, 2 1 1 0x91 NONE;
    // General registers.
    BLSR32 "blsr" X, 2 0 0 0xf3 / 1 NONE;
}
