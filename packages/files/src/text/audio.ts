import { measureDuration, detectAudioFormat } from './audio-duration.ts';
import { FormatError } from '../format-error.ts';
import { cleanText, oneLine } from './text-builder.ts';
import type { DecodeJob, DecodedFile, DecodedMeta } from '../decode-types.ts';

const mimeTypes = { mp3: 'audio/mpeg', m4a: 'audio/mp4', wav: 'audio/wav', aac: 'audio/aac' } as const;

export async function decodeAudio(bytes: Uint8Array, job: DecodeJob): Promise<DecodedFile> {
  const form = detectAudioFormat(bytes);
  if (form === undefined)
    throw new FormatError(
      'unsupported',
      'The file contents are not an mp3, m4a, wav or aac recording. Check that the file has the right extension.',
    );
  const duration = measureDuration(bytes, form);
  if (duration > job.limits.maxSeconds) {
    throw new FormatError(
      'too_long',
      `The recording lasts ${clock(duration)}; the limit is ${clock(job.limits.maxSeconds)}. Cut it and upload the parts.`,
    );
  }
  const { parseBuffer } = await import('music-metadata');
  const meta: DecodedMeta = { format: form, duration: Math.round(duration * 1000) / 1000 };
  let title: string | undefined;
  const lines: string[] = [];
  try {
    const { common } = await parseBuffer(bytes, { mimeType: mimeTypes[form] }, { duration: false, skipCovers: true });
    title = common.title;
    if (common.artist !== undefined) meta.author = oneLine(common.artist);
    if (common.album !== undefined) meta.album = oneLine(common.album);
    for (const line of [
      common.title,
      common.artist,
      common.album,
      ...(common.comment ?? []).map((comment) => comment.text),
      ...(common.lyrics ?? []).map((lyrics) => lyrics.text),
    ]) {
      if (typeof line === 'string' && line.trim() !== '') lines.push(cleanText(line).trim());
    }
  } catch (error) {
    // Ignore unreadable tags, because the audio itself is valid.
    if (!(error instanceof Error)) throw error;
  }
  const text = [...new Set(lines)].join('\n').slice(0, job.limits.maxTextChars);
  return {
    ...(title === undefined || oneLine(title) === '' ? {} : { title: oneLine(title) }),
    text,
    headings: [],
    meta,
    ...(text.trim() === '' ? { remark: 'The recording has no tags; it is found by its name.' } : {}),
  };
}

function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min ${whole % 60} s`;
}
