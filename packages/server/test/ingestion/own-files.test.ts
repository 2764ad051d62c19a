import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';

const jpeg =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////' +
  'wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=';
const webp = 'UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=';

describe('stored bytes', () => {
  let server: TestServer;
  let base: string;
  beforeAll(async () => {
    server = await startServer();
    const { data } = await server.call('http', 'wiki', 'create_knowledge_base', { name: 'Pictures' });
    base = data.knowledge_base_id;
  });
  afterAll(() => server.close());

  const typeAt = async (url: string): Promise<(string | null)[]> => {
    const answer = await fetch(url);
    await answer.arrayBuffer();
    return [
      answer.headers.get('content-type'),
      new URL(url).pathname.split('.').at(-1)!,
      answer.headers.get('content-disposition'),
    ];
  };

  test.each([
    ['photo.jpg', jpeg, undefined, 'image/jpeg', 'jpg'],
    ['photo.jpeg', jpeg, undefined, 'image/jpeg', 'jpg'],
    ['photo.png', jpeg, 'image/png', 'image/jpeg', 'jpg'],
    ['photo.webp', webp, undefined, 'image/webp', 'webp'],
    [
      'sound.wav',
      Buffer.from('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0', 'latin1').toString('base64'),
      undefined,
      'audio/wav',
      'wav',
    ],
  ])('[finding F9] %s is handed out as what it is', async (file_name, content, content_type, type, extension) => {
    const uploaded = await server.call('http', 'wiki', 'upload_knowledge', {
      knowledge_base_id: base,
      file_name,
      content,
      content_type,
    });
    expect(uploaded).toMatchObject({ code: 0 });
    const { data } = await server.call('http', 'wiki', 'get_media_info', { media_id: uploaded.data.media_id });
    expect(await typeAt(data.url_info.url)).toEqual([type, extension, expect.stringContaining(`"${file_name}"`)]);
  });

  test('[finding F9] an upload by create_media is handed out as what it is, whatever was declared', async () => {
    const bytes = Buffer.from(jpeg, 'base64');
    const made = await server.call('http', 'wiki', 'create_media', {
      file_name: 'a.jpg',
      file_size: bytes.length,
      content_type: 'image/png',
      file_ext: 'jpg',
      knowledge_base_id: base,
    });
    const { cos_key } = made.data.cos_credential;
    await server.app.services.blobs.put(cos_key, bytes, bytes.length);
    const { media_id } = made.data;
    const file_info = { cos_key, file_size: bytes.length, file_name: 'a.jpg' };
    expect(
      await server.call('http', 'wiki', 'add_knowledge', {
        media_type: 9,
        media_id,
        title: 'a',
        knowledge_base_id: base,
        file_info,
      }),
    ).toMatchObject({ code: 0 });
    const { data } = await server.call('http', 'wiki', 'get_media_info', { media_id });
    expect((await typeAt(data.url_info.url))[0]).toBe('image/jpeg');
  });

  test('[finding C16] import_urls takes our own export link on a local installation, and no other private address', async () => {
    const file = await server.call('http', 'manage', 'create_file', { title: 'Own' });
    const { file_id, sheet_id } = file.data;
    await server.call('http', 'sheet', 'set_range_value_by_csv', { file_id, sheet_id, csv_data: 'price,3' });
    const { data } = await server.call('http', 'manage', 'export_file', { file_id, format: 'csv', as_link: true });
    const own = data.url as string;
    const forged = own.replace(/signature=./, (found) => `signature=${found.endsWith('A') ? 'B' : 'A'}`);
    const urls = [own, forged, `${server.url}/healthz`, `${server.url}/files/exports/x.csv`];
    const imported = await server.call('http', 'wiki', 'import_urls', { knowledge_base_id: base, folder_id: '', urls });
    const { results } = imported.data;
    expect(urls.map((url) => results[url].ret_code === 0)).toEqual([true, false, false, false]);
    expect(results[forged].msg).toContain('private network address');
    const { media_id } = results[own];
    await expect
      .poll(async () => (await server.call('http', 'wiki', 'get_knowledge_state', { media_ids: [media_id] })).data, {
        timeout: 20_000,
      })
      .toMatchObject({ states: [{ state: 'ready' }] });
    const content = await server.call('http', 'wiki', 'get_knowledge_content', { media_id });
    expect(content.data.content).toContain('price');
  });

  test('[finding C16] failures over HTTP carry error and trace_id in every module', async () => {
    for (const [module, operation] of [
      ['wiki', 'get_media_info'],
      ['note', 'get_doc_content'],
      ['sheet', 'get_cell_data'],
      ['manage', 'rename_file'],
      ['account', 'revoke_key'],
      ['wiki', 'no_such_operation'],
      ['note', 'no_such_operation'],
      ['sheet', 'no_such_operation'],
    ]) {
      const answer = await fetch(`${server.url}/openapi/${module}/v1/${operation}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'svc-openapi-clientid': server.owner.clientId,
          'svc-openapi-apikey': server.owner.apiKey,
        },
        body: '{}',
      });
      const body = (await answer.json()) as Record<string, unknown>;
      expect([module, operation, body]).toEqual([
        module,
        operation,
        {
          code: body['code'],
          msg: body['msg'],
          data: {},
          error: body['msg'],
          trace_id: answer.headers.get('x-request-id'),
        },
      ]);
      expect(body['code']).toBeGreaterThan(0);
    }
  });
});
