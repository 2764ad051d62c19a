import { Resvg } from '@resvg/resvg-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { startServer } from '@sheaf/tools/testing/test-server.ts';
import { flowOn, type Flow } from './support.ts';

let flow: Flow;

beforeAll(async () => {
  flow = await flowOn(await startServer({ config: { SHEAF_OCR: 'chi_sim' } }));
});
afterAll(async () => {
  await flow?.server.close();
});

test('a picture is found by the words in it', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="120">' +
    '<rect width="640" height="120" fill="white"/>' +
    '<g transform="translate(20 70)" fill="none" stroke="black" stroke-width="6">' +
    '<path d="M0 0V-50M0 -50H30M0 -27H24M50 0V-50M50 -50H80M50 -27H76M50 0H80M105 0V-50M105 -50H135M105 ' +
    '-27H131M105 0H135M160 0V-50M190 0H160"/></g></svg>';
  const id = await flow.add({
    name: 'scan.png',
    type: 'image/png',
    mediaType: 9,
    bytes: new Resvg(svg).render().asPng(),
  });
  expect(await flow.state(id)).toMatchObject({ state: 'ready' });
  expect((await flow.text(id))!.body).toMatch(/FEEL/i);
  expect(await flow.found('feel')).toEqual([id]);
});

test('a picture whose pixels cannot be read is kept without words, and the next one is read', async () => {
  const whole = new Resvg(
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="red"/></svg>',
  )
    .render()
    .asPng();
  const broken = Buffer.concat([whole.subarray(0, 60), Buffer.alloc(40, 7)]);
  const id = await flow.add({ name: 'broken.png', type: 'image/png', mediaType: 9, bytes: broken });
  expect(await flow.state(id)).toMatchObject({ state: 'ready' });
  const next = await flow.add({ name: 'next.png', type: 'image/png', mediaType: 9, bytes: whole });
  expect(await flow.state(next)).toMatchObject({ state: 'ready' });
});

test('a language without its data is refused at the start, by name', () => {
  expect(() => readConfig({ SHEAF_OCR: 'xyz' })).toThrow(
    'SHEAF_OCR: needs packages that sheaf does not bring along: npm install tesseract.js@7 @tesseract.js-data/xyz@1',
  );
});
