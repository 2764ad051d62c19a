/**
 * The whole way of a file: create_media, upload by a real client, add_knowledge, ready.
 *
 *   const flow = await flowOn(await startServer());      // a server and a knowledge base
 *   const mediaId = await flow.add({ name: 'a.pdf', type: 'application/pdf', mediaType: 1, bytes });
 *   expect(await flow.state(mediaId)).toMatchObject({ state: 'ready' });
 *   expect(await flow.found('word')).toEqual([mediaId]);
 */
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { Answer, Key, TestServer } from '@sheaf/tools/testing/test-server.ts';
import { awsClient, cosClient } from '../uploads/support.ts';

export interface Sent {
  name: string;
  type: string;
  mediaType: number;
  bytes: Uint8Array;
  password?: string;
  by?: 'cos' | 'aws';
}

export interface State {
  media_id: string;
  state: string;
  reason: string;
  title: string;
  media_type: number;
}

export interface Flow {
  readonly server: TestServer;
  readonly baseId: string;
  call(operation: string, input: unknown, as?: Key): Promise<Answer>;
  /** The answer of add_knowledge after an upload. */
  send(file: Sent): Promise<Answer>;
  add(file: Sent): Promise<string>;
  /** Once it is ready or failed. */
  state(mediaId: string): Promise<State>;
  text(
    mediaId: string,
  ): Promise<{ title: string; headings: string; body: string; meta: Record<string, unknown> } | undefined>;
  /** Media ids, once the search index has taken up everything. */
  found(query: string): Promise<string[]>;
}

export async function flowOn(server: TestServer): Promise<Flow> {
  const call: Flow['call'] = (operation, input, as) => server.call('http', 'wiki', operation, input, as);
  const made = await call('create_knowledge_base', { name: 'Everything' });
  const baseId = made.data.knowledge_base_id as string;
  const send: Flow['send'] = async (file) => {
    const media = await call('create_media', {
      file_name: file.name,
      file_size: file.bytes.length,
      content_type: file.type,
      knowledge_base_id: baseId,
      file_ext: file.name.split('.').at(-1)!,
    });
    if (media.code !== 0) return media;
    const credential = media.data.cos_credential;
    const place = {
      Bucket: credential.bucket_name as string,
      Key: credential.cos_key as string,
      Body: Buffer.from(file.bytes),
    };
    if (file.by === 'aws') await awsClient(credential).send(new PutObjectCommand(place));
    else await cosClient(credential).putObject({ ...place, Region: credential.region });
    const info = {
      cos_key: credential.cos_key,
      file_size: file.bytes.length,
      file_name: file.name,
      ...(file.password === undefined ? {} : { password: file.password }),
    };
    return call('add_knowledge', {
      media_type: file.mediaType,
      media_id: media.data.media_id,
      title: file.name,
      knowledge_base_id: baseId,
      file_info: info,
    });
  };
  const state: Flow['state'] = async (mediaId) => {
    for (let turn = 0; turn < 4; turn++) {
      const { data } = await call('get_knowledge_state', { media_ids: [mediaId], wait_seconds: 15 });
      if (data.is_done) return data.states[0] as State;
    }
    throw new Error(`${mediaId} is neither ready nor failed after a minute`);
  };
  return {
    server,
    baseId,
    call,
    send,
    state,
    async add(file) {
      const answer = await send(file);
      if (answer.code !== 0) throw new Error(`${file.name}: ${answer.code} ${answer.msg}`);
      return answer.data.media_id as string;
    },
    text: (mediaId) => server.app.services.wiki.texts.text(mediaId),
    async found(query) {
      await server.app.services.searchFeed.waitUntilDrained();
      const { data } = await call('search_knowledge', { query, cursor: '', knowledge_base_id: baseId });
      return (data.info_list as { media_id: string }[]).map((info) => info.media_id);
    },
  };
}
