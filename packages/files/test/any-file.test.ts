import { describe, expect, it } from 'vitest';
import { utf8 } from '@sheaf/tools/testing/formats/bytes.ts';
import { eml, msg } from '@sheaf/tools/testing/formats/mail.ts';
import { zip } from '@sheaf/tools/testing/formats/ooxml.ts';
import { epub, odp, ods, odt, rtf, svg } from '@sheaf/tools/testing/formats/open-document.ts';
import { xlsb } from '@sheaf/tools/testing/formats/ole-documents.ts';
import { png } from '@sheaf/tools/testing/formats/media.ts';
import { decode, identify } from '../src/index.ts';

describe('[finding F7] formats beyond the specification', () => {
  it('reads rtf: characters of every kind, notes, field results; not fonts, hidden text or unknown groups', async () => {
    expect(await decode(rtf(), { kind: 'rtf' })).toEqual({
      title: 'Annual été',
      text: 'Café 知😀 here\nA note\n.\n知识\nnext link\none\ttwo\nend',
      headings: [],
      meta: { format: 'rtf', author: 'Li Lei' },
    });
  });

  it('reads odt: headings, links, notes, tables and footers', async () => {
    expect(await decode(odt(), { kind: 'odt' })).toEqual({
      title: '季度报告',
      text: 'Second part\n脚注内容\nPlain words\t& more (https://example.com/a).\n姓名\t城市\nConfidential',
      headings: [{ level: 2, text: 'Second part', offset: 0 }],
      meta: { format: 'odt', author: '李雷' },
    });
  });

  it('reads odp: slides with titles and notes', async () => {
    expect(await decode(odp(), { kind: 'odp' })).toMatchObject({
      text: 'Footer words\n\n路线图\nFirst line\n讲者备注\n\nSecond slide',
      headings: [{ level: 1, text: '路线图' }],
      pages: [{ label: 'slide 1' }, { label: 'slide 2' }],
      meta: { format: 'odp', slides: 2 },
    });
  });

  it('[T99] reads ods: sheets and rows, a million repeated cells in no time', async () => {
    expect(await decode(ods(), { kind: 'ods' })).toMatchObject({
      text: '销售\n城市\t\t\t42.5',
      pages: [{ label: '销售', offset: 0 }],
      meta: { format: 'ods', sheets: 1 },
    });
  });

  it('reads xlsb', async () => {
    const bytes = xlsb([['城市', 42.5], ['北京']]);
    expect(await identify(bytes)).toBe('xlsb');
    expect((await decode(bytes, { kind: 'xlsb' })).text).toBe('表一\n城市\t42.5\n北京');
  });

  it('reads epub in the order of reading, without its contents page', async () => {
    expect(await decode(epub(), { kind: 'epub' })).toMatchObject({
      title: 'The Book',
      text: 'Chapter one\nIt began.\n\n第二章\nIt ended.',
      headings: [{ text: 'Chapter one' }, { text: '第二章' }],
      meta: { format: 'epub', author: 'An Author' },
    });
  });

  it('[T99] reads the texts of an svg, expands no entity, runs no script', async () => {
    expect(await decode(svg(), { kind: 'svg' })).toMatchObject({ title: 'Plan', text: 'Plan\nDrawn words &a; twice' });
  });

  it('[T99] lists a zip without unpacking it: names in any charset, bombs and archives inside too', async () => {
    const bomb = zip({ 'a/plan.txt': 'x', 'zeros.bin': new Uint8Array(8 * 2 ** 20), 'in.zip': zip({ b: 'c' }) });
    expect(await decode(bomb, { kind: 'zip' })).toMatchObject({
      text: 'a/plan.txt\t1\nzeros.bin\t8388608\nin.zip\t103',
      meta: { format: 'zip', files: 3 },
    });
    const bytes = Buffer.from(zip({ 'aaaaaaaaaaaa.txt': '1', 'bbbbbbbbbbbb.txt': '2' }));
    const names = { aaaaaaaaaaaa: 'b5dab6fe d5c2b1e8 bca8d6aa', bbbbbbbbbbbb: 'd6d0cec4 c4bfc2bc cec4bcfe' };
    for (const [ascii, hex] of Object.entries(names))
      for (let at = bytes.indexOf(ascii); at !== -1; at = bytes.indexOf(ascii, at + 1))
        bytes.write(hex.replaceAll(' ', ''), at, 'hex');
    expect((await decode(new Uint8Array(bytes), { kind: 'zip' })).text).toContain('中文目录文件.txt');
  });

  it('says of other files that they are found by their names', async () => {
    expect(await decode(Uint8Array.of(0, 1, 2, 255), { kind: 'file' })).toMatchObject({
      text: '',
      remark: expect.stringContaining('found by its name'),
    });
  });
});

describe('[finding F7] mails', () => {
  it('reads an eml with encoded headers, one of two versions of its text, and its attachments once', async () => {
    const plan = { name: '计划.txt', type: 'text/plain', bytes: utf8('the plan') };
    const decoded = await decode(
      eml({
        subject: '会议 Meeting',
        text: 'Plain version of the text',
        html: '<p>Plain version of <b>the text</b> <img src="cid:logo@x"></p>',
        attachments: [
          plan,
          plan,
          { name: 'logo.png', type: 'image/png', bytes: png(2, 2), disposition: 'inline', id: 'logo@x' },
        ],
      }),
      { kind: 'eml' },
    );
    expect(decoded).toMatchObject({
      title: '会议 Meeting',
      text:
        '会议 Meeting\nFrom: 李雷 <li@example.com>\nTo: Han Meimei <han@example.com>\nDate: Tue, 03 Mar 2026 10:00:00 +0800\n' +
        'Attachments: 计划.txt\n\nPlain version of the text',
      meta: { format: 'eml', author: '李雷 <li@example.com>', publishedAt: '2026-03-03T02:00:00.000Z' },
    });
    expect(decoded.attachments).toEqual([{ name: '计划.txt', contentType: 'text/plain', bytes: utf8('the plan') }]);
  });

  it('takes the HTML where the plain version says nothing', async () => {
    const source = eml({ subject: 's', text: 'See HTML', html: `<p>${'All the words are here. '.repeat(3)}</p>` });
    expect((await decode(source, { kind: 'eml' })).text).toContain('All the words are here.');
  });

  it('reads charsets and quoted-printable as mailers wrote them', async () => {
    const raw =
      'Subject: =?gb2312?Q?=D6=AA?= =?gb2312?Q?=CA=B6?=\nContent-Type: text/plain; charset=gb2312\n' +
      'Content-Transfer-Encoding: quoted-printable\n\n=D6=D0=CE=\n=C4 soft=20\n';
    expect((await decode(utf8(raw), { kind: 'eml' })).text).toBe('知识\n\n中文 soft');
  });

  it('reads every mail of an mbox', async () => {
    const mail = (n: number): string => `From a@b Tue Mar  3\nSubject: Mail ${n}\n\nBody ${n}\n>From here\n\n`;
    expect(await decode(utf8(mail(1) + mail(2)), { kind: 'mbox' })).toMatchObject({
      text: 'Mail 1\n\nBody 1\nFrom here\n\nMail 2\n\nBody 2\nFrom here',
      pages: [{ label: 'mail 1' }, { label: 'mail 2' }],
      meta: { format: 'mbox', mails: 2 },
    });
  });

  it('reads a msg: body, RTF body, attachments, a mail inside with its attachments', async () => {
    const decoded = await decode(
      msg({
        subject: 'Outer',
        rtf: '{\\rtf1 Rich \\b words}',
        attachments: [{ name: 'a.txt', bytes: utf8('one') }],
        embedded: [{ subject: 'Inner', body: 'Inner words', attachments: [{ name: 'b.txt', bytes: utf8('two') }] }],
      }),
      { kind: 'msg' },
    );
    expect(decoded).toMatchObject({
      title: 'Outer',
      text:
        'Outer\nFrom: Li Lei\nDate: Tue, 03 Mar 2026 00:00:00 GMT\nAttachments: a.txt, b.txt\n\n' +
        'Rich words\n\nInner\nFrom: Li Lei\nDate: Tue, 03 Mar 2026 00:00:00 GMT\nAttachments: b.txt\n\nInner words',
      meta: { format: 'msg', author: 'Li Lei' },
    });
    expect(decoded.attachments?.map(({ name }) => name)).toEqual(['a.txt', 'b.txt']);
  });

  it('[T99] refuses RTF that nests without end', async () => {
    await expect(decode(utf8(`{\\rtf1 ${'{'.repeat(100_000)}`), { kind: 'rtf' })).rejects.toMatchObject({
      word: 'too_large',
    });
  });

  it('[T99] a mail in a mail in a mail ends at a depth, and multipart parts too', async () => {
    let inner: { subject: string; body?: string; embedded?: never[] } = { subject: 'core', body: 'deepest' };
    for (let depth = 0; depth < 40; depth++) inner = { subject: `level ${depth}`, embedded: [inner as never] };
    expect((await decode(msg(inner), { kind: 'msg' })).text).not.toContain('deepest');
    const nested = Array.from(
      { length: 3_000 },
      (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`,
    );
    const { text } = await decode(utf8(`Subject: deep\n${nested.join('')}\nend`), { kind: 'eml' });
    expect(text).toBe('deep');
  });
});
