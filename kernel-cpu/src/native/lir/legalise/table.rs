//! What replaces each instruction on vectors of 512 bits and on masks.

use super::super::{Anchor, Code, Inst, Role};
use super::Legaliser;
use crate::native::encode::{self as rows, Family, Row};
use std::sync::LazyLock;

/// How an instruction is replaced.
#[derive(Clone, Copy)]
enum Way {
    /// By this row on each half, with lanes of 32 bits.
    Halves(Row),
    /// By this row on each half, with lanes of 64 bits.
    Wide(Row),
    /// The first eight lanes of 32 bits become lanes of 64 bits, four at a time by this row.
    Widen(Row),
    /// By several instructions.
    By(fn(&mut Legaliser<'_>, &Inst) -> Option<()>),
}

use Way::{By, Halves, Wide, Widen};

/// A row that differs from its replacement by the length of vectors only.
const fn same(row: Row) -> (Row, Way) {
    let narrow = Row { family: Family::Vex { length: true }, ..row };
    (row, if row.wide { Wide(narrow) } else { Halves(narrow) })
}

/// A row, and what replaces it. An instruction whose row is not here is not selected.
const WAYS: &[(Row, Way)] = &[
    // Floats.
    (rows::ADDPS, Halves(rows::VADDPS)),
    (rows::SUBPS, Halves(rows::VSUBPS)),
    (rows::MULPS, Halves(rows::VMULPS)),
    (rows::DIVPS, Halves(rows::VDIVPS)),
    (rows::MINPS, Halves(rows::VMINPS)),
    (rows::MAXPS, Halves(rows::VMAXPS)),
    (rows::SQRTPS, Halves(rows::VSQRTPS)),
    (rows::ADDPD, Wide(rows::VADDPD)),
    (rows::SUBPD, Wide(rows::VSUBPD)),
    (rows::MULPD, Wide(rows::VMULPD)),
    (rows::DIVPD, Wide(rows::VDIVPD)),
    (rows::MINPD, Wide(rows::VMINPD)),
    (rows::MAXPD, Wide(rows::VMAXPD)),
    (rows::SQRTPD, Wide(rows::VSQRTPD)),
    same(rows::FMADD132PS),
    same(rows::FMADD132PD),
    same(rows::FMADD213PS),
    same(rows::FMADD213PD),
    same(rows::FMADD231PS),
    same(rows::FMADD231PD),
    same(rows::FMSUB132PS),
    same(rows::FMSUB132PD),
    same(rows::FMSUB213PS),
    same(rows::FMSUB213PD),
    same(rows::FMSUB231PS),
    same(rows::FMSUB231PD),
    same(rows::FNMADD132PS),
    same(rows::FNMADD132PD),
    same(rows::FNMADD213PS),
    same(rows::FNMADD213PD),
    same(rows::FNMADD231PS),
    same(rows::FNMADD231PD),
    (rows::RNDSCALEPS, Halves(rows::VROUNDPS)),
    (rows::RNDSCALEPD, Wide(rows::VROUNDPD)),
    (rows::FPCLASSPS, By(|this, inst| this.classify(inst))),
    (rows::FPCLASSPD, By(|this, inst| this.classify_wide(inst))),
    (rows::CMPPS, By(|this, inst| this.compare_floats(inst))),
    (rows::CMPPD, By(|this, inst| this.compare_doubles(inst))),
    // Integers.
    (rows::PADDD, Halves(rows::VPADDD)),
    (rows::PSUBD, Halves(rows::VPSUBD)),
    (rows::PMULLD, Halves(rows::VPMULLD)),
    (rows::PMULUDQ, Wide(rows::VPMULUDQ)),
    same(rows::PMULDQ),
    same(rows::PSHUFD),
    (rows::PERMQ, Wide(rows::VPERMQ)),
    (rows::PERMD, By(|this, inst| this.permute(inst))),
    (rows::PERMT2D, By(|this, inst| this.permute_two_narrow(inst))),
    (rows::SHUFFLE_QUARTERS, By(|this, inst| this.shuffle_quarters(inst))),
    (rows::PERMT2Q, By(|this, inst| this.permute_two(inst))),
    (rows::VALIGND, By(|this, inst| this.align(inst, 4))),
    (rows::VALIGNQ, By(|this, inst| this.align(inst, 8))),
    same(rows::PADDB),
    same(rows::PSHUFB),
    same(rows::PSADBW),
    same(rows::PMADDUBSW),
    same(rows::PMADDWD),
    (rows::PADDQ, Wide(rows::VPADDQ)),
    (rows::PSUBQ, Wide(rows::VPSUBQ)),
    (rows::PMULLQ, By(|this, inst| this.multiply_wide(inst))),
    (rows::PANDD, Halves(rows::VPAND)),
    (rows::PANDND, Halves(rows::VPANDN)),
    (rows::PORD, Halves(rows::VPOR)),
    (rows::PXORD, Halves(rows::VPXOR)),
    (rows::PANDQ, Wide(rows::VPAND)),
    (rows::PORQ, Wide(rows::VPOR)),
    (rows::PXORQ, Wide(rows::VPXOR)),
    (rows::PMINUD, Halves(rows::VPMINUD)),
    (rows::PMAXUD, Halves(rows::VPMAXUD)),
    (rows::PMINSD, Halves(rows::VPMINSD)),
    (rows::PMAXSD, Halves(rows::VPMAXSD)),
    (rows::PMINUQ, By(|this, inst| this.extreme_wide(inst, false, false))),
    (rows::PMAXUQ, By(|this, inst| this.extreme_wide(inst, false, true))),
    (rows::PMINSQ, By(|this, inst| this.extreme_wide(inst, true, false))),
    (rows::PMAXSQ, By(|this, inst| this.extreme_wide(inst, true, true))),
    (rows::PABSD, Halves(rows::VPABSD)),
    (rows::PABSQ, By(|this, inst| this.magnitude_wide(inst))),
    (rows::PSLLVD, Halves(rows::VPSLLVD)),
    (rows::PSRLVD, Halves(rows::VPSRLVD)),
    (rows::PSRAVD, Halves(rows::VPSRAVD)),
    (rows::PSLLVQ, Wide(rows::VPSLLVQ)),
    (rows::PSRLVQ, Wide(rows::VPSRLVQ)),
    (rows::PSRAVQ, By(|this, inst| this.shift_signed_wide_by_lanes(inst))),
    (rows::PSLLD, Halves(rows::VPSLLD)),
    (rows::PSRLD, Halves(rows::VPSRLD)),
    (rows::PSRAD, Halves(rows::VPSRAD)),
    (rows::PSLLQ, Wide(rows::VPSLLQ)),
    (rows::PSRLQ, Wide(rows::VPSRLQ)),
    (rows::PSRAQ, By(|this, inst| this.shift_signed_wide(inst))),
    (rows::PLZCNTD, By(|this, inst| this.leading_zeros(inst))),
    (rows::PLZCNTQ, By(|this, inst| this.leading_zeros_wide(inst))),
    (rows::PCMPD, By(|this, inst| this.compare_integers(inst, true))),
    (rows::PCMPUD, By(|this, inst| this.compare_integers(inst, false))),
    (rows::PCMPQ, By(|this, inst| this.compare_wide_integers(inst, true))),
    (rows::PCMPUQ, By(|this, inst| this.compare_wide_integers(inst, false))),
    (rows::PTESTMD, By(|this, inst| this.test_bits(inst))),
    (rows::PTESTMQ, By(|this, inst| this.test_wide_bits(inst))),
    (rows::PTESTMB, By(|this, inst| this.test_bytes(inst))),
    (rows::PROLVD, By(|this, inst| this.rotate(inst, false))),
    (rows::PROLVQ, By(|this, inst| this.rotate(inst, true))),
    // Moves.
    (rows::MOVDQA32, By(|this, inst| this.load(inst, false))),
    (rows::MOVDQA32_STORE, By(|this, inst| this.store(inst, false))),
    (rows::MOVDQA64, By(|this, inst| this.load(inst, true))),
    (rows::MOVDQU32, By(|this, inst| this.load(inst, false))),
    (rows::MOVDQU32_STORE, By(|this, inst| this.store(inst, false))),
    (rows::MOVDQU64, By(|this, inst| this.load(inst, true))),
    (rows::MOVDQU64_STORE, By(|this, inst| this.store(inst, true))),
    (rows::MOVDQU8, By(|this, inst| this.load_bytes(inst))),
    (rows::MOVDQU8_STORE, By(|this, inst| this.store_bytes(inst))),
    (rows::BLENDMD, By(|this, inst| this.choose(inst, false))),
    (rows::BLENDMQ, By(|this, inst| this.choose(inst, true))),
    (rows::BROADCASTSS, By(|this, inst| this.broadcast(inst, rows::VBROADCASTSS, false))),
    (rows::BROADCASTSD, By(|this, inst| this.broadcast(inst, rows::VBROADCASTSD, true))),
    (rows::BROADCASTD, By(|this, inst| this.broadcast_general(inst, false))),
    (rows::BROADCASTQ, By(|this, inst| this.broadcast_general(inst, true))),
    (rows::MOVD_TO_GENERAL, By(|this, inst| this.first_lane(inst, rows::VMOVD_TO_GENERAL))),
    (rows::MOVQ_TO_GENERAL, By(|this, inst| this.first_lane(inst, rows::VMOVQ_TO_GENERAL))),
    (rows::EXTRACT_HIGH, By(|this, inst| this.extract_high(inst))),
    (rows::INSERT_HIGH, By(|this, inst| this.insert_high(inst))),
    // Conversions.
    (rows::PMOVZXBD, By(|this, inst| this.load_small(inst, rows::VPMOVZXBD, 1))),
    (rows::PMOVZXWD, By(|this, inst| this.load_small(inst, rows::VPMOVZXWD, 2))),
    (rows::PMOVZXDQ, Widen(rows::VPMOVZXDQ)),
    (rows::PMOVSXDQ, Widen(rows::VPMOVSXDQ)),
    (rows::PMOVDB, By(|this, inst| this.store_small(inst, 1))),
    (rows::PMOVDW, By(|this, inst| this.store_small(inst, 2))),
    (rows::PMOVQD, By(|this, inst| this.narrow(inst))),
    (rows::CVTDQ2PS, Halves(rows::VCVTDQ2PS)),
    (rows::CVTUDQ2PS, By(|this, inst| this.unsigned_to_float(inst))),
    (rows::CVTTPS2DQ, Halves(rows::VCVTTPS2DQ)),
    (rows::CVTTPS2UDQ, By(|this, inst| this.float_to_unsigned(inst))),
    (rows::CVTDQ2PD, Widen(rows::VCVTDQ2PD)),
    (rows::CVTUDQ2PD, By(|this, inst| this.unsigned_to_double(inst))),
    (rows::CVTQQ2PS, By(|this, inst| this.wide_to_float(inst, true))),
    (rows::CVTUQQ2PS, By(|this, inst| this.wide_to_float(inst, false))),
    (rows::CVTTPD2QQ, By(|this, inst| this.double_to_wide(inst, true))),
    (rows::CVTTPD2UQQ, By(|this, inst| this.double_to_wide(inst, false))),
    (rows::CVTQQ2PD, By(|this, inst| this.wide_to_double(inst, true))),
    (rows::CVTUQQ2PD, By(|this, inst| this.wide_to_double(inst, false))),
    (rows::CVTPS2PD, Widen(rows::VCVTPS2PD)),
    (rows::CVTPH2PS, By(|this, inst| this.float_of_half(inst))),
    (rows::CVTPS2PH, By(|this, inst| this.half_of_float(inst))),
    (rows::CVTPD2PS, By(|this, inst| this.double_to_float(inst))),
    // Gathers and scatters.
    (rows::GATHERDD, By(|this, inst| this.gather(inst, rows::VPGATHERDD))),
    (rows::GATHERDQ, By(|this, inst| this.gather(inst, rows::VPGATHERDQ))),
    (rows::GATHERQD, By(|this, inst| this.gather(inst, rows::VPGATHERQD))),
    (rows::GATHERQQ, By(|this, inst| this.gather(inst, rows::VPGATHERQQ))),
    (rows::SCATTERDD, By(|this, inst| this.scatter(inst, 4, 4))),
    (rows::SCATTERDQ, By(|this, inst| this.scatter(inst, 4, 8))),
    (rows::SCATTERQD, By(|this, inst| this.scatter(inst, 8, 4))),
    (rows::SCATTERQQ, By(|this, inst| this.scatter(inst, 8, 8))),
    // Masks.
    (rows::KMOV, By(|this, inst| this.mask_load(inst))),
    (rows::KMOV_STORE, By(|this, inst| this.mask_store(inst))),
    (rows::KMOV_FROM_GENERAL, By(|this, inst| this.mask_from_general(inst))),
    (rows::KMOV_TO_GENERAL, By(|this, inst| this.mask_to_general(inst))),
    (rows::KAND, Halves(rows::VPAND)),
    (rows::KANDN, Halves(rows::VPANDN)),
    (rows::KNOT, By(|this, inst| this.mask_not(inst))),
    (rows::KOR, Halves(rows::VPOR)),
    (rows::KXNOR, By(|this, inst| this.mask_equal(inst))),
    (rows::KXOR, Halves(rows::VPXOR)),
    (rows::KORTEST, By(|_, _| None)),
    (rows::KSHIFTR, By(|this, inst| this.mask_upper(inst))),
    (rows::KUNPACK, By(|this, inst| this.mask_join(inst))),
];

static BY_NUMBER: LazyLock<Vec<Option<Way>>> = LazyLock::new(|| {
    let mut ways = vec![None; rows::TABLE.len()];
    for &(row, way) in WAYS {
        ways[usize::from(row.number)] = Some(way);
    }
    ways
});

/// Whether an instruction has a replacement.
pub(in crate::native) fn has(inst: &Inst) -> bool {
    let (Code::Row(row) | Code::Compare { row, .. } | Code::Divide { row }) = inst.code else { return true };
    row.is_general() || BY_NUMBER[usize::from(row.number)].is_some() && fits(row, inst)
}

/// Whether the replacement of a row serves for this form of it.
fn fits(row: Row, inst: &Inst) -> bool {
    let is_masked = inst.operands().iter().any(|op| matches!(op.role, Role::Merge | Role::Zero));
    // A masked instruction reads no memory outside of its mask, which only its loads do in the replacement.
    let from_memory = is_masked && inst.place.is_some_and(|place| place.anchor == Anchor::Var);
    let fits_memory = match row {
        _ if inst.effect => true,
        rows::MOVDQA32 | rows::MOVDQA64 | rows::MOVDQU32 | rows::MOVDQU64 => true,
        rows::PMOVZXBD | rows::PMOVZXWD => true,
        _ if row.name.starts_with("vpgather") => true,
        _ => !from_memory,
    };
    // What is packed into a register is packed as a whole.
    let packs = matches!(row, rows::PMOVDB | rows::PMOVDW) && inst.place.is_none() && is_masked;
    let fits_number = match row {
        rows::RNDSCALEPS | rows::RNDSCALEPD => (0..16).contains(&inst.immediate),
        rows::FPCLASSPS | rows::FPCLASSPD => Legaliser::knows_class(inst.immediate),
        rows::PCMPD | rows::PCMPUD | rows::PCMPQ | rows::PCMPUQ => {
            [0, 1, 2, 4, 5, 6].contains(&inst.immediate)
        }
        rows::KSHIFTR => inst.immediate == 8,
        rows::PERMD
        | rows::PERMT2D
        | rows::PERMT2Q
        | rows::VALIGND
        | rows::VALIGNQ
        | rows::SHUFFLE_QUARTERS => inst.place.is_none(),
        rows::CVTPH2PS | rows::CVTPS2PH => inst.place.is_none(),
        rows::EXTRACT_HIGH | rows::INSERT_HIGH => inst.place.is_none() && matches!(inst.immediate, 0 | 1),
        // The lanes of these are smaller than those of masks.
        rows::MOVDQU8_STORE | rows::PADDB | rows::PSHUFB | rows::PSADBW | rows::PMADDUBSW | rows::PMADDWD => {
            !is_masked
        }
        _ => true,
    };
    fits_memory && fits_number && !packs
}

impl Legaliser<'_> {
    pub(super) fn replace(&mut self, row: Row, inst: &Inst) -> Option<()> {
        if !has(inst) {
            return None;
        }
        match BY_NUMBER[usize::from(row.number)]? {
            Halves(row) => self.by_halves(inst, row, false),
            Wide(row) => self.by_halves(inst, row, true),
            Widen(row) => self.widen(inst, row),
            By(way) => way(self, inst),
        }
    }
}

/// The rows of vectors that are replaced by a row on each half.
#[cfg(test)]
pub(super) fn halved() -> impl Iterator<Item = Row> {
    let is_halved = |way: &Way| matches!(way, Halves(_) | Wide(_));
    WAYS.iter().filter(move |(row, way)| is_halved(way) && !row.name.starts_with('k')).map(|(row, _)| *row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::encode::{Assembler, Operand, Operands};
    use iced_x86::{Decoder, DecoderOptions};

    /// Rows of vectors and masks that have no replacement: what needs them is interpreted.
    const WITHOUT: &[&str] = &["vrsqrt14ps", "vscalefps", "vscalefpd", "vmovd", "vpinsrd", "vinserti32x4"];

    #[test]
    fn rows_without_replacement_are_known() {
        let without: Vec<&str> = rows::TABLE
            .iter()
            .filter(|row| !row.is_general() && BY_NUMBER[usize::from(row.number)].is_none())
            .map(|row| row.name)
            .collect();
        assert_eq!(without, WITHOUT);
    }

    #[test]
    fn replacements_are_read_back() {
        for &(row, way) in WAYS {
            let (Halves(narrow) | Wide(narrow) | Widen(narrow)) = way else { continue };
            let mut assembler = Assembler::default();
            let operands = Operands {
                register: 9,
                second: 0,
                last: Operand::Register(11),
                mask: 0,
                zeroing: false,
                immediate: 1,
            };
            assembler.emit(narrow, &operands);
            let code = assembler.finish(&[]);
            let instruction = Decoder::with_ip(64, &code, 0, DecoderOptions::NONE).decode();
            assert_eq!(format!("{:?}", instruction.mnemonic()).to_lowercase(), narrow.name, "{}", row.name);
            assert!(super::super::tests::is_allowed(&instruction), "{instruction}");
        }
    }

    #[test]
    fn each_row_has_one_replacement() {
        for (place, (row, _)) in WAYS.iter().enumerate() {
            assert!(WAYS[..place].iter().all(|(other, _)| other != row), "{}", row.name);
        }
    }
}
