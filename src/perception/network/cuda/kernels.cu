// What a network does on a graphics card, but for products of matrices. Compiled at run time, without any header.
//
// Values between layers lie picture by picture, row by row, channels last, as on the CPU. HALF says how they are
// kept: 16 bits (bfloat16) or 32; all sums are made in 32 bits. PACK values are read and written at a time.
// Sums over places are made in two steps of fixed order, so that the same card gives the same result again.

#if HALF
typedef unsigned short real;
__device__ inline float load(real value) { return __uint_as_float((unsigned)value << 16); }
// Rounds to the nearest, ties to even.
__device__ inline real keep(float value) {
    unsigned bits = __float_as_uint(value);
    return (real)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
#else
typedef float real;
__device__ inline float load(real value) { return value; }
__device__ inline real keep(float value) { return value; }
#endif

template <int N> struct __align__(sizeof(real) * N) Pack { real value[N]; };

#define THREAD (blockIdx.x * (unsigned)blockDim.x + threadIdx.x)

// Pictures --------------------------------------------------------------------------------------------------------

// Pixels as the network sees them.
extern "C" __global__ void shade(const unsigned char* pixels, real* out, unsigned count) {
    unsigned i = THREAD;
    if (i < count) out[i] = keep(pixels[i] / 255.0f);
}

__device__ inline float pixel(const unsigned char* picture, int side, float x, float y) {
    bool inside = x >= 0.0f && y >= 0.0f && x < side && y < side;
    return inside ? picture[(int)y * side + (int)x] / 255.0f : 0.0f;
}

// The pictures of this step, each moved as its ten numbers say: cos, sin, slant, width, height, right, down, and the
// square that is then wiped away: left, top, side.
extern "C" __global__ void show(const unsigned char* pixels, const unsigned* pictures, const float* moves,
                                const int* step, real* out, int side, unsigned batch) {
    unsigned area = side * side, i = THREAD;
    if (i >= batch * area) return;
    unsigned number = *step * batch + i / area, place = i % area;
    const float* move = moves + 10 * (size_t)number;
    const unsigned char* picture = pixels + (size_t)pictures[number] * area;
    float middle = (side - 1.0f) / 2.0f;
    float column = place % side, line = place / side;
    float across = column - middle, along = line - middle;
    float x = move[0] * across - move[1] * along, y = move[1] * across + move[0] * along;
    x = (x + move[2] * y) * move[3] + move[5];
    y = y * move[4] + move[6];
    float left = floorf(x), top = floorf(y);
    float dx = x - left, dy = y - top;
    float upper = (1.0f - dx) * pixel(picture, side, left, top) + dx * pixel(picture, side, left + 1.0f, top);
    float lower = (1.0f - dx) * pixel(picture, side, left, top + 1.0f)
                + dx * pixel(picture, side, left + 1.0f, top + 1.0f);
    bool wiped = column >= move[7] && column < move[7] + move[9] && line >= move[8] && line < move[8] + move[9];
    out[i] = keep(wiped ? 0.0f : (1.0f - dy) * upper + dy * lower);
}

// Convolution -----------------------------------------------------------------------------------------------------

struct Window { int side, channels, after, kernel, stride, width; };

// The surroundings of every place, one row of `width` each: one thread for each place and N channels.
template <int N>
__device__ inline void lay_out(const real* x, real* rows, unsigned places, Window w) {
    unsigned packs = w.channels / N, i = THREAD;
    if (i >= places * packs) return;
    unsigned place = i / packs, channel = (i % packs) * N;
    int column = place % w.after, line = place / w.after % w.after;
    size_t picture = place / (w.after * w.after);
    int left = column * w.stride - w.kernel / 2, top = line * w.stride - w.kernel / 2;
    real* out = rows + (size_t)place * w.width + channel;
    const real* in = x + picture * w.side * w.side * w.channels + channel;
    for (int y = top; y < top + w.kernel; y++)
        for (int x = left; x < left + w.kernel; x++) {
            Pack<N> pack = {};
            if (y >= 0 && x >= 0 && y < w.side && x < w.side)
                pack = *(const Pack<N>*)(in + (size_t)(y * w.side + x) * w.channels);
            *(Pack<N>*)out = pack;
            out += w.channels;
        }
    // Rows are padded to a width that products are fast with.
    if (channel == 0)
        for (int rest = w.kernel * w.kernel * w.channels; rest < w.width; rest++)
            rows[(size_t)place * w.width + rest] = keep(0.0f);
}

extern "C" __global__ void lay_out_packs(const real* x, real* rows, unsigned places, Window w) {
    lay_out<PACK>(x, rows, places, w);
}

extern "C" __global__ void lay_out_single(const real* x, real* rows, unsigned places, Window w) {
    lay_out<1>(x, rows, places, w);
}

// The way back from `lay_out`: every place gets the sum of all that was made from it, and what `more` has there.
extern "C" __global__ void gather(const real* rows, const real* more, real* x, unsigned places, Window w) {
    unsigned packs = w.channels / PACK, i = THREAD;
    if (i >= places * packs) return;
    unsigned place = i / packs, channel = (i % packs) * PACK;
    int column = place % w.side, line = place / w.side % w.side;
    size_t picture = place / (w.side * w.side);
    float sum[PACK];
    size_t here = (size_t)place * w.channels + channel;
    Pack<PACK> pack = {};
    if (more) pack = *(const Pack<PACK>*)(more + here);
    for (int n = 0; n < PACK; n++) sum[n] = load(pack.value[n]);
    for (int dy = 0; dy < w.kernel; dy++)
        for (int dx = 0; dx < w.kernel; dx++) {
            int y = line + w.kernel / 2 - dy, x = column + w.kernel / 2 - dx;
            if (y < 0 || x < 0 || y % w.stride || x % w.stride) continue;
            y /= w.stride;
            x /= w.stride;
            if (y >= w.after || x >= w.after) continue;
            size_t row = (picture * w.after + y) * w.after + x;
            pack = *(const Pack<PACK>*)(rows + row * w.width + (dy * w.kernel + dx) * w.channels + channel);
            for (int n = 0; n < PACK; n++) sum[n] += load(pack.value[n]);
        }
    for (int n = 0; n < PACK; n++) pack.value[n] = keep(sum[n]);
    *(Pack<PACK>*)(x + here) = pack;
}

// Normalisation ---------------------------------------------------------------------------------------------------

// Two sums for each channel, over the places of one block; `channels / PACK` threads are one place.
template <class Terms>
__device__ inline void add_up(float* parts, unsigned places, unsigned channels, Terms terms) {
    extern __shared__ float shared[];
    unsigned packs = channels / PACK, lines = blockDim.x / packs;
    unsigned pack = threadIdx.x % packs, line = threadIdx.x / packs;
    float first[PACK] = {}, second[PACK] = {};
    for (unsigned place = blockIdx.x * lines + line; place < places; place += gridDim.x * lines)
        terms((size_t)place * channels + pack * PACK, pack * PACK, first, second);
    for (int n = 0; n < PACK; n++) {
        shared[(line * channels + pack * PACK + n) * 2] = first[n];
        shared[(line * channels + pack * PACK + n) * 2 + 1] = second[n];
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < channels * 2; i += blockDim.x) {
        float sum = 0.0f;
        for (unsigned line = 0; line < lines; line++) sum += shared[line * channels * 2 + i];
        parts[(size_t)blockIdx.x * channels * 2 + i] = sum;
    }
}

extern "C" __global__ void norm_sums(const real* x, float* parts, unsigned places, unsigned channels) {
    add_up(parts, places, channels, [&](size_t here, unsigned, float* first, float* second) {
        Pack<PACK> pack = *(const Pack<PACK>*)(x + here);
        for (int n = 0; n < PACK; n++) {
            float value = load(pack.value[n]);
            first[n] += value;
            second[n] += value * value;
        }
    });
}

// Also takes away the gradient where the rectifier gave nothing, if `output` says so.
extern "C" __global__ void norm_back_sums(const real* x, const real* output, real* gradient, const float* stats,
                                          float* parts, unsigned places, unsigned channels) {
    const float *mean = stats, *inverse = stats + channels;
    add_up(parts, places, channels, [&](size_t here, unsigned channel, float* first, float* second) {
        Pack<PACK> in = *(const Pack<PACK>*)(x + here);
        Pack<PACK> back = *(const Pack<PACK>*)(gradient + here);
        if (output) {
            Pack<PACK> out = *(const Pack<PACK>*)(output + here);
            for (int n = 0; n < PACK; n++)
                if (!(load(out.value[n]) > 0.0f)) back.value[n] = keep(0.0f);
            *(Pack<PACK>*)(gradient + here) = back;
        }
        for (int n = 0; n < PACK; n++) {
            float value = load(back.value[n]);
            first[n] += value;
            second[n] += value * (load(in.value[n]) - mean[channel + n]) * inverse[channel + n];
        }
    });
}

// The sums of all blocks, by 32 threads a channel; a block has 32 channels. Thread 0 of a channel has them.
__device__ inline bool finish(const float* parts, unsigned blocks, unsigned channels, double* first, double* second) {
    __shared__ double sums[2][32][33];
    unsigned channel = blockIdx.x * 32 + threadIdx.x;
    double a = 0.0, b = 0.0;
    if (channel < channels)
        for (unsigned block = threadIdx.y; block < blocks; block += 32) {
            a += parts[((size_t)block * channels + channel) * 2];
            b += parts[((size_t)block * channels + channel) * 2 + 1];
        }
    sums[0][threadIdx.y][threadIdx.x] = a;
    sums[1][threadIdx.y][threadIdx.x] = b;
    __syncthreads();
    if (threadIdx.y || channel >= channels) return false;
    a = b = 0.0;
    for (int line = 0; line < 32; line++) {
        a += sums[0][line][threadIdx.x];
        b += sums[1][line][threadIdx.x];
    }
    *first = a;
    *second = b;
    return true;
}

// Mean, one over the deviation, and the factor and shift that normalise; the running means follow. What `stats`
// has of a channel: mean, inverse, factor, shift, and for the way back three factors.
extern "C" __global__ void norm_finish(const float* parts, unsigned blocks, float* stats, const float* scale,
                                       const float* shift, float* running, unsigned places, unsigned channels) {
    double sum, squares;
    if (!finish(parts, blocks, channels, &sum, &squares)) return;
    unsigned channel = blockIdx.x * 32 + threadIdx.x;
    double mean = sum / places, variance = squares / places - mean * mean;
    if (variance < 0.0) variance = 0.0;
    float inverse = (float)(1.0 / sqrt(variance + 1e-5));
    stats[channel] = (float)mean;
    stats[channels + channel] = inverse;
    stats[2 * channels + channel] = inverse * scale[channel];
    stats[3 * channels + channel] = shift[channel] - (float)mean * inverse * scale[channel];
    running[channel] += 0.1f * ((float)mean - running[channel]);
    running[channels + channel] += 0.1f * ((float)variance - running[channels + channel]);
}

// Gradients of scale and shift, and what takes the gradient of the output to that of the input: p g + q x + r.
extern "C" __global__ void norm_back_finish(const float* parts, unsigned blocks, float* stats, const float* scale,
                                            float* scale_gradient, float* shift_gradient, unsigned places,
                                            unsigned channels) {
    double sum, pairs;
    if (!finish(parts, blocks, channels, &sum, &pairs)) return;
    unsigned channel = blockIdx.x * 32 + threadIdx.x;
    scale_gradient[channel] = (float)pairs;
    shift_gradient[channel] = (float)sum;
    float mean = stats[channel], inverse = stats[channels + channel];
    float p = scale[channel] * inverse, slope = inverse * (float)(pairs / places);
    stats[4 * channels + channel] = p;
    stats[5 * channels + channel] = -p * slope;
    stats[6 * channels + channel] = -p * ((float)(sum / places) - mean * slope);
}

// Normalises; adds `more` if there is any; rectifies if asked.
extern "C" __global__ void normalise(const real* x, const float* factor, const float* shift, const real* more,
                                     real* out, unsigned packs, unsigned channels, int rectify) {
    unsigned i = THREAD;
    if (i >= packs) return;
    unsigned channel = i % (channels / PACK) * PACK;
    size_t here = (size_t)i * PACK;
    Pack<PACK> pack = *(const Pack<PACK>*)(x + here), other = {};
    if (more) other = *(const Pack<PACK>*)(more + here);
    for (int n = 0; n < PACK; n++) {
        float value = load(pack.value[n]) * factor[channel + n] + shift[channel + n] + load(other.value[n]);
        pack.value[n] = keep(rectify ? fmaxf(value, 0.0f) : value);
    }
    *(Pack<PACK>*)(out + here) = pack;
}

extern "C" __global__ void norm_back(const real* x, const real* gradient, const float* stats, real* out,
                                     unsigned packs, unsigned channels) {
    unsigned i = THREAD;
    if (i >= packs) return;
    unsigned channel = i % (channels / PACK) * PACK;
    size_t here = (size_t)i * PACK;
    const float *p = stats + 4 * channels + channel, *q = p + channels, *r = q + channels;
    Pack<PACK> in = *(const Pack<PACK>*)(x + here), back = *(const Pack<PACK>*)(gradient + here);
    for (int n = 0; n < PACK; n++)
        in.value[n] = keep(p[n] * load(back.value[n]) + q[n] * load(in.value[n]) + r[n]);
    *(Pack<PACK>*)(out + here) = in;
}

// The end of the network ------------------------------------------------------------------------------------------

// The mean of each channel over a picture.
extern "C" __global__ void pool(const real* x, float* out, unsigned pictures, unsigned places, unsigned channels) {
    unsigned i = THREAD;
    if (i >= pictures * channels) return;
    const real* from = x + (size_t)(i / channels) * places * channels + i % channels;
    float sum = 0.0f;
    for (unsigned place = 0; place < places; place++) sum += load(from[(size_t)place * channels]);
    out[i] = sum / places;
}

extern "C" __global__ void unpool(const float* gradient, real* out, unsigned pictures, unsigned places,
                                  unsigned channels) {
    unsigned i = THREAD;
    if (i >= pictures * places * channels) return;
    out[i] = keep(gradient[i / (places * channels) * channels + i % channels] / places);
}

extern "C" __global__ void add_bias(float* scores, const float* bias, unsigned count, unsigned width) {
    unsigned i = THREAD;
    if (i < count) scores[i] += bias[i % width];
}

// One warp a picture. Scores become their gradient; `losses` has what each picture adds to the loss of the step.
extern "C" __global__ void cross_entropy(float* scores, const unsigned* symbols, const float* weights,
                                         const int* step, float* losses, unsigned batch, int count, int width) {
    unsigned picture = THREAD / 32;
    int lane = threadIdx.x % 32;
    if (picture >= batch) return;
    unsigned number = *step * batch + picture;
    float* row = scores + (size_t)picture * width;
    float most = -3e38f, total = 0.0f;
    for (int i = lane; i < count; i += 32) most = fmaxf(most, row[i]);
    for (int other = 16; other; other /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, other));
    for (int i = lane; i < count; i += 32) total += expf(row[i] - most);
    for (int other = 16; other; other /= 2) total += __shfl_xor_sync(~0u, total, other);
    int symbol = symbols[number];
    float weight = weights[number];
    for (int i = lane; i < width; i += 32) {
        float p = i < count ? expf(row[i] - most) / total : 0.0f;
        if (i == symbol) losses[number] = -weight * logf(fmaxf(p, 1.17549435e-38f));
        row[i] = weight * (p - (i == symbol ? 1.0f : 0.0f));
    }
}

// The sum of each column.
extern "C" __global__ void columns(const float* x, float* out, unsigned rows, unsigned width) {
    unsigned i = THREAD;
    if (i >= width) return;
    float sum = 0.0f;
    for (unsigned row = 0; row < rows; row++) sum += x[(size_t)row * width + i];
    out[i] = sum;
}

// Learning --------------------------------------------------------------------------------------------------------

// Adam; `rates` has the rate and the decay of each step. `copy` is what products use.
extern "C" __global__ void adam(float* weights, const float* gradient, float* first, float* second, real* copy,
                                const float* rates, const int* step, unsigned count) {
    unsigned i = THREAD;
    if (i >= count) return;
    float rate = rates[*step * 2], decay = rates[*step * 2 + 1];
    float g = gradient[i];
    float m = first[i] + 0.1f * (g - first[i]);
    float v = second[i] + (1.0f - 0.999f) * (g * g - second[i]);
    float w = weights[i];
    w -= rate * m / (sqrtf(v) + 1e-8f) + decay * w;
    first[i] = m;
    second[i] = v;
    weights[i] = w;
    copy[i] = keep(w);
}

extern "C" __global__ void copy_weights(const float* weights, real* copy, unsigned count) {
    unsigned i = THREAD;
    if (i < count) copy[i] = keep(weights[i]);
}

extern "C" __global__ void next_step(int* step) { *step += 1; }
