import { describe, expect, it } from 'vitest';
import { decode } from '../src/index.ts';
import { visitRuns } from '@sheaf/search/analysis/fold';
import { encryptedPdf, scriptedPdf, simplePdf, pdfFile, stream } from '@sheaf/tools/testing/formats/pdf.ts';

describe('pdf', () => {
  it('gives text, a heading by its size, title, author and pages', async () => {
    expect(await decode(simplePdf(), { kind: 'pdf' })).toEqual({
      title: '年度报告',
      text: 'Annual Report\nThe quick brown fox jumps over the lazy dog.\nA second line of body text follows here.\n知识库检索',
      headings: [{ level: 1, text: 'Annual Report', offset: 0 }],
      pages: [{ label: 'page 1', offset: 0 }],
      meta: { format: 'pdf', pages: 1, author: 'Zhang Wei' },
    });
  });

  it.each([
    ['GBK-EUC-H', 'GB1', 'd6aabc b6bfe2'.replaceAll(' ', ''), '知级库'],
    ['90ms-RKSJ-H', 'Japan1', '93fa967b8cea', '日本語'],
    ['ETen-B5-H', 'CNS1', 'a4a4a4e5', '中文'],
    ['KSCms-UHC-H', 'Korea1', 'c7d1b1db', '한글'],
    ['UniJIS-UTF16-H', 'Japan1', '65e5672c', '日本'],
  ])(
    'reads the predefined encoding %s of fonts that embed no map to Unicode',
    async (encoding, ordering, encodedHex, text) => {
      const decoded = await decode(simplePdf({ encoding, ordering, encodedHex }), { kind: 'pdf' });
      expect(decoded.text.split('\n').at(-1)).toBe(text);
    },
  );

  it.each([
    ['GB1', '11a90d4d096f0042', '知识库a'],
    ['CNS1', '029502d6097f3511', '中文耄鬮'],
    ['Japan1', '0cd40e8a07a003a7', '日本語カ'],
    ['Korea1', '0ce004d61dd81959', '한글漢字'],
  ])('reads glyph numbers of Adobe-%s in fonts that embed no map to Unicode', async (ordering, encodedHex, text) => {
    const decoded = await decode(simplePdf({ encoding: 'Identity-H', ordering, encodedHex }), { kind: 'pdf' });
    expect(decoded.text.split('\n').at(-1)).toBe(text);
  });

  it('normalizes compatibility forms and CJK radicals, which many producers emit', async () => {
    const decoded = await decode(simplePdf({ chinese: '⻓⻚⼀ＡＢﬁ⺟' }), { kind: 'pdf' });
    expect(decoded.text.split('\n').at(-1)).toBe('长页一ABfi母');
  });

  it('[finding A6] reads a radical as the ideograph that searching takes it for, as Unicode pairs them', async () => {
    const radicals = '⺃⺑⺗⻃';
    const searched: string[] = [];
    visitRuns(radicals, { word: () => undefined, characters: (folded) => void searched.push(...folded) });
    expect(searched.join('')).toBe('乚尣㣺覀');
    const decoded = await decode(simplePdf({ chinese: radicals }), { kind: 'pdf' });
    expect(decoded.text.split('\n').at(-1)).toBe('乚尣㣺覀');
  });

  it("leaves the caller's bytes alone", async () => {
    const bytes = simplePdf();
    const before = Buffer.from(bytes).toString('hex');
    await decode(bytes, { kind: 'pdf' });
    expect(Buffer.from(bytes).toString('hex')).toBe(before);
  });

  it('[T31] opens an encrypted file with its password only', async () => {
    const bytes = encryptedPdf('s3cret', 'Hidden words');
    await expect(decode(bytes, { kind: 'pdf' })).rejects.toMatchObject({
      word: 'encrypted',
      message: expect.stringContaining('file_info.password'),
    });
    await expect(decode(bytes, { kind: 'pdf', password: 'guess' })).rejects.toMatchObject({
      word: 'wrong_password',
      message: expect.not.stringContaining('guess'),
    });
    expect((await decode(bytes, { kind: 'pdf', password: 's3cret' })).text).toBe('Hidden words');
  });

  it('opens a file of which only the attachments are encrypted without a password', async () => {
    const page = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
      stream('BT /F1 12 Tf 72 700 Td (Cover sheet) Tj ET'),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ];
    const encryption = (filter: string): string =>
      '<< /Filter /Standard /V 5 /R 6 /P -4 /Length 256 /CF << /StdCF << /CFM /AESV3 /AuthEvent /EFOpen >> >> ' +
      `/StmF /${filter} /StrF /Identity /EFF /StdCF /O <${'00'.repeat(48)}> /U <${'11'.repeat(48)}> ` +
      `/OE <${'22'.repeat(32)}> /UE <${'33'.repeat(32)}> /Perms <${'44'.repeat(16)}> >>`;
    const id = '/ID [<00> <00>]';
    const withMetadata = encryption('Identity').replace('/P -4', '/P -4 /EncryptMetadata false');
    for (const trailer of [
      `/Encrypt 6 0 R ${id}`,
      `/Encrypt ${encryption('Identity')} ${id}`,
      `/Encrypt ${withMetadata} ${id}`,
    ]) {
      const bytes = pdfFile([...page, encryption('Identity')], trailer);
      const before = bytes.slice();
      expect((await decode(bytes, { kind: 'pdf' })).text).toBe('Cover sheet');
      expect(bytes).toEqual(before);
      expect((await decode(before, { kind: 'pdf', owned: true })).text).toBe('Cover sheet');
    }
    const locked = pdfFile([...page, encryption('StdCF')], `/Encrypt 6 0 R ${id}`);
    await expect(decode(locked, { kind: 'pdf' })).rejects.toMatchObject({ word: 'encrypted' });
  });

  it('[T27] runs no script and opens no embedded file', async () => {
    expect((await decode(scriptedPdf(), { kind: 'pdf' })).text).toBe('Harmless words');
    expect('pdfScriptRan' in globalThis).toBe(false);
  });
});
