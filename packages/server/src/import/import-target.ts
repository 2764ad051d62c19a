import { AwsV4Signer } from 'aws4fetch';
import { ImportError } from './import-error.ts';
import { RemoteError, type RetryingClient } from './retrying-client.ts';
import { mediaTypeOf } from './media-types.ts';
import type { ImportLedger } from './import-ledger.ts';

/** Maximum file size in bytes to send as base64 in one call. Larger files are uploaded to the object storage. */
const maxInlineBytes = 6 * 2 ** 20;
const uploadMs = 30 * 60_000;
/** Error code with which the server refuses a name that already exists. */
const nameExists = 210030;

export interface NewFile {
  readonly baseId: string;
  readonly folderId: string;
  readonly fileName: string;
  readonly title: string;
  readonly bytes: Uint8Array;
}

export class ImportTarget {
  readonly server: RetryingClient;
  readonly ledger: ImportLedger;
  #notebooks: Promise<Map<string, string>> | undefined;

  constructor(server: RetryingClient, ledger: ImportLedger) {
    this.server = server;
    this.ledger = ledger;
  }

  /**
   * Creates a notebook, unless the import log has an entry `key` or the server already has a notebook with that name
   * and parent. Returns the notebook's id.
   */
  async notebook(key: string, name: string, parentId: string): Promise<string> {
    const { id } = await this.ledger.ensure(key, async (idempotencyKey) => {
      try {
        const made = await this.server.call('note.add_notebook', { name, parent_folder_id: parentId }, idempotencyKey);
        return (made['folder'] as { folder_id: string }).folder_id;
      } catch (error) {
        if (!(error instanceof RemoteError) || error.code !== nameExists) throw error;
        const known = (await this.#known()).get(`${parentId}\n${name}`);
        if (known === undefined) throw error;
        return known;
      }
    });
    return id;
  }

  #known(): Promise<Map<string, string>> {
    this.#notebooks ??= this.#listNotebooks();
    return this.#notebooks;
  }

  async #listNotebooks(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for await (const page of this.server.pages('note.list_notebook', { limit: 20 }, { first: '0' })) {
      for (const one of page['note_folder_infos'] as { folder_id: string; name: string; parent_folder_id: string }[])
        found.set(
          `${one.parent_folder_id.startsWith('user_list_') ? '' : one.parent_folder_id}\n${one.name}`,
          one.folder_id,
        );
    }
    return found;
  }

  /**
   * Creates an object by calling `operation`, unless the import log has an entry `key` from an earlier run. Returns the
   * object's id, which is in the answer's field `field`.
   */
  async create(key: string, operation: string, input: object, field: string): Promise<string> {
    const { id } = await this.ledger.ensure(key, async (idempotencyKey) =>
      String((await this.server.call(operation, input, idempotencyKey))[field]),
    );
    return id;
  }

  base(key: string, fields: object): Promise<string> {
    return this.create(key, 'wiki.create_knowledge_base', fields, 'knowledge_base_id');
  }

  folder(key: string, baseId: string, parentId: string, name: string): Promise<string> {
    const input = { knowledge_base_id: baseId, parent_folder_id: parentId, name };
    return this.create(key, 'wiki.create_folder', input, 'folder_id');
  }

  /**
   * Adds a file as an item of a knowledge base, unless the import log has an entry `key` from an earlier run. Returns
   * the item's id and whether it is new.
   */
  file(key: string, file: NewFile): Promise<{ id: string; isNew: boolean }> {
    return this.ledger.ensure(key, (idempotencyKey) =>
      file.bytes.length <= maxInlineBytes
        ? this.#upload(file, idempotencyKey)
        : this.#uploadLarge(file, idempotencyKey),
    );
  }

  async #upload(file: NewFile, idempotencyKey: string): Promise<string> {
    const made = await this.server.call(
      'wiki.upload_knowledge',
      {
        knowledge_base_id: file.baseId,
        folder_id: file.folderId,
        file_name: file.fileName,
        title: file.title,
        content: Buffer.from(file.bytes).toString('base64'),
      },
      idempotencyKey,
    );
    return String(made['media_id']);
  }

  async #uploadLarge(file: NewFile, idempotencyKey: string): Promise<string> {
    const extension = /\.([^.]+)$/.exec(file.fileName)?.[1] ?? '';
    const mediaType = mediaTypeOf(extension);
    if (mediaType === undefined) return this.#uploadOther(file, idempotencyKey);
    const made = await this.server.call('wiki.create_media', {
      file_name: file.fileName,
      file_size: file.bytes.length,
      content_type: '',
      knowledge_base_id: file.baseId,
      file_ext: extension,
    });
    await this.#put(made['cos_credential'] as Record<string, string>, file.bytes);
    const mediaId = String(made['media_id']);
    const added = await this.server.call(
      'wiki.add_knowledge',
      {
        media_type: mediaType,
        media_id: mediaId,
        title: file.title,
        knowledge_base_id: file.baseId,
        folder_id: file.folderId,
        file_info: {
          cos_key: (made['cos_credential'] as Record<string, string>)['cos_key'],
          file_size: file.bytes.length,
          file_name: file.fileName,
        },
      },
      idempotencyKey,
    );
    return String(added['media_id']);
  }

  /**
   * Uploads a large file whose format the API specification does not list. The upload operations of the specification
   * refuse this format, so the file is sent to an upload URL and then added by its file key.
   */
  async #uploadOther(file: NewFile, idempotencyKey: string): Promise<string> {
    const { upload_url: url, file_key } = await this.server.call('manage.pre_import', {
      file_name: file.fileName.slice(0, 255),
    });
    await this.#send(String(url), {}, file.bytes);
    const made = await this.server.call(
      'wiki.upload_knowledge',
      {
        knowledge_base_id: file.baseId,
        folder_id: file.folderId,
        file_name: file.fileName,
        title: file.title,
        file_key,
      },
      idempotencyKey,
    );
    return String(made['media_id']);
  }

  async #put(credential: Record<string, string>, bytes: Uint8Array): Promise<void> {
    const { protocol } = new URL(this.server.url);
    const signed = await new AwsV4Signer({
      method: 'PUT',
      url: `${protocol}//${credential['custom_domain']}/${credential['cos_key']}`,
      accessKeyId: credential['secret_id']!,
      secretAccessKey: credential['secret_key']!,
      sessionToken: credential['token']!,
      region: credential['region']!,
      service: 's3',
    }).sign();
    await this.#send(signed.url, signed.headers, bytes);
  }

  async #send(url: string | URL, headers: Headers | Record<string, string>, bytes: Uint8Array): Promise<void> {
    const response = await fetch(url, {
      method: 'PUT',
      headers,
      body: bytes as Uint8Array<ArrayBuffer>,
      signal: AbortSignal.timeout(uploadMs),
    });
    const text = await response.text();
    if (response.ok) return;
    const message = /<Message>([^<]*)<\/Message>/.exec(text)?.[1] ?? `status ${response.status}`;
    if (response.status >= 500) throw new ImportError(`the upload failed: ${message}; run the same command again`);
    throw new RemoteError(response.status, `the upload was refused: ${message}`);
  }
}
