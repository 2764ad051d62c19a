import { expect, test } from 'vitest';
import { eachServer, onSurface } from '@sheaf/tools/testing/test-server.ts';
import { importNote, infoOf, plainText } from './support.ts';

onSurface('note', 'append_doc', (call, server) => {
  const append = (id: string, content: string) => call('append_doc', { note_id: id, content_format: 1, content });

  test('[N30] adds a block of its own to the end', async () => {
    const id = await importNote(call, 'first');
    expect(await append(id, 'second\n')).toMatchObject({ code: 0, data: { note_id: id, doc_id: id } });
    await append(id, '---');
    await append(id, '- a');
    expect(await plainText(call, id)).toBe('first\n\nsecond\n\n---\n\n- a');
    expect((await call('export_note', { note_id: id })).data).toMatchObject({
      content: 'first\n\nsecond\n\n---\n\n- a',
      version: 4,
    });
  });

  test('[N27] takes doc_id in place of note_id', async () => {
    const id = await importNote(call, 'x');
    expect(await call('append_doc', { doc_id: id, content_format: 1, content: 'y' })).toMatchObject({
      code: 0,
      data: { note_id: id },
    });
    expect(await call('append_doc', { content_format: 1, content: 'y' })).toMatchObject({
      code: 210001,
      msg: 'note_id: is required',
    });
  });

  test('[N32] only the author appends; a deleted note is 210006', async () => {
    const id = await importNote(call, 'mine');
    const other = await server().newUser();
    const foreign = await call('append_doc', { note_id: id, content_format: 1, content: 'x' }, other);
    const unknown = await call('append_doc', { note_id: 'note_none', content_format: 1, content: 'x' }, other);
    expect(foreign).toEqual({ code: 210005, msg: `note_id: there is no note "${id}" of yours`, data: {} });
    expect(unknown).toEqual({ code: 210005, msg: 'note_id: there is no note "note_none" of yours', data: {} });
    await call('delete_note', { note_id: id });
    expect(await append(id, 'x')).toMatchObject({ code: 210006, data: {} });
    expect((await call('restore_note', { note_id: id })).data.note.version).toBe(1);
  });

  test('[N33] a note never grows past 1 MiB', async () => {
    const id = await importNote(call, 'x'.repeat(2 ** 20 - 10));
    expect(await append(id, 'y'.repeat(8))).toMatchObject({ code: 0 });
    expect(await append(id, 'z')).toMatchObject({ code: 210009, data: {} });
    expect((await call('export_note', { note_id: id })).data.content.slice(-10)).toBe('\n\nyyyyyyyy');
  });

  test('[N34] keeps the title; summary, cover and modification time follow', async () => {
    const id = await importNote(call, 'start');
    const before = await infoOf(call, id);
    await append(id, '# Late heading\n\n![p](https://img.example.com/p.png)');
    const after = await infoOf(call, id);
    expect(after).toMatchObject({
      title: 'start',
      summary: 'start Late heading p (https://img.example.com/p.png)',
      cover_image: 'https://img.example.com/p.png',
      create_time: before.create_time,
    });
    expect(after.modify_time).toBeGreaterThanOrEqual(before.modify_time);
  });

  test('a heading that is not the title stays in the summary, also after a rename', async () => {
    const id = await importNote(call, '# Heading\n\nfirst', { title: 'Given' });
    await append(id, 'second');
    expect(await infoOf(call, id)).toMatchObject({ title: 'Given', summary: 'Heading first second' });
    await call('rename_note', { note_id: id, title: 'Heading' });
    await append(id, 'third');
    expect(await infoOf(call, id)).toMatchObject({ title: 'Heading', summary: 'first second third' });
  });

  test('[N35] every append is a version that stays readable, also after many', async () => {
    const id = await importNote(call, 'v1');
    for (let i = 2; i <= 205; i++) await append(id, `v${i}`);
    const newest = (await call('export_note', { note_id: id })).data;
    expect(newest.version).toBe(205);
    expect(newest.content.split('\n\n').length).toBe(205);
    expect((await call('export_note', { note_id: id, version: 3 })).data.content).toBe('v1\n\nv2\n\nv3');
    expect((await call('export_note', { note_id: id, version: 202 })).data.content.endsWith('v201\n\nv202')).toBe(true);
  });
});

eachServer('append_doc, many at once', (server) => {
  test(
    '[N31] 200 appends over 20 connections: all there, none mixed, in the order of their versions',
    { timeout: 60_000 },
    async () => {
      const call = (operation: string, input: unknown) => server().call('http', 'note', operation, input);
      const id = await importNote(call, 'start');
      const { url, owner } = server();
      const versions = new Map<number, string>();
      const caller = async (who: number): Promise<void> => {
        for (let i = 0; i < 10; i++) {
          const content = `begin ${who}-${i}\n\n${'字'.repeat(50)}\n\nend ${who}-${i}`;
          const response = await fetch(`${url}/openapi/note/v1/append_doc`, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              'svc-openapi-clientid': owner.clientId,
              'svc-openapi-apikey': owner.apiKey,
            },
            body: JSON.stringify({ note_id: id, content_format: 1, content }),
          });
          expect(((await response.json()) as { code: number }).code).toBe(0);
          versions.set(Number(response.headers.get('x-sheaf-version')), `${who}-${i}`);
        }
      };
      await Promise.all(Array.from({ length: 20 }, (_, who) => caller(who)));
      const { content } = (await call('export_note', { note_id: id })).data as { content: string };
      const pieces = content.split('\n\n');
      expect(pieces.length).toBe(601);
      const order: string[] = [];
      for (let i = 1; i < pieces.length; i += 3) {
        const name = pieces[i]!.replace('begin ', '');
        expect(pieces.slice(i, i + 3)).toEqual([`begin ${name}`, '字'.repeat(50), `end ${name}`]);
        order.push(name);
      }
      expect(new Set(order).size).toBe(200);
      expect([...versions.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => i + 2));
      expect(Array.from({ length: 200 }, (_, i) => versions.get(i + 2))).toEqual(order);
    },
  );
});
