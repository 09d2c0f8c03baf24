//! The graphics card: its memory, its kernels, products of matrices on it.
//!
//! This is the one module of the package with `unsafe` in it. A launch is safe if its arguments are what the kernel
//! takes and every buffer is as large as the kernel thinks; the callers, all in `pass.rs`, take sizes and buffers from
//! one [`Plan`](super::plan::Plan). Everything is done on one stream, in order, so no buffer is freed or read too
//! early.

#![allow(unsafe_code)]

use crate::error::{Error, Result};
use cudarc::cublas::{CudaBlas, result::gemm_ex, sys as blas};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaGraph, CudaSlice, CudaStream, DevicePtr, DriverError, LaunchConfig,
    PushKernelArg, sys,
};
use cudarc::nvrtc::{CompileError, CompileOptions, Ptx, compile_ptx_with_opts};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

const KERNELS: &str = include_str!("kernels.cu");

/// What can be launched; as in `kernels.cu`.
const NAMES: [&str; 19] = [
    "shade",
    "show",
    "lay_out_packs",
    "lay_out_single",
    "gather",
    "norm_sums",
    "norm_back_sums",
    "norm_finish",
    "norm_back_finish",
    "normalise",
    "norm_back",
    "pool",
    "unpool",
    "add_bias",
    "cross_entropy",
    "columns",
    "adam",
    "copy_weights",
    "next_step",
];

/// How numbers between layers are kept on the card. Sums are made in 32 bits in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// 32 bits, and products as exact as the CPU's.
    Single,
    /// 32 bits, but products look at the first 10 bits of each factor (tf32).
    Tensor,
    /// 16 bits (bfloat16).
    Half,
}

impl Precision {
    /// Bytes of a number between layers.
    pub fn bytes(self) -> usize {
        if self == Precision::Half { 2 } else { 4 }
    }
}

/// cuBLAS works in memory of this size.
const WORKSPACE: usize = 32 << 20;

/// A graphics card that is ready for work.
pub struct Card {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    blas: CudaBlas,
    precision: Precision,
    /// Those compiled so far, by the size of packs.
    compiled: Mutex<BTreeMap<usize, Arc<Kernels>>>,
    /// Kept for cuBLAS; its own choice of memory could not be recorded.
    _workspace: Buffer,
}

/// The kernels for one way to keep numbers.
pub(super) struct Kernels(BTreeMap<&'static str, CudaFunction>);

/// Memory on the card.
pub(super) struct Buffer(CudaSlice<u8>);

impl Buffer {
    /// The address of the number at `offset`, where each has so many bytes.
    pub fn at(&self, offset: usize, bytes: usize) -> u64 {
        assert!(offset * bytes <= self.0.num_bytes(), "a buffer of {} bytes", self.0.num_bytes());
        let (address, _) = self.0.device_ptr(self.0.stream());
        address + (offset * bytes) as u64
    }

    /// Where it begins.
    pub fn start(&self) -> u64 {
        self.at(0, 1)
    }
}

/// The sizes of a convolution, as the kernels take them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub side: i32,
    pub channels: i32,
    pub after: i32,
    pub kernel: i32,
    pub stride: i32,
    pub width: i32,
}

// Six numbers of 32 bits, as in `kernels.cu`.
unsafe impl cudarc::driver::DeviceRepr for Window {}

/// What a kernel is given.
#[derive(Clone, Copy, Debug)]
pub(super) enum Arg {
    /// An address, or 0 for nothing.
    Address(u64),
    Count(u32),
    Window(Window),
}

/// How many threads a kernel has.
#[derive(Clone, Copy, Debug)]
pub(super) enum Threads {
    /// So many, in blocks of 256.
    All(usize),
    /// Blocks, threads of each, and bytes that the threads of a block share.
    Blocks(usize, (u32, u32), usize),
}

/// A matrix on the card, row by row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matrix {
    pub address: u64,
    pub rows: usize,
    pub columns: usize,
    /// Whether it is used with rows and columns exchanged.
    pub turned: bool,
    /// Whether it always has 32 bits a number.
    pub wide: bool,
}

/// Work that was recorded once and can be repeated.
pub(super) struct Recording(CudaGraph);

impl Recording {
    pub fn play(&self) -> Result<()> {
        self.0.launch().map_err(failure)
    }
}

fn device(expected: impl Into<String>, found: impl Into<String>) -> Error {
    Error::Device { expected: expected.into(), found: found.into() }
}

/// What the driver says, as an error of ours.
fn failure(error: DriverError) -> Error {
    let said = error.error_string().map(|text| text.to_string_lossy().into_owned());
    device("work to be done on the graphics card", said.unwrap_or_else(|_| error.to_string()))
}

impl Card {
    /// The first graphics card of the machine.
    pub fn open(precision: Precision) -> Result<Card> {
        libraries()?;
        let count = CudaContext::device_count().map_err(|error| no_card(&error))?;
        if count == 0 {
            return Err(device("a graphics card", "none"));
        }
        let context = CudaContext::new(0).map_err(|error| no_card(&error))?;
        // With one stream there is nothing that events could keep in order.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream().map_err(failure)?;
        let blas = CudaBlas::new(stream.clone())
            .map_err(|error| device("cuBLAS to start", format!("{:?}", error.0)))?;
        let workspace = stream.alloc_zeros(WORKSPACE).map(Buffer).map_err(failure)?;
        let address = workspace.start() as *mut _;
        unsafe { blas::cublasSetWorkspace_v2(*blas.handle(), address, WORKSPACE) }
            .result()
            .map_err(|error| device("cuBLAS to start", format!("{:?}", error.0)))?;
        let compiled = Mutex::default();
        Ok(Card { context, stream, blas, precision, compiled, _workspace: workspace })
    }

    /// How numbers are kept.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// The card's name.
    pub fn name(&self) -> String {
        self.context.name().unwrap_or_default()
    }

    /// The kernels; `pack` numbers are read and written at a time.
    pub(super) fn compiled(&self, pack: usize) -> Result<Arc<Kernels>> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernels) = compiled.get(&pack) {
            return Ok(kernels.clone());
        }
        let kernels = Arc::new(self.kernels(pack)?);
        compiled.insert(pack, kernels.clone());
        Ok(kernels)
    }

    fn kernels(&self, pack: usize) -> Result<Kernels> {
        let (major, minor) = self.context.compute_capability().map_err(failure)?;
        let half = u8::from(self.precision == Precision::Half);
        let source = format!("#define HALF {half}\n#define PACK {pack}\n{KERNELS}");
        let ptx = compile(source, format!("--gpu-architecture=compute_{major}{minor}"))?;
        let module = self.context.load_module(ptx).map_err(failure)?;
        let load = |name: &&'static str| Ok((*name, module.load_function(name).map_err(failure)?));
        Ok(Kernels(NAMES.iter().map(load).collect::<Result<_>>()?))
    }

    /// Memory that is all zeros.
    pub(super) fn zeros(&self, bytes: usize) -> Result<Buffer> {
        self.stream.alloc_zeros(bytes.max(1)).map(Buffer).map_err(|error| self.no_memory(bytes, error))
    }

    fn no_memory(&self, bytes: usize, error: DriverError) -> Error {
        if error.0 != sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY {
            return failure(error);
        }
        let megabytes = |bytes: usize| format!("{} MB", bytes.div_ceil(1 << 20));
        let free = self.context.mem_get_info().map_or("less".to_owned(), |(free, _)| megabytes(free));
        device(format!("{} more of memory on the graphics card", megabytes(bytes)), format!("{free} free"))
    }

    /// Memory with these numbers.
    pub(super) fn upload<T: cudarc::driver::DeviceRepr>(&self, values: &[T]) -> Result<Buffer> {
        let mut buffer = self.zeros(std::mem::size_of_val(values))?;
        self.write(values, &mut buffer)?;
        Ok(buffer)
    }

    /// Writes numbers over the beginning of a buffer.
    pub(super) fn write<T: cudarc::driver::DeviceRepr>(
        &self,
        values: &[T],
        buffer: &mut Buffer,
    ) -> Result<()> {
        if values.is_empty() {
            return Ok(());
        }
        let bytes = std::mem::size_of_val(values);
        // Plain numbers without gaps, read as what they are made of.
        let bytes = unsafe { std::slice::from_raw_parts(values.as_ptr().cast::<u8>(), bytes) };
        self.stream.memcpy_htod(bytes, &mut buffer.0.slice_mut(..bytes.len())).map_err(failure)
    }

    /// The first `count` numbers of a buffer, when all work so far is done.
    pub(super) fn download(&self, buffer: &Buffer, count: usize) -> Result<Vec<f32>> {
        let bytes = self.stream.clone_dtoh(&buffer.0.slice(..count * 4)).map_err(failure)?;
        self.stream.synchronize().map_err(failure)?;
        let number = |bytes: &[u8]| f32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        Ok(bytes.chunks_exact(4).map(number).collect())
    }

    /// Starts a kernel.
    pub(super) fn launch(&self, kernels: &Kernels, name: &str, threads: Threads, args: &[Arg]) -> Result<()> {
        let (blocks, block_dim, shared) = match threads {
            Threads::All(count) => (count.div_ceil(256), (256, 1, 1), 0),
            Threads::Blocks(blocks, (x, y), shared) => (blocks, (x, y, 1), shared),
        };
        let config =
            LaunchConfig { grid_dim: (blocks as u32, 1, 1), block_dim, shared_mem_bytes: shared as u32 };
        let mut launch = self.stream.launch_builder(&kernels.0[name]);
        for arg in args {
            match arg {
                Arg::Address(address) => launch.arg(address),
                Arg::Count(count) => launch.arg(count),
                Arg::Window(window) => launch.arg(window),
            };
        }
        unsafe { launch.launch(config) }.map_err(failure)?;
        Ok(())
    }

    /// `out = a b`. cuBLAS counts column by column, so it is asked for the product the other way round.
    pub(super) fn multiply(&self, precision: Precision, a: Matrix, b: Matrix, out: Matrix) -> Result<()> {
        let wide = blas::cudaDataType_t::CUDA_R_32F;
        let kind = |matrix: Matrix| match precision {
            Precision::Half if !matrix.wide => blas::cudaDataType_t::CUDA_R_16BF,
            _ => wide,
        };
        let compute = match precision {
            Precision::Tensor => blas::cublasComputeType_t::CUBLAS_COMPUTE_32F_FAST_TF32,
            Precision::Single | Precision::Half => blas::cublasComputeType_t::CUBLAS_COMPUTE_32F,
        };
        let operation = |matrix: Matrix| match matrix.turned {
            true => blas::cublasOperation_t::CUBLAS_OP_T,
            false => blas::cublasOperation_t::CUBLAS_OP_N,
        };
        let (inner, last) = if a.turned { (a.rows, a.columns) } else { (a.columns, a.rows) };
        let first = if b.turned { b.rows } else { b.columns };
        assert_eq!((out.rows, out.columns), (last, first), "sizes fit");
        assert_eq!(if b.turned { b.columns } else { b.rows }, inner, "sizes fit");
        let (one, none) = (1.0f32, 0.0f32);
        unsafe {
            gemm_ex(
                *self.blas.handle(),
                operation(b),
                operation(a),
                first as i32,
                last as i32,
                inner as i32,
                (&raw const one).cast(),
                b.address as *const _,
                kind(b),
                b.columns as i32,
                a.address as *const _,
                kind(a),
                a.columns as i32,
                (&raw const none).cast(),
                out.address as *mut _,
                kind(out),
                out.columns as i32,
                compute,
                blas::cublasGemmAlgo_t::CUBLAS_GEMM_DEFAULT,
            )
        }
        .map_err(|error| device("a product of matrices from cuBLAS", format!("{:?}", error.0)))
    }

    /// Records what `work` starts, without doing it.
    pub(super) fn record(&self, work: impl FnOnce() -> Result<()>) -> Result<Recording> {
        let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        self.stream.begin_capture(mode).map_err(failure)?;
        let done = work();
        let graph = self.stream.end_capture(sys::CUgraphInstantiate_flags(0)).map_err(failure);
        done?;
        graph?.map(Recording).ok_or_else(|| device("work that can be repeated", "none"))
    }
}

/// Whether the three libraries are there, which are looked for only now. Asking for one that is not would panic.
fn libraries() -> Result<()> {
    let found = unsafe {
        [
            ("the driver of an NVIDIA graphics card (libcuda)", sys::is_culib_present()),
            ("NVRTC (libnvrtc)", cudarc::nvrtc::sys::is_culib_present()),
            ("cuBLAS (libcublas)", blas::is_culib_present()),
        ]
    };
    match found.iter().find(|(_, present)| !present) {
        Some((library, _)) => Err(device(*library, "none")),
        None => Ok(()),
    }
}

fn no_card(error: &DriverError) -> Error {
    let said = error.error_string().map(|text| text.to_string_lossy().into_owned());
    device("a graphics card", said.unwrap_or_else(|_| error.to_string()))
}

fn compile(source: String, architecture: String) -> Result<Ptx> {
    let options =
        CompileOptions { options: vec![architecture, "--std=c++17".to_owned()], ..Default::default() };
    compile_ptx_with_opts(source, options).map_err(|error| {
        let found = match error {
            CompileError::CompileError { log, .. } => {
                log.to_string_lossy().lines().next().unwrap_or_default().to_owned()
            }
            other => format!("{other:?}"),
        };
        device("NVRTC to compile the kernels", found)
    })
}
