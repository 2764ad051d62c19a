import { describe, expect, it } from 'vitest';
import { decode, checkFormat } from '../src/index.ts';
import { pdfFile, simplePdf, stream } from '@sheaf/tools/testing/formats/pdf.ts';

const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

function pagePdf(content: string, font = helvetica, otherFont = helvetica): Uint8Array {
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
    stream(`BT ${content} ET`),
    font,
    otherFont,
  ]);
}

function annotationPdf(content: string): Uint8Array {
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Annots [4 0 R] >>',
    '<< /Type /Annot /Subtype /FreeText /Rect [10 10 210 50] /F 4 /AP << /N 5 0 R >> >>',
    stream(
      `BT /F1 12 Tf ${content} ET`,
      '/Type /XObject /Subtype /Form /BBox [0 0 200 40] /Resources << /Font << /F1 6 0 R >> >>',
    ),
    helvetica,
  ]);
}

async function textOf(bytes: Uint8Array): Promise<string> {
  return (await decode(bytes, { kind: 'pdf' })).text;
}

describe('words of a PDF', () => {
  it.each([
    ['goes back to the left', '1 0 0 1 320 700 Tm (State) Tj 1 0 0 1 60 700 Tm (Postcode) Tj', 'State Postcode'],
    ['writes over words', '1 0 0 1 60 700 Tm (guest) Tj 1 0 0 1 60 700 Tm (visitor) Tj', 'guest visitor'],
  ])('separates words when the file %s', async (_, content, text) => {
    expect(await textOf(pagePdf(`/F1 12 Tf ${content}`))).toBe(text);
  });

  it.each([
    ['letters that are placed one by one', '1 0 0 1 60 700 Tm (a) Tj 1 0 0 1 66.6 700 Tm (b) Tj', 'ab'],
    ['letters that are kerned under each other', '/F1 12 Tf 1 0 0 1 60 700 Tm (L) Tj 1 0 0 1 63 702 Tm (A) Tj', 'LA'],
  ])('keeps together %s', async (_, content, text) => {
    expect(await textOf(pagePdf(`/F1 12 Tf ${content}`))).toBe(text);
  });

  it('reads words once that are drawn several times for a shadow', async () => {
    const shadow = ['60 700', '60.4 699.6', '60.8 699.2'].map((place) => `1 0 0 1 ${place} Tm (Parts) Tj`).join(' ');
    expect(await textOf(pagePdf(`/F1 24 Tf ${shadow} 1 0 0 1 60 600 Tm (Parts) Tj`))).toBe('Parts\nParts');
  });

  it('divides turned text into lines', async () => {
    const turned = '0 -12 12 0 500 700 Tm (first line of words) Tj 0 -12 12 0 480 700 Tm (second line) Tj';
    expect(await textOf(pagePdf(`/F1 1 Tf ${turned}`))).toBe('first line of words\nsecond line');
  });

  it('keeps turned words in one line whose parts are placed one by one', async () => {
    const turned = '0 12 -12 0 500 100 Tm (arXiv) Tj 0 12 -12 0 500 150 Tm (2024) Tj';
    expect(await textOf(pagePdf(`/F1 1 Tf ${turned}`))).toBe('arXiv 2024');
  });

  it('takes no gap for a space that is narrow for the height of stretched letters', async () => {
    // Letters of 40 font sizes, which is 9.6 points, between which are gaps of 0.6 points and one of 4.8 points.
    const font =
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 97 /LastChar 99 /Widths [40000 40000 40000] >>';
    const letters = ['60', '70.2', '84.6'].map((x, at) => `0.24 0 0 17.28 ${x} 700 Tm (${'abc'[at]!}) Tj`).join(' ');
    expect(await textOf(pagePdf(`/F1 1 Tf ${letters}`, font))).toBe('ab c');
  });

  it('separates words of an annotation that are placed one by one, but not the letters of a number', async () => {
    expect(await textOf(annotationPdf('2 2 Td (This) Tj 28 0 Td (should) Tj 44 0 Td (show) Tj'))).toBe(
      'This should show',
    );
    expect(await textOf(annotationPdf('2 2 Td (4) Tj 20 0 Td (7) Tj 20 0 Td (1) Tj'))).toBe('471');
  });
});

describe('a PDF without its marker', () => {
  it('is read if it starts with an object', async () => {
    const whole = Buffer.from(simplePdf());
    const cut = new Uint8Array(whole.subarray(whole.indexOf('\n') + 1));
    expect(await checkFormat(cut, 'pdf', { whole: true })).toEqual({ ok: true });
    expect(await textOf(cut)).toContain('quick brown fox');
  });

  it('is refused if it is other text', async () => {
    const text = new TextEncoder().encode('% 1 0 obj\nand more words, which are no PDF');
    expect(await checkFormat(text, 'pdf', { whole: true })).toMatchObject({ ok: false });
  });
});
