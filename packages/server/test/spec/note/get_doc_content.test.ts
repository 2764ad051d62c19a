import { expect, test } from 'vitest';
import { eachServer, onSurface } from '@sheaf/tools/testing/test-server.ts';
import { importNote, plainText } from './support.ts';

onSurface('note', 'get_doc_content', (call, server) => {
  const json = async (content: string) => {
    const id = await importNote(call, content);
    return JSON.parse((await call('get_doc_content', { note_id: id, target_content_format: 2 })).data.content);
  };

  test('[N21] plain text reads well: headings, lists, tables, links, code, quotes', async () => {
    const id = await importNote(
      call,
      [
        '# Title',
        '',
        'Soft',
        'break and **bold**, _it_, ~~gone~~, `x < y`, &copy; &amp; \\# end',
        '',
        '- one',
        '- two',
        '  1. deep',
        '  2. deeper',
        '- [x] done',
        '- [ ] open',
        '',
        '| Name | 数量 |',
        '|:--|--:|',
        '| tea | 2 \\| 3 |',
        '',
        '> quoted',
        '> more',
        '',
        '[site](https://example.com) <https://bare.example> ![pic](https://img.example.com/a.png)',
        '',
        '```js',
        'const a = 1;',
        '```',
        '',
        '***',
      ].join('\n'),
    );
    expect(await plainText(call, id)).toBe(
      [
        'Title',
        '',
        'Soft',
        'break and bold, it, gone, x < y, © & # end',
        '',
        '- one',
        '- two',
        '  1. deep',
        '  2. deeper',
        '- [x] done',
        '- [ ] open',
        '',
        'Name | 数量',
        'tea | 2 | 3',
        '',
        '> quoted',
        '> more',
        '',
        'site (https://example.com) https://bare.example pic (https://img.example.com/a.png)',
        '',
        'const a = 1;',
        '',
        '---',
      ].join('\n'),
    );
  });

  test('[N22] [finding C6] JSON is an array of blocks with marks', async () => {
    expect(await json('# T\n\na **b *c*** `d` [e](https://x.example)\n\n---\n\n![p](https://x.example/p.png)')).toEqual(
      [
        { type: 'h1', children: [{ text: 'T' }] },
        {
          type: 'p',
          children: [
            { text: 'a ' },
            { text: 'b ', bold: true },
            { text: 'c', bold: true, italic: true },
            { text: ' ' },
            { text: 'd', code: true },
            { text: ' ' },
            { text: 'e', link: { url: 'https://x.example' } },
          ],
        },
        { type: 'hr', children: [{ text: '' }] },
        { type: 'image', url: 'https://x.example/p.png', alt: 'p', children: [{ text: '' }] },
      ],
    );
    expect(await json('3. a\n4. b\n\n> q\n\n```py\nx\n```\n\n|h|\n|-|\n|c|')).toEqual([
      {
        type: 'ol',
        start: 3,
        children: [
          { type: 'li', children: [{ type: 'p', children: [{ text: 'a' }] }] },
          { type: 'li', children: [{ type: 'p', children: [{ text: 'b' }] }] },
        ],
      },
      { type: 'blockquote', children: [{ type: 'p', children: [{ text: 'q' }] }] },
      { type: 'code_block', language: 'py', children: [{ text: 'x' }] },
      {
        type: 'table',
        align: [null],
        children: [
          { header: true, children: [{ children: [{ text: 'h' }] }] },
          { children: [{ children: [{ text: 'c' }] }] },
        ],
      },
    ]);
    expect(await json('- [x] t\n  - n')).toEqual([
      {
        type: 'ul',
        children: [
          {
            type: 'li',
            checked: true,
            children: [
              { type: 'p', children: [{ text: 't' }] },
              { type: 'ul', children: [{ type: 'li', children: [{ type: 'p', children: [{ text: 'n' }] }] }] },
            ],
          },
        ],
      },
    ]);
  });

  test('[N23] Markdown is not given here: 210001', async () => {
    const id = await importNote(call, 'x');
    expect(await call('get_doc_content', { note_id: id, target_content_format: 1 })).toEqual({
      code: 210001,
      msg: 'target_content_format: must be 0 (plain text) or 2 (JSON) (got 1); use export_note for Markdown',
      data: {},
    });
  });

  test('[N24] a foreign note and one that never was give the same answer, 210005', async () => {
    const id = await importNote(call, 'secret words');
    const other = await server().newUser();
    expect(await call('get_doc_content', { note_id: id, target_content_format: 0 }, other)).toEqual({
      code: 210005,
      msg: `note_id: there is no note "${id}" of yours`,
      data: {},
    });
    expect(await call('get_doc_content', { note_id: 'note_none', target_content_format: 0 }, other)).toEqual({
      code: 210005,
      msg: 'note_id: there is no note "note_none" of yours',
      data: {},
    });
    await call('delete_note', { note_id: id });
    expect(await call('get_doc_content', { note_id: id, target_content_format: 0 }, other)).toMatchObject({
      code: 210005,
    });
  });

  test("[N25] a deleted note of one's own is 210006", async () => {
    const id = await importNote(call, 'x');
    await call('delete_note', { note_id: id });
    expect(await call('get_doc_content', { note_id: id, target_content_format: 0 })).toEqual({
      code: 210006,
      msg: `note_id: the note "${id}" was deleted; restore_note restores it`,
      data: {},
    });
  });

  test('[N27] takes doc_id and answers both', async () => {
    const id = await importNote(call, 'x');
    expect(await call('get_doc_content', { doc_id: id, target_content_format: '0' })).toEqual({
      code: 0,
      msg: 'success',
      data: { content: 'x', note_id: id, doc_id: id },
    });
  });

  test('[N28] [T34] raw HTML is text, and addresses that run or hide something are no links', async () => {
    expect(await json('<script>alert(1)</script>\n\na <img src=x onerror=alert(1)> b')).toEqual([
      { type: 'p', children: [{ text: '<script>alert(1)</script>' }] },
      { type: 'p', children: [{ text: 'a <img src=x onerror=alert(1)> b' }] },
    ]);
    expect(
      await json('[a](javascript:alert(1)) [b](JaVa&#115;cript:x) ![c](data:text/html,x) [d](/local) [e](vbscript:x)'),
    ).toEqual([{ type: 'p', children: [{ text: 'a b c ' }, { text: 'd', link: { url: '/local' } }, { text: ' e' }] }]);
  });

  test('[N29] a note of 1 MiB with every kind of block is read whole', async () => {
    const piece =
      '## Part\n\nSome *words* here, [link](https://x.example).\n\n- a\n- b\n\n| t | u |\n|---|---|\n| 1 | 2 |\n\n';
    const count = Math.floor(2 ** 20 / piece.length);
    const id = await importNote(call, piece.repeat(count));
    const text = await plainText(call, id);
    expect(text.split('\n').filter((line) => line === 'Part').length).toBe(count);
    expect(text.endsWith('t | u\n1 | 2')).toBe(true);
  });
});

eachServer('get_doc_content, shared', (server) => {
  test('[N26] a member of a shared base that holds the note gets 210011', async () => {
    const { app, owner } = server();
    const call = (operation: string, input: unknown, as?: typeof owner) =>
      server().call('http', 'note', operation, input, as);
    const id = await importNote(call, 'shared words');
    const member = await server().newUser();
    const stranger = await server().newUser();
    const shared = app.services.sharedNotes as { sharedWith: (noteId: string, userId: string) => Promise<boolean> };
    const before = shared.sharedWith;
    shared.sharedWith = async (noteId, userId) => noteId === id && userId === member.userId;
    try {
      expect(await call('get_doc_content', { note_id: id, target_content_format: 0 }, member)).toMatchObject({
        code: 210011,
        data: {},
      });
      expect(await call('get_doc_content', { note_id: id, target_content_format: 0 }, stranger)).toMatchObject({
        code: 210005,
      });
      expect(await call('get_doc_content', { note_id: id, target_content_format: 0 })).toMatchObject({ code: 0 });
    } finally {
      shared.sharedWith = before;
    }
  });
});
