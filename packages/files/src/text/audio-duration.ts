import { damaged, FormatError } from '../format-error.ts';

export type AudioFormat = 'mp3' | 'm4a' | 'wav' | 'aac';

/**
 * Measures the duration of a recording in seconds from its audio data, because durations stated in headers (Xing, RIFF,
 * movie header) can be false. Throws if there is no audio.
 */
export function measureDuration(bytes: Uint8Array, form: AudioFormat): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const seconds = { mp3: mpegSeconds, aac: adtsSeconds, wav: waveSeconds, m4a: movieSeconds }[form](view);
  if (!(seconds > 0) || !Number.isFinite(seconds)) throw damaged('it contains no audio');
  return seconds;
}

export function detectAudioFormat(bytes: Uint8Array): AudioFormat | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 12) return undefined;
  if (tag(view, 0) === 'RIFF' && tag(view, 8) === 'WAVE') return 'wav';
  if (tag(view, 4) === 'ftyp') return 'm4a';
  if (tag(view, 0) === adifMark) return 'aac';
  const at = afterTags(view);
  if (at + 7 > view.byteLength) return at > 0 ? 'mp3' : undefined;
  if (followed(view, at, adtsFrame)) return 'aac';
  const first = firstMpegFrame(view, at);
  // At the start of a file, require a second MPEG frame after the first: a byte order mark followed by text can look
  // like one frame.
  return first !== undefined && (at > 0 || followed(view, first, mpegFrame)) ? 'mp3' : undefined;
}

function followed(view: DataView, at: number, frameAt: (view: DataView, at: number) => Frame | undefined): boolean {
  const frame = frameAt(view, at);
  return frame !== undefined && frameAt(view, at + frame.size) !== undefined;
}

const adifMark = 'ADIF';

function tag(view: DataView, at: number): string {
  return at + 4 > view.byteLength
    ? ''
    : String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
}

/** Returns the offset after all ID3v2 tags at the start of the file. */
function afterTags(view: DataView): number {
  let at = 0;
  while (at + 10 <= view.byteLength && tag(view, at).startsWith('ID3')) {
    const size = [6, 7, 8, 9].reduce((sum, offset) => (sum << 7) | (view.getUint8(at + offset) & 0x7f), 0);
    at += 10 + size + ((view.getUint8(at + 5) & 0x10) !== 0 ? 10 : 0);
  }
  return at;
}

const bitrates: Record<string, number[]> = {
  'v1-1': [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  'v1-2': [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  'v1-3': [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  'v2-1': [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  'v2-2': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const mpegRates = [44_100, 48_000, 32_000];

interface Frame {
  size: number;
  seconds: number;
}

function mpegFrame(view: DataView, at: number): Frame | undefined {
  if (at + 4 > view.byteLength) return undefined;
  const word = view.getUint32(at);
  if (word >>> 21 !== 0x7ff) return undefined;
  const version = (word >>> 19) & 3;
  const layer = 4 - ((word >>> 17) & 3);
  const rateIndex = (word >>> 10) & 3;
  const bitrateIndex = (word >>> 12) & 15;
  if (version === 1 || layer === 4 || rateIndex === 3 || bitrateIndex === 15 || bitrateIndex === 0) return undefined;
  const first = version === 3;
  const rate = mpegRates[rateIndex]! / (first ? 1 : version === 2 ? 2 : 4);
  const table = bitrates[first ? `v1-${layer}` : layer === 1 ? 'v2-1' : 'v2-2']!;
  const bits = table[bitrateIndex]! * 1000;
  const padding = (word >>> 9) & 1;
  if (layer === 1) return { size: (Math.floor((12 * bits) / rate) + padding) * 4, seconds: 384 / rate };
  const samples = layer === 2 || first ? 1152 : 576;
  return { size: Math.floor((samples * bits) / 8 / rate) + padding, seconds: samples / rate };
}

/**
 * Returns the offset of the first MP3 frame that is followed by another frame or by the end of the file. A single
 * frame is not enough, because random bytes can look like a frame.
 */
function firstMpegFrame(view: DataView, from: number): number | undefined {
  const end = Math.min(view.byteLength - 4, from + 64 * 1024);
  for (let at = from; at <= end; at++) {
    if (view.getUint8(at) !== 0xff) continue;
    const frame = mpegFrame(view, at);
    if (frame !== undefined && (mpegFrame(view, at + frame.size) !== undefined || at + frame.size >= view.byteLength))
      return at;
  }
  return undefined;
}

function mpegSeconds(view: DataView): number {
  let seconds = 0;
  let at = firstMpegFrame(view, afterTags(view));
  while (at !== undefined && at < view.byteLength) {
    const frame = mpegFrame(view, at);
    if (frame === undefined) {
      if (tag(view, at).startsWith('TAG')) break;
      at = firstMpegFrame(view, at + 1);
      continue;
    }
    seconds += frame.seconds;
    at += frame.size;
  }
  return seconds;
}

const adtsRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
];

function adtsFrame(view: DataView, at: number): Frame | undefined {
  if (at + 7 > view.byteLength || view.getUint8(at) !== 0xff || (view.getUint8(at + 1) & 0xf6) !== 0xf0)
    return undefined;
  const rate = adtsRates[(view.getUint8(at + 2) >> 2) & 15];
  const size = ((view.getUint8(at + 3) & 3) << 11) | (view.getUint8(at + 4) << 3) | (view.getUint8(at + 5) >> 5);
  if (rate === undefined || size < 7) return undefined;
  return { size, seconds: (1024 * ((view.getUint8(at + 6) & 3) + 1)) / rate };
}

/**
 * Computes the duration of an ADIF file (AAC audio with one header) from the bit rate in the header, because ADIF has
 * no frames to count.
 */
function adifSeconds(view: DataView): number {
  let bit = 32;
  const take = (count: number): number => {
    let value = 0;
    for (; count > 0; count--, bit++) {
      if (bit >> 3 >= view.byteLength) throw damaged('its header is truncated');
      value = value * 2 + ((view.getUint8(bit >> 3) >> (7 - (bit & 7))) & 1);
    }
    return value;
  };
  if (take(1) === 1) take(72);
  take(3);
  const rate = take(23);
  return ((view.byteLength - (bit >> 3)) * 8) / (rate || unstatedRate);
}

/** Assumed bit rate of an ADIF file in bits per second if its header states none. */
const unstatedRate = 128_000;

function adtsSeconds(view: DataView): number {
  if (tag(view, 0) === adifMark) return adifSeconds(view);
  let seconds = 0;
  for (let at = afterTags(view); ;) {
    const frame = adtsFrame(view, at);
    if (frame === undefined) return seconds;
    seconds += frame.seconds;
    at += frame.size;
  }
}

function waveSeconds(view: DataView): number {
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= view.byteLength;) {
    const name = tag(view, at);
    const size = view.getUint32(at + 4, true);
    if (name === 'fmt ' && at + 20 <= view.byteLength) bytesPerSecond = byteRate(view, at + 8);
    if (name === 'data') {
      if (bytesPerSecond === 0) throw damaged('its format chunk is missing');
      const there = view.byteLength - at - 8;
      // Streaming encoders do not know the size of the data and write 0 or the maximum. Use the number of bytes present
      // instead.
      return (size === 0 || size > there ? there : size) / bytesPerSecond;
    }
    at += 8 + size + (size & 1);
  }
  throw damaged('its data chunk is missing');
}

/**
 * Returns bytes per second. For uncompressed audio they are computed from the sample format, because the byte-rate
 * field of the header can be wrong; for other audio that field is used.
 */
function byteRate(view: DataView, at: number): number {
  const coding = view.getUint16(at, true);
  const declared = view.getUint32(at + 8, true);
  const channels = view.getUint16(at + 2, true);
  const rate = view.getUint32(at + 4, true);
  const bits = at + 16 <= view.byteLength ? view.getUint16(at + 14, true) : 0;
  const linear = (coding === 1 || coding === 3 || coding === 0xfffe) && bits > 0;
  return linear ? (channels * rate * bits) / 8 : declared;
}

const containers = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);
const maxBoxes = 100_000;

/**
 * Returns the duration of the longest audio track, summed from the durations of its samples. The duration in the movie
 * header is ignored. Throws if the file is a video.
 */
function movieSeconds(view: DataView): number {
  let longest = 0;
  let scale = 0;
  let handler = '';
  let boxes = 0;
  const walk = (from: number, to: number, depth: number): void => {
    for (let at = from; at + 8 <= to;) {
      if (++boxes > maxBoxes) throw damaged('it is cut into too many boxes');
      const name = tag(view, at + 4);
      let size = view.getUint32(at);
      let head = 8;
      if (size === 1 && at + 16 <= to) {
        size = Number(view.getBigUint64(at + 8));
        head = 16;
      } else if (size === 0) size = to - at;
      if (size < head || at + size > to) return;
      if (containers.has(name) && depth < 8) walk(at + head, at + size, depth + 1);
      else if (name === 'mdhd' && size >= head + 24)
        scale = view.getUint32(at + head + (view.getUint8(at + head) === 1 ? 20 : 12));
      else if (name === 'hdlr' && size >= head + 12) {
        handler = tag(view, at + head + 8);
        if (handler === 'vide')
          throw new FormatError(
            'unsupported',
            'The file is a video. Only audio can be added; extract the audio as m4a or mp3.',
          );
      } else if (name === 'stts' && handler === 'soun' && scale > 0)
        longest = Math.max(longest, timeToSample(view, at + head, at + size) / scale);
      at += size;
    }
  };
  walk(0, view.byteLength, 0);
  return longest;
}

function timeToSample(view: DataView, at: number, end: number): number {
  if (at + 8 > end) return 0;
  const count = Math.min(view.getUint32(at + 4), Math.floor((end - at - 8) / 8));
  let total = 0;
  for (let index = 0; index < count; index++)
    total += view.getUint32(at + 8 + index * 8) * view.getUint32(at + 12 + index * 8);
  return total;
}
