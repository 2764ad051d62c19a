import { expect, test } from 'vitest';
import { eachServer, onSurface } from '@sheaf/tools/testing/test-server.ts';
import { addNotebook, importNote, infoOf, plainText } from './support.ts';

onSurface('note', 'import_doc', (call, server) => {
  test('[N1] makes a note and answers its id under both names', async () => {
    const made = await call('import_doc', { content_format: 1, content: '# Hello 世界\n\nBody **text**' });
    expect(made).toMatchObject({
      code: 0,
      msg: 'success',
      data: { note_id: expect.stringMatching(/^note_[0-9a-z]{24}$/) },
    });
    expect(made.data.doc_id).toBe(made.data.note_id);
    expect(await plainText(call, made.data.note_id)).toBe('Hello 世界\n\nBody text');
  });

  test('[N2] takes Markdown only, also as a numeric string', async () => {
    expect(await call('import_doc', { content_format: 0, content: 'x' })).toMatchObject({ code: 210001, data: {} });
    expect(await call('import_doc', { content_format: 2, content: 'x' })).toMatchObject({ code: 210001, data: {} });
    expect(await call('import_doc', { content_format: '1', content: 'x' })).toMatchObject({ code: 0 });
  });

  test('[N3] refuses content that is empty, white space or half a character', async () => {
    expect(await call('import_doc', { content_format: 1, content: '' })).toMatchObject({
      code: 210001,
      msg: 'content: must not be empty (got "")',
    });
    expect(await call('import_doc', { content_format: 1, content: ' \n\t ' })).toMatchObject({
      code: 210001,
      msg: 'content: must not be empty (got 4 characters of whitespace)',
    });
    const half = await call('import_doc', { content_format: 1, content: 'a \ud83d b' });
    expect(half).toMatchObject({ code: 210001 });
    expect(half.msg).toContain('a lone surrogate');
  });

  test('[N4] takes 1 MiB of Markdown and not a byte more', async () => {
    const id = await importNote(call, `字${'x'.repeat(2 ** 20 - 3)}`);
    expect((await plainText(call, id)).length).toBe(1_048_574);
    const over = await call('import_doc', { content_format: 1, content: `字${'x'.repeat(2 ** 20 - 2)}` });
    expect(over).toMatchObject({
      code: 210009,
      msg: 'content: the note would be 1048577 bytes of Markdown, and a note can contain at most 1048576',
      data: {},
    });
  });

  test('[N5] takes the title from the first heading, else from the first line', async () => {
    const title = async (content: string) => (await infoOf(call, await importNote(call, content))).title;
    expect(await title('intro\n\n## The *heading* with `code`\n\ntext')).toBe('The heading with code');
    expect(await title('Setext\n======\n\ntext')).toBe('Setext');
    expect(await title('\n\n  **first** [line](http://x.example)\nsecond')).toBe('first line');
    expect(await title('- milk\n- eggs')).toBe('milk');
    expect(await title('```\n# not a heading\n```')).toBe('# not a heading');
    expect(await title('---\n\n***')).toBe('---');
    expect(await title(`# ${'长'.repeat(130)}`)).toBe('长'.repeat(120));
    expect(await title('---\ntags: [a]\ntitle: x\n---\n# Real')).toBe('Real');
  });

  test('[N6] keeps a title that is sent', async () => {
    const id = await importNote(call, '# From the text', { title: '  Given \u3000 title ' });
    expect(await infoOf(call, id)).toMatchObject({ title: 'Given title', summary: 'From the text' });
    expect(await call('import_doc', { content_format: 1, content: 'x', title: 't'.repeat(121) })).toMatchObject({
      code: 210001,
    });
    expect(await call('import_doc', { content_format: 1, content: 'x', title: 'a\u0007b' })).toMatchObject({
      code: 210001,
    });
  });

  test('[N7] [T39] shows a summary and a picture from the web only', async () => {
    const info = async (content: string) => infoOf(call, await importNote(call, content));
    expect(await info('# T\n\nWords\nand  more\n\n- list')).toMatchObject({
      summary: 'Words and more - list',
      cover_image: '',
    });
    expect((await info(`# T\n\n${'字'.repeat(130)}`)).summary).toBe(`${'字'.repeat(120)}…`);
    expect(await info('a ![one](https://img.example.com/1.png) ![two](https://img.example.com/2.png)')).toMatchObject({
      cover_image: 'https://img.example.com/1.png',
    });
    for (const bad of [
      'javascript:alert(1)',
      'data:image/png;base64,AAAA',
      'http://127.0.0.1/a.png',
      'http://localhost/a.png',
      'http://10.0.0.8/a.png',
      'http://[::1]/a.png',
      'http://2130706433/a.png',
      'http://metadata.internal/a',
      'file:///etc/passwd',
      '/relative.png',
    ]) {
      expect((await info(`# T\n\n![x](${bad})`)).cover_image, bad).toBe('');
    }
    expect(await info('# T\n\n![x](data:image/png;base64,AAAA) ![y](http://img.example.com/y.png)')).toMatchObject({
      cover_image: 'http://img.example.com/y.png',
    });
  });

  test('[N8] puts the note into the notebook of folder_id; an unknown or foreign one is 210035', async () => {
    const folder = await addNotebook(call, `In ${Math.random()}`);
    const id = await importNote(call, 'x', { folder_id: folder });
    expect(await infoOf(call, id)).toMatchObject({ note_ext_info: { folder_id: folder } });
    expect(await call('import_doc', { content_format: 1, content: 'x', folder_id: 'folder_none' })).toMatchObject({
      code: 210035,
      msg: 'folder_id: there is no notebook "folder_none"',
      data: {},
    });
    const other = await server().newUser();
    expect(await call('import_doc', { content_format: 1, content: 'x', folder_id: folder }, other)).toMatchObject({
      code: 210035,
    });
    const loose = await importNote(call, 'x', { folder_id: '' });
    expect((await infoOf(call, loose)).note_ext_info.folder_name).toBe('Uncategorized');
  });

  test('[N9] makes the notebook of folder_name when it is missing, and uses it when it is there', async () => {
    const user = await server().newUser();
    const first = await infoOf(call, await importNote(call, 'a', { folder_name: ' Café ' }, user), user);
    const second = await infoOf(call, await importNote(call, 'b', { folder_name: 'Cafe\u0301' }, user), user);
    expect(first.note_ext_info.folder_name).toBe('Café');
    expect(second.note_ext_info).toEqual(first.note_ext_info);
    const { data } = await call('list_notebook', { cursor: '0', limit: 20 }, user);
    expect(data.note_folder_infos.map((info: any) => [info.name, info.note_number])).toEqual([
      ['All notes', 2],
      ['Uncategorized', 0],
      ['Café', 2],
    ]);
    await importNote(call, 'c', { folder_name: 'Uncategorized' }, user);
    expect((await call('list_notebook', { cursor: '0', limit: 20 }, user)).data.note_folder_infos.length).toBe(3);
  });

  test('[N10] refuses folder_id and folder_name that disagree', async () => {
    const folder = await addNotebook(call, 'Agreed');
    expect(
      await call('import_doc', { content_format: 1, content: 'x', folder_id: folder, folder_name: 'Agreed' }),
    ).toMatchObject({ code: 0 });
    const answer = await call('import_doc', {
      content_format: 1,
      content: 'x',
      folder_id: folder,
      folder_name: 'Other',
    });
    expect(answer.code).toBe(210001);
    expect(answer.msg).toContain('is called "Agreed", not "Other"');
    await call('delete_notebook', { folder_id: folder });
  });

  test('[N20] refuses control characters and more than 256 characters in ids and names', async () => {
    for (const folder_name of ['a\u0000b', 'a\nb', '字'.repeat(257)]) {
      expect(await call('import_doc', { content_format: 1, content: 'x', folder_name })).toMatchObject({
        code: 210001,
        data: {},
      });
    }
    expect(await call('import_doc', { content_format: 1, content: 'x', folder_id: 'a\u001fb' })).toMatchObject({
      code: 210001,
    });
  });
});

eachServer(
  'import_doc, quota',
  (server) => {
    const call = (operation: string, input: unknown) => server().call('http', 'note', operation, input);

    test('[N11] refuses what does not fit into the quota, and keeps nothing of it', async () => {
      const id = await importNote(call, 'x'.repeat(600));
      const answer = await call('import_doc', { content_format: 1, content: 'y'.repeat(500) });
      expect(answer).toEqual({
        code: 210004,
        msg: 'content: 500 more bytes do not fit: 600 of 1000 are in use',
        data: {},
      });
      expect(await call('append_doc', { note_id: id, content_format: 1, content: 'y'.repeat(401) })).toMatchObject({
        code: 210004,
      });
      expect(await call('append_doc', { note_id: id, content_format: 1, content: 'y'.repeat(300) })).toMatchObject({
        code: 0,
      });
      expect((await call('list_note', { cursor: '', limit: 20 })).data.note_book_list.length).toBe(1);
      expect(await call('update_note', { note_id: id, content: 'z'.repeat(101) })).toMatchObject({ code: 210004 });
    });
  },
  { config: { SHEAF_QUOTA_BYTES: 1000 } },
);
