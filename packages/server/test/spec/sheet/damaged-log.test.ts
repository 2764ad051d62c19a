import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { onSurface } from '@sheaf/tools/testing/test-server.ts';
import { newSheet } from './support.ts';

/** What validate_file_data says of a log or snapshot that was damaged behind the product's back; its other rules are in validate_file_data.test.ts. */
onSurface('sheet', 'a damaged log', (call, server) => {
  const validate = async (file_id: string, input: Record<string, unknown> = {}) =>
    (await call('validate_file_data', { file_id, ...input })).data;
  /** Revision 3 of the document says this instead of what it said. */
  const damage = (file_id: string, mutations: string, version = 3) =>
    server().app.database.write(null, (tx) =>
      tx.run('UPDATE revision SET mutations = ? WHERE document_id = ? AND version = ?', mutations, file_id, version),
    );
  const three = async () => {
    const s = await newSheet(call, server(), '1\n');
    await s.put('A2', '2\n');
    return s;
  };
  /** A copied document begins with a snapshot; its bytes are changed and its checksum with them. */
  const withSnapshot = async (change: (bytes: Buffer) => Buffer, checksum = true) => {
    const s = await newSheet(call, server(), 'text,1,=A1\n');
    const { data } = await server().call('http', 'manage', 'copy_file', { file_id: s.file_id });
    const file_id = data.file_id as string;
    const { services, database } = server().app;
    const chunks: Buffer[] = [];
    for await (const chunk of (await services.blobs.get(`sheets/${file_id}/0`))!) chunks.push(chunk as Buffer);
    const bytes = change(Buffer.concat(chunks));
    await services.blobs.put(`sheets/${file_id}/0`, bytes, bytes.length);
    if (checksum)
      await database.write(null, (tx) =>
        tx.run(
          'UPDATE document_snapshot SET sha256 = ?, size = ? WHERE document_id = ?',
          createHash('sha256').update(bytes).digest('hex'),
          bytes.length,
          file_id,
        ),
      );
    return file_id;
  };

  test('[S121] RebuildWorkbook.workbook_cmds: the head of the snapshot', async () => {
    const file_id = await withSnapshot((bytes) => bytes.fill(0, 0, 4));
    expect(await validate(file_id)).toEqual({
      is_valid: false,
      checked_version: 0,
      ret_code: 1,
      stage: 'RebuildWorkbook.workbook_cmds',
      failed_mutation_type: 0,
      err_msg: 'these bytes are no snapshot of a document',
    });
  });

  test('[S122] a first snapshot whose checksum is wrong is told, and never served as an empty document', async () => {
    let file_id = '';
    // The search index may have opened the copy before it was damaged; then it is served from memory, and whole.
    for (let attempt = 0; attempt < 20; attempt++) {
      file_id = await withSnapshot((bytes) => bytes.fill(0, 20, 30), false);
      if ((await call('get_sheet_info', { file_id })).code !== 0) break;
    }
    expect(await validate(file_id)).toMatchObject({
      is_valid: false,
      stage: 'RebuildWorkbook.workbook_cmds',
      err_msg: 'the snapshot of the document is damaged or missing',
    });
    expect(await call('get_sheet_info', { file_id })).toMatchObject({ code: 310012, data: {} });
    expect(await call('add_sheet', { file_id })).toMatchObject({ code: 310012, data: {} });
  });

  test('[S123] RebuildWorkbook.revisions: a revision that is missing, no JSON, or of an unknown kind', async () => {
    const gap = await three();
    await server().app.database.write(null, (tx) =>
      tx.run('DELETE FROM revision WHERE document_id = ? AND version = 2', gap.file_id),
    );
    expect(await validate(gap.file_id)).toMatchObject({
      is_valid: false,
      ret_code: 1,
      stage: 'RebuildWorkbook.revisions',
      failed_mutation_type: 0,
      err_msg: 'revision 3 stands where revision 2 should',
    });
    const torn = await three();
    await damage(torn.file_id, '[{"type":1,');
    expect(await validate(torn.file_id)).toMatchObject({
      is_valid: false,
      stage: 'RebuildWorkbook.revisions',
      err_msg: expect.stringContaining('revision 3 is not JSON'),
    });
    const strange = await three();
    await damage(strange.file_id, '[{"type":77,"data":{}}]');
    expect(await validate(strange.file_id)).toMatchObject({
      is_valid: false,
      stage: 'RebuildWorkbook.revisions',
      failed_mutation_type: 77,
      err_msg: 'revision 3 holds a mutation of the unknown kind 77',
    });
    const short = await three();
    await server().app.database.write(null, (tx) =>
      tx.run('DELETE FROM revision WHERE document_id = ? AND version = 3', short.file_id),
    );
    expect(await validate(short.file_id)).toMatchObject({
      is_valid: false,
      stage: 'RebuildWorkbook.revisions',
      err_msg: 'the log ends at version 2, version 3 is missing',
    });
    // Versions before the damage are well.
    expect(await validate(torn.file_id, { version: 2 })).toMatchObject({ is_valid: true });
  });

  test('[S124] RebuildSheet: the cells of the snapshot', async () => {
    const file_id = await withSnapshot((bytes) => bytes.subarray(0, bytes.length - 8));
    expect(await validate(file_id)).toMatchObject({
      is_valid: false,
      ret_code: 1,
      stage: 'RebuildSheet',
      failed_mutation_type: 0,
    });
  });

  test('[S125] RebuildSheetWithTrim: a snapshot that holds more than its document', async () => {
    const file_id = await withSnapshot((bytes) => Buffer.concat([bytes, Buffer.from([1, 2, 3])]));
    expect(await validate(file_id)).toMatchObject({
      is_valid: false,
      ret_code: 1,
      stage: 'RebuildSheetWithTrim',
      failed_mutation_type: 0,
    });
  });

  test('[S126] ApplyNewRevisions: a mutation that does not apply, and one that gives another document', async () => {
    const s = await three();
    await damage(s.file_id, JSON.stringify([{ type: 18, data: { sheet: s.sheet_id, id: 'none' } }]));
    expect(await validate(s.file_id)).toMatchObject({
      is_valid: false,
      ret_code: 1,
      stage: 'ApplyNewRevisions',
      failed_mutation_type: 18,
      err_msg: "id: there is no filter 'none'",
    });
    const other = await three();
    await damage(other.file_id, JSON.stringify([{ type: 1, data: { sheet: other.sheet_id, values: [[1, 0, [99]]] } }]));
    expect(await validate(other.file_id)).toMatchObject({
      is_valid: false,
      ret_code: 2,
      stage: 'ApplyNewRevisions',
      failed_mutation_type: 0,
      err_msg: 'the document rebuilt from its log differs from the one that is served',
    });
  });
});
