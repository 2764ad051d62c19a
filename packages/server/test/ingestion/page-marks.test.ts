import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ppt } from '@sheaf/tools/testing/formats/ole-documents.ts';
import { pptxParts, zip } from '@sheaf/tools/testing/formats/ooxml.ts';
import { pdfFile, stream } from '@sheaf/tools/testing/formats/pdf.ts';
import { startServer } from '@sheaf/tools/testing/test-server.ts';
import { flowOn, type Flow } from './support.ts';

function pagesPdf(texts: readonly string[]): Uint8Array {
  const font = '/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>';
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${texts.map((_, index) => `${3 + index * 2} 0 R`).join(' ')}] /Count ${texts.length} >>`,
    ...texts.flatMap((text, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${4 + index * 2} 0 R ${font} >>`,
      stream(`BT /F1 12 Tf 72 700 Td (${text}) Tj ET`),
    ]),
  ]);
}

describe('[finding F8] pages and slides in get_knowledge_content', () => {
  let flow: Flow;
  beforeAll(async () => {
    flow = await flowOn(await startServer());
  });
  afterAll(() => flow?.server.close());

  const slides = [
    { title: 'Opening', body: 'first', lines: ['first'] },
    { title: 'Closing', body: 'last', lines: ['last'] },
  ];
  const marked = '[slide 1]\nOpening\n\nfirst\n\n[slide 2]\nClosing\n\nlast';
  test.each([
    {
      name: 'a.pdf',
      bytes: pagesPdf(['one', 'two', 'three']),
      content: '[page 1]\none\n\n[page 2]\ntwo\n\n[page 3]\nthree',
    },
    { name: 'a.ppt', bytes: ppt(slides), content: marked },
    { name: 'a.pptx', bytes: zip(pptxParts(slides)), content: marked },
  ])('$name: each begins with its mark, and so does every part of the text; none if not wanted', async (file) => {
    const { data } = await flow.call('upload_knowledge', {
      knowledge_base_id: flow.baseId,
      file_name: file.name,
      content: Buffer.from(file.bytes).toString('base64'),
    });
    const media_id = data.media_id as string;
    expect(await flow.state(media_id)).toMatchObject({ state: 'ready' });
    const read = async (input: object): Promise<{ content: string; next_cursor: string }> =>
      (await flow.call('get_knowledge_content', { media_id, ...input })).data;
    expect((await read({})).content).toBe(file.content);
    const plain = file.content.replace(/^\[.*\]\n/gm, '');
    expect((await read({ marks: false })).content).toBe(plain);
    let joined = '';
    for (let cursor: string | undefined, part = 0; cursor !== '' && part < 50; part++) {
      const next = await read({ max_tokens: 1, cursor });
      expect(next.content).toMatch(/^\[(?:page|slide) \d\]\n/);
      joined += next.content.replace(/^\[.*\]\n/gm, '');
      cursor = next.next_cursor;
    }
    expect(joined).toBe(plain);
  });
});
