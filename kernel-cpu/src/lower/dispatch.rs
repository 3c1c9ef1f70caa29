//! Which instruction belongs to which family.

use super::Lowering;
use crate::load::grammar::Op;
use crate::load::words::Instruction;
use crate::load::{LoadError, Problem};

impl<'w> Lowering<'_, 'w> {
    /// Lowers one instruction of a block's body.
    pub(super) fn instruction(&mut self, inst: &Instruction<'w>) -> Result<(), LoadError> {
        match inst.op {
            Op::LifetimeStart | Op::LifetimeStop | Op::AssumeTrueKHR => Ok(()),
            // Memory is near enough.
            Op::SubgroupBlockPrefetchINTEL | Op::CooperativeMatrixPrefetchINTEL => Ok(()),
            // Structured control flow is a promise that the program does not need.
            Op::LoopMerge | Op::SelectionMerge | Op::LoopControlINTEL => Ok(()),
            // The executors access memory in program order.
            Op::MemoryBarrier => self.check_memory_scope(inst, 0),
            // Nobody goes on from where all wait before all have arrived, so that there is nothing to do where they arrive.
            Op::ControlBarrierArriveINTEL => self.check_barrier(inst).map(drop),
            Op::ControlBarrier | Op::ControlBarrierWaitINTEL => self.control_barrier(inst),
            Op::ExtInst => self.extended(inst),
            Op::ReadClockKHR => self.read_clock(inst),

            Op::VariableLengthArrayINTEL => self.variable_length_array(inst),
            Op::SaveMemoryINTEL => self.save_memory(inst),
            Op::RestoreMemoryINTEL => self.restore_memory(inst),
            Op::Variable => self.function_variable(inst),
            Op::Load => self.load(inst),
            Op::Store => self.store(inst),
            Op::CopyMemory => self.copy_memory(inst),
            Op::CopyMemorySized => self.copy_memory_sized(inst),

            Op::AccessChain | Op::InBoundsAccessChain => self.access_chain(inst, false),
            Op::PtrAccessChain | Op::InBoundsPtrAccessChain => self.access_chain(inst, true),
            Op::PtrEqual | Op::PtrNotEqual | Op::PtrDiff => self.compare_pointers(inst),
            Op::PtrCastToGeneric | Op::GenericCastToPtr | Op::ConvertPtrToU | Op::ConvertUToPtr => {
                self.cast_pointer(inst)
            }

            Op::GenericCastToPtrExplicit => self.cast_if_there(inst),
            Op::GenericPtrMemSemantics => self.memory_semantics(inst),

            Op::CompositeConstruct => self.composite_construct(inst),
            Op::CompositeExtract => self.composite_extract(inst),
            Op::CompositeInsert => self.composite_insert(inst),
            Op::VectorShuffle => self.vector_shuffle(inst),
            Op::VectorExtractDynamic => self.vector_extract_dynamic(inst),
            Op::VectorInsertDynamic => self.vector_insert_dynamic(inst),
            Op::CopyObject | Op::CopyLogical | Op::ExpectKHR | Op::ArithmeticFenceEXT => {
                self.copy_object(inst)
            }
            Op::Undef | Op::ConstantNull => self.undefined(inst),

            Op::UConvert
            | Op::SConvert
            | Op::FConvert
            | Op::ConvertFToU
            | Op::ConvertFToS
            | Op::ConvertUToF
            | Op::ConvertSToF => self.convert(inst),
            Op::SatConvertSToU | Op::SatConvertUToS => self.saturating_convert(inst),
            Op::ConvertFToBF16INTEL | Op::ConvertBF16ToFINTEL => self.convert_bfloat(inst),
            Op::RoundFToTF32INTEL => self.round_to_tf32(inst),
            Op::Bitcast => self.bitcast(inst),

            Op::AtomicLoad
            | Op::AtomicStore
            | Op::AtomicExchange
            | Op::AtomicCompareExchange
            | Op::AtomicCompareExchangeWeak
            | Op::AtomicIIncrement
            | Op::AtomicIDecrement
            | Op::AtomicIAdd
            | Op::AtomicISub
            | Op::AtomicUMin
            | Op::AtomicUMax
            | Op::AtomicSMin
            | Op::AtomicSMax
            | Op::AtomicAnd
            | Op::AtomicOr
            | Op::AtomicXor
            | Op::AtomicFAddEXT
            | Op::AtomicFMinEXT
            | Op::AtomicFMaxEXT
            | Op::AtomicFlagTestAndSet
            | Op::AtomicFlagClear => self.atomic(inst),

            Op::SampledImage
            | Op::ImageSampleExplicitLod
            | Op::ImageRead
            | Op::ImageWrite
            | Op::ImageQuerySize
            | Op::ImageQuerySizeLod
            | Op::ImageQueryLevels
            | Op::ImageQueryFormat
            | Op::ImageQueryOrder => self.image(inst),

            Op::Select => self.select(inst),
            Op::VectorTimesScalar => self.vector_times_scalar(inst),
            Op::MatrixTimesScalar => self.matrix_times_scalar(inst),
            Op::MaskedGatherINTEL => self.gather(inst),
            Op::MaskedScatterINTEL => self.scatter(inst),
            Op::CooperativeMatrixLoadKHR | Op::CooperativeMatrixLoadCheckedINTEL => self.load_matrix(inst),
            Op::CooperativeMatrixStoreKHR | Op::CooperativeMatrixStoreCheckedINTEL => self.store_matrix(inst),
            Op::CooperativeMatrixConstructCheckedINTEL => self.construct_matrix(inst),
            Op::CooperativeMatrixGetElementCoordINTEL => self.matrix_coordinate(inst),
            Op::CooperativeMatrixMulAddKHR => self.multiply_matrices(inst),
            Op::CooperativeMatrixLengthKHR => self.matrix_length(inst),
            Op::Dot => self.dot(inst),
            Op::FmaKHR => self.fused(inst),
            Op::SDot | Op::UDot | Op::SUDot | Op::SDotAccSat | Op::UDotAccSat | Op::SUDotAccSat => {
                self.integer_dot(inst)
            }
            Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended | Op::SMulExtended => {
                self.extended_integer(inst)
            }
            Op::BitFieldInsert | Op::BitFieldSExtract | Op::BitFieldUExtract => self.bit_field(inst),
            Op::Any | Op::All => self.any_or_all(inst),

            Op::GroupAll
            | Op::GroupAny
            | Op::GroupBroadcast
            | Op::GroupIAdd
            | Op::GroupFAdd
            | Op::GroupFMin
            | Op::GroupUMin
            | Op::GroupSMin
            | Op::GroupFMax
            | Op::GroupUMax
            | Op::GroupSMax
            | Op::GroupIMulKHR
            | Op::GroupFMulKHR
            | Op::GroupBitwiseAndKHR
            | Op::GroupBitwiseOrKHR
            | Op::GroupBitwiseXorKHR
            | Op::GroupLogicalAndKHR
            | Op::GroupLogicalOrKHR
            | Op::GroupLogicalXorKHR => self.group(inst),
            Op::GroupNonUniformElect
            | Op::GroupNonUniformAll
            | Op::GroupNonUniformAny
            | Op::GroupNonUniformAllEqual
            | Op::GroupNonUniformBroadcast
            | Op::GroupNonUniformBroadcastFirst
            | Op::GroupNonUniformBallot
            | Op::GroupNonUniformInverseBallot
            | Op::GroupNonUniformBallotBitExtract
            | Op::GroupNonUniformBallotBitCount
            | Op::GroupNonUniformBallotFindLSB
            | Op::GroupNonUniformBallotFindMSB
            | Op::GroupNonUniformShuffle
            | Op::GroupNonUniformShuffleXor
            | Op::GroupNonUniformShuffleUp
            | Op::GroupNonUniformShuffleDown
            | Op::GroupNonUniformRotateKHR
            | Op::GroupNonUniformQuadBroadcast
            | Op::GroupNonUniformQuadSwap
            | Op::GroupNonUniformIAdd
            | Op::GroupNonUniformFAdd
            | Op::GroupNonUniformIMul
            | Op::GroupNonUniformFMul
            | Op::GroupNonUniformSMin
            | Op::GroupNonUniformUMin
            | Op::GroupNonUniformFMin
            | Op::GroupNonUniformSMax
            | Op::GroupNonUniformUMax
            | Op::GroupNonUniformFMax
            | Op::GroupNonUniformBitwiseAnd
            | Op::GroupNonUniformBitwiseOr
            | Op::GroupNonUniformBitwiseXor
            | Op::GroupNonUniformLogicalAnd
            | Op::GroupNonUniformLogicalOr
            | Op::GroupNonUniformLogicalXor => self.non_uniform(inst),
            Op::SubgroupAllKHR
            | Op::SubgroupAnyKHR
            | Op::SubgroupAllEqualKHR
            | Op::SubgroupBallotKHR
            | Op::SubgroupFirstInvocationKHR
            | Op::SubgroupReadInvocationKHR => self.subgroup_vote(inst),
            Op::GroupAsyncCopy => self.group_copy(inst),
            Op::GroupWaitEvents => self.group_wait(inst),
            Op::SubgroupShuffleINTEL
            | Op::SubgroupShuffleDownINTEL
            | Op::SubgroupShuffleUpINTEL
            | Op::SubgroupShuffleXorINTEL => self.shuffle(inst),
            Op::SubgroupImageBlockReadINTEL | Op::SubgroupImageBlockWriteINTEL => self.image_block(inst),
            Op::SubgroupBlockReadINTEL | Op::SubgroupBlockWriteINTEL => self.block_access(inst),
            _ => self.arithmetic(inst),
        }
    }

    /// The error for instructions that no family knows.
    pub(super) fn unsupported(&self, inst: &Instruction<'_>) -> LoadError {
        inst.error(Problem::UnsupportedInstruction)
    }
}
