import { SheafError, sheaf } from '../../lib/api-client.ts';
import { errorCodes } from '../../lib/error-codes.ts';
import { putFile } from '../../lib/upload.ts';
import { fileKindOf } from './media-kinds.tsx';
import { toRelativeFileUrl } from './queries.ts';
import { hmacSha1, sha1Hex } from './sha1.ts';

type Credential = Awaited<ReturnType<typeof sheaf.wiki.create_media>>['cos_credential'];

export interface UploadTarget {
  base: string;
  folder: string;
  title?: string;
  /** True to move an existing file of the same name to the trash. Otherwise both files stay. */
  replaces?: boolean;
}

interface UploadOptions {
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/**
 * Uploads a file of any format, adds it to a knowledge base and returns the new item's id. Formats listed in the API
 * specification are uploaded as described there and have their own size limits.
 */
export async function uploadFile(file: File, target: UploadTarget, options: UploadOptions): Promise<string> {
  if (!fileKindOf(file.name)) return uploadAny(file, target, options);
  try {
    return await uploadSpecified(file, target, options);
  } catch (error) {
    // If the server does not accept the file as its format, for example because the content does not match the file
    // extension, upload it as an arbitrary file.
    if (error instanceof SheafError && error.code === errorCodes.wiki.invalid_parameter)
      return uploadAny(file, target, options);
    throw error;
  }
}

async function uploadAny(file: File, target: UploadTarget, options: UploadOptions): Promise<string> {
  const { media_id: id } = await sheaf.wiki.upload_knowledge({
    knowledge_base_id: target.base,
    folder_id: target.folder,
    file_name: file.name,
    file_key: await storeImport(file, options),
    content_type: file.type === '' ? undefined : file.type,
    title: target.title ?? file.name,
    duplicate_name_strategy: target.replaces === true ? 'replace' : 'keep_both',
  });
  return id;
}

/**
 * Uploads a file to the URL that the API operation `pre_import` returns. Returns the key with which later calls refer
 * to the uploaded file.
 */
async function storeImport(file: File, { onProgress, signal }: UploadOptions): Promise<string> {
  const {
    upload_url: url,
    file_key: key,
    max_size: max,
  } = await sheaf.manage.pre_import({ file_name: file.name.slice(0, 255) }, { signal });
  if (file.size > max) throw new Error(`the file has ${file.size} bytes; files of this kind may have at most ${max}`);
  await putFile(file, toRelativeFileUrl(url), { onProgress, signal });
  return key;
}

/**
 * Adds a file of a format that the API specification lists, in the same three steps as any API client: get a
 * credential, upload to the object storage, add the item.
 */
async function uploadSpecified(file: File, target: UploadTarget, options: UploadOptions): Promise<string> {
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
  const options = { onProgress: () => undefined, signal: new AbortController().signal };
  const sent = fileKindOf(file.name)
    ? { new_media_id: (await storeObject(file, base, options)).mediaId }
    : { file_key: await storeImport(file, options), file_name: file.name };
  await sheaf.wiki.replace_knowledge({ media_id: mediaId, ...sent, password });
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
  // The request goes to the page's own host, because that host also serves the object storage. The server recognizes
  // storage requests by their signature.
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
 * Returns the Authorization header of a storage request, with the `q-sign-algorithm=sha1` scheme. Headers and query
 * parameters are not signed.
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
