import { sheaf } from '../../lib/api-client.ts';
import { putFile } from '../../lib/upload.ts';
import { fileKindOf } from './media-kinds.tsx';
import { hmacSha1, sha1Hex } from './sha1.ts';

type Credential = Awaited<ReturnType<typeof sheaf.wiki.create_media>>['cos_credential'];

export interface UploadTarget {
  base: string;
  folder: string;
  title?: string;
  /** True to move an existing file of the same name to the trash; otherwise both files are listed. */
  replaces?: boolean;
}

interface UploadOptions {
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/**
 * Uploads a file and adds it to a base as a new item, whose id is returned. Uses the same three steps as any API
 * client: get a credential, send the bytes to the object storage, add the item.
 */
export async function uploadFile(file: File, target: UploadTarget, options: UploadOptions): Promise<string> {
  const stored = await storeObject(file, target.base, options);
  const { media_id: id } = await sheaf.wiki.add_knowledge({
    media_type: stored.mediaType,
    media_id: stored.mediaId,
    title: target.title ?? file.name,
    knowledge_base_id: target.base,
    folder_id: target.folder,
    duplicate_name_strategy: target.replaces === true ? 'replace' : 'keep_both',
    file_info: {
      cos_key: stored.key,
      file_size: file.size,
      file_name: file.name,
      last_modify_time: Math.floor(file.lastModified / 1000),
    },
  });
  return id;
}

export async function replaceFile(
  mediaId: string,
  base: string,
  file: File,
  password: string | undefined,
): Promise<void> {
  const stored = await storeObject(file, base, { onProgress: () => undefined, signal: new AbortController().signal });
  await sheaf.wiki.replace_knowledge({ media_id: mediaId, new_media_id: stored.mediaId, password });
}

async function storeObject(
  file: File,
  base: string,
  { onProgress, signal }: UploadOptions,
): Promise<{ mediaId: string; mediaType: number; key: string }> {
  const kind = fileKindOf(file.name);
  const { media_id: mediaId, cos_credential: credential } = await sheaf.wiki.create_media(
    {
      file_name: file.name,
      file_size: file.size,
      content_type: kind?.contentType ?? file.type,
      file_ext: kind?.extension ?? '',
      knowledge_base_id: base,
    },
    { signal },
  );
  // Sent to the page's own host, which also serves the object storage: the server recognizes storage requests by
  // their signature.
  const path = `/${credential.cos_key}`;
  await putFile(file, path.split('/').map(encodeURIComponent).join('/'), {
    headers: {
      authorization: authorizationHeader(credential, 'put', path),
      'x-cos-security-token': credential.token,
      'content-type': kind?.contentType ?? file.type,
    },
    onProgress,
    signal,
    reasonIn: (response) => /<Message>([^<]*)</.exec(response)?.[1],
  });
  return { mediaId, mediaType: kind?.mediaType ?? 0, key: credential.cos_key };
}

/**
 * Returns the Authorization header for a storage request, by the `q-sign-algorithm=sha1` scheme. No headers or query
 * parameters are signed.
 */
function authorizationHeader(
  credential: Pick<Credential, 'secret_id' | 'secret_key' | 'start_time' | 'expired_time'>,
  method: string,
  path: string,
): string {
  const time = `${credential.start_time};${credential.expired_time}`;
  const request = sha1Hex(`${method}\n${path}\n\n\n`);
  const signature = hmacSha1(hmacSha1(credential.secret_key, time), `sha1\n${time}\n${request}\n`);
  return `q-sign-algorithm=sha1&q-ak=${credential.secret_id}&q-sign-time=${time}&q-key-time=${time}&q-header-list=&q-url-param-list=&q-signature=${signature}`;
}
