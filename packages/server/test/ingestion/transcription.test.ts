import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mp3 } from '@sheaf/tools/testing/formats/media.ts';
import { startServer } from '@sheaf/tools/testing/test-server.ts';
import { startCanary, type Canary } from '../web/canary.ts';
import { flowOn, type Flow } from './support.ts';

describe('recordings with a transcription endpoint', () => {
  let endpoint: Canary;
  let flow: Flow;
  const received: { type: string; authorization: string; body: Buffer }[] = [];
  let failures = 0;

  beforeAll(async () => {
    endpoint = await startCanary((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        received.push({
          type: request.headers['content-type']!,
          authorization: request.headers.authorization!,
          body: Buffer.concat(chunks),
        });
        if (failures-- > 0) response.writeHead(503).end();
        else
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ text: 'we spoke of the feijoa harvest' }));
      });
    });
    flow = await flowOn(
      await startServer({
        config: { SHEAF_TRANSCRIBE_URL: `${endpoint.url}/v1/audio/transcriptions`, SHEAF_TRANSCRIBE_KEY: 'sk-test' },
      }),
    );
  });
  afterAll(async () => {
    await flow?.server.close();
    await endpoint?.close();
  });

  test('are found by what is said in them', async () => {
    const bytes = mp3(3, { TIT2: 'Meeting' });
    const id = await flow.add({ name: 'talk.mp3', type: 'audio/mpeg', mediaType: 15, bytes });
    expect(await flow.state(id)).toMatchObject({ state: 'ready' });
    expect((await flow.text(id))!.body).toBe('Meeting\n\nwe spoke of the feijoa harvest');
    expect(await flow.found('feijoa')).toEqual([id]);
    const [sent] = received;
    expect(sent).toMatchObject({
      type: expect.stringMatching(/^multipart\/form-data; boundary=/),
      authorization: 'Bearer sk-test',
    });
    expect(sent!.body.includes(Buffer.from(bytes))).toBe(true);
    expect(sent!.body.toString('latin1')).toContain('name="model"\r\n\r\nwhisper-1');
  });

  test('an endpoint that is away for a moment is asked again', async () => {
    failures = 1;
    const id = await flow.add({ name: 'again.mp3', type: 'audio/mpeg', mediaType: 15, bytes: mp3(2) });
    expect(await flow.state(id)).toMatchObject({ state: 'ready' });
  });
});
