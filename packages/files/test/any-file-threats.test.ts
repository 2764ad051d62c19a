import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { unzipSync } from 'fflate';
import { utf8 } from '@sheaf/tools/testing/formats/bytes.ts';
import { eml, msg } from '@sheaf/tools/testing/formats/mail.ts';
import { zip } from '@sheaf/tools/testing/formats/ooxml.ts';
import { epub, odp, ods, odt, openDocument, rtf } from '@sheaf/tools/testing/formats/open-document.ts';
import { rawZip, type RawEntry } from '@sheaf/tools/testing/formats/raw-zip.ts';
import { decode, type FormatKind } from '../src/index.ts';

const mib = 1024 * 1024;
const zeros = new Uint8Array(24 * mib);
const archives: Record<'odt' | 'odp' | 'ods' | 'epub', { bytes: () => Uint8Array; victim: string }> = {
  odt: { bytes: odt, victim: 'content.xml' },
  odp: { bytes: odp, victim: 'content.xml' },
  ods: { bytes: ods, victim: 'content.xml' },
  epub: { bytes: epub, victim: 'OEBPS/text/one.xhtml' },
};
const kinds = ['odt', 'odp', 'ods', 'epub'] as const;

/** The sample of a kind with its main part changed. */
function changed(kind: keyof typeof archives, change: (part: Uint8Array) => Partial<RawEntry>): Uint8Array {
  const { bytes, victim } = archives[kind];
  return rawZip(
    Object.entries(unzipSync(bytes())).map(([name, data]) => ({
      name,
      data,
      ...(name === victim ? change(data) : {}),
    })),
  );
}

describe('[T99] books and OpenDocument files', () => {
  it.each(kinds)('%s: an honest bomb is refused before inflation, a false size while inflating', async (kind) => {
    const honest = changed(kind, () => ({ data: zeros, garbage: true }));
    await expect(decode(honest, { kind })).rejects.toMatchObject({ word: 'too_large' });
    const lying = changed(kind, () => ({ data: zeros, declaredSize: 5_000 }));
    await expect(decode(lying, { kind })).rejects.toMatchObject({
      word: 'too_large',
      message: expect.stringContaining('5000 bytes'),
    });
  });

  it.each(kinds)('%s: entities are not expanded', async (kind) => {
    const laughs = '<!DOCTYPE r [<!ENTITY a "haha"><!ENTITY b "&a;&a;&a;&a;">]>';
    const bytes = changed(kind, (part) => ({
      data: utf8(
        new TextDecoder()
          .decode(part)
          .replace(/^(<\?xml[^>]*\?>)?(<!DOCTYPE[^>]*>)?/, `$1${laughs}`)
          .replace(/<text:p>|<p>/, '$&&b;'),
      ),
    }));
    const text = await decode(bytes, { kind }).then(
      (decoded) => decoded.text,
      (error: Error) => error.message,
    );
    expect(text).not.toContain('hahaha');
  });

  it('ods: a cell that says it stands a billion times is read once', async () => {
    const cell = '<table:table-cell table:number-columns-repeated="16384"><text:p>boom</text:p></table:table-cell>';
    const bytes = openDocument(
      'spreadsheet',
      `<table:table table:name="A"><table:table-row table:number-rows-repeated="1048576">${cell}</table:table-row></table:table>`,
    );
    expect((await decode(bytes, { kind: 'ods' })).text).toBe('A\nboom');
  });

  it('odt: a space that says it is a billion spaces is bounded, and so is nesting', async () => {
    const spaces = openDocument('text', '<text:p>a<text:s text:c="1000000000"/>b</text:p>');
    expect((await decode(spaces, { kind: 'odt' })).text.length).toBeLessThan(mib);
    const deep = openDocument('text', `${'<text:section>'.repeat(200_000)}<text:p>end</text:p>`);
    await expect(decode(deep, { kind: 'odt' })).rejects.toMatchObject({ name: 'FormatError' });
  });
});

describe('[T99] mails', () => {
  it('a mail in a mail in a mail ends at a depth, as attachments too', async () => {
    let mail = eml({ subject: 'core', text: 'deepest words' });
    for (let depth = 0; depth < 30; depth++)
      mail = eml({
        subject: `level ${depth}`,
        text: 'x',
        attachments: [{ name: `m${depth}.eml`, type: 'message/rfc822', bytes: mail }],
      });
    const { attachments, text } = await decode(mail, { kind: 'eml' });
    expect(text).not.toContain('deepest words');
    expect(attachments!.length).toBeLessThan(30);
  });

  it('a mail in a zip is listed, a zip in a mail stays packed', async () => {
    const inner = eml({ subject: 'inner', text: 'unread words' });
    const packed = zip({ 'inner.eml': inner, 'bomb.bin': new Uint8Array(8 * mib) });
    expect((await decode(packed, { kind: 'zip' })).text).not.toContain('unread words');
    const outer = eml({
      subject: 'outer',
      text: 'x',
      attachments: [{ name: 'in.zip', type: 'application/zip', bytes: packed }],
    });
    const { attachments } = await decode(outer, { kind: 'eml' });
    expect(attachments).toEqual([{ name: 'in.zip', contentType: 'application/zip', bytes: packed }]);
  });

  it('more attachments than the limit are named, not unpacked', async () => {
    const attachments = Array.from({ length: 30 }, (_, n) => ({ name: `${n}.txt`, bytes: utf8(`file ${n}`) }));
    const decoded = await decode(msg({ subject: 's', body: 'b', attachments }), {
      kind: 'msg',
      limits: { maxAttachments: 5 },
    });
    expect(decoded.attachments).toHaveLength(5);
    expect(decoded.remark).toContain('30 attachments');
  });

  it('RTF of a mail that claims to inflate to gigabytes is refused', async () => {
    const bytes = Buffer.from(msg({ subject: 's', rtf: '{\\rtf1 words}' }));
    const at = bytes.indexOf(Buffer.from([0x4d, 0x45, 0x4c, 0x41]));
    expect(at).toBeGreaterThan(0);
    // Compressed, with a size of 2 GiB.
    bytes.writeUInt32LE(0x75465a4c, at);
    bytes.writeUInt32LE(0x80000000, at - 4);
    await expect(decode(new Uint8Array(bytes), { kind: 'msg' })).rejects.toMatchObject({ word: 'too_large' });
  });
});

describe('[T99] rtf', () => {
  it('binary data that says it is longer than the file ends the file, not the reader', async () => {
    expect((await decode(utf8('{\\rtf1 before\\par\\bin2147483647 after}'), { kind: 'rtf' })).text).toBe('before');
    expect((await decode(utf8('{\\rtf1 a\\bin-5 b}'), { kind: 'rtf' })).text).toContain('a');
  });

  it('more text than the limit is refused', async () => {
    await expect(
      decode(utf8(`{\\rtf1 ${'\\u65?'.repeat(5_000)}}`), { kind: 'rtf', limits: { maxTextChars: 1_000 } }),
    ).rejects.toMatchObject({ word: 'too_large' });
  });
});

describe('[T99] external references', () => {
  it('no kind makes a connection, and what is active is not part of the text', async () => {
    let connections = 0;
    const canary = createServer((_request, response) => response.end('x')).on('connection', () => connections++);
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/x`;
    const html =
      `<html><head><link rel="stylesheet" href="${address}"><script src="${address}">run()</script></head><body>` +
      `<p>words</p><img src="${address}"><iframe src="${address}"></iframe><object data="${address}"></object></body></html>`;
    const files: [FormatKind, Uint8Array][] = [
      [
        'odt',
        openDocument(
          'text',
          `<text:p>words<draw:image xlink:href="${address}"/></text:p><text:section-source xlink:href="${address}"/>`,
        ),
      ],
      ['epub', changed('epub', () => ({ data: utf8(html) }))],
      ['eml', eml({ subject: 's', html })],
      [
        'rtf',
        utf8(
          `{\\rtf1 words{\\field{\\*\\fldinst INCLUDEPICTURE "${address}"}{\\fldrslt }}{\\object\\objautlink}{\\*\\template ${address}}}`,
        ),
      ],
      [
        'svg',
        utf8(
          `<svg xmlns="http://www.w3.org/2000/svg"><image href="${address}"/><use href="${address}#a"/><text>words</text></svg>`,
        ),
      ],
    ];
    const texts = await Promise.all(files.map(async ([kind, bytes]) => [kind, (await decode(bytes, { kind })).text]));
    await new Promise<void>((resolve) => canary.close(() => resolve()));
    expect(connections).toBe(0);
    for (const [kind, text] of texts) {
      expect(text, kind).toContain('words');
      expect(text, kind).not.toContain('run()');
    }
    expect((await decode(rtf(), { kind: 'rtf' })).text).not.toContain('HYPERLINK');
  });
});
