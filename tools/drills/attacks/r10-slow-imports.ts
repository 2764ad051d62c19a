import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { manyPagesPdf } from '../../testing/formats/pdf.ts';
import { workbookParts, zipped } from '../../testing/workbook-parts.ts';
import { callOrThrow, type Answer, type Key } from '../../testing/call-client.ts';
import type { Attack } from '../attack.ts';

const patienceMs = 20_000;
const copies = 20;

/**
 * Returns a small workbook with thousands of formulas that each read a whole column. Recalculating them uses up all the
 * calculation steps that the server allows for an import.
 */
function slowWorkbook(): string {
  const cell = (i: number): string =>
    `<c r="B${i}"><f>SUMPRODUCT((A$1:A$4000&gt;A${i})*(A$1:A$4000&lt;&gt;${i}))</f></c>`;
  const rows = Array.from(
    { length: 4000 },
    (_, i) => `<row r="${i + 1}"><c r="A${i + 1}"><v>${i}</v></c>${cell(i + 1)}</row>`,
  );
  return Buffer.from(zipped(workbookParts({ Data: rows.join('') }))).toString('base64');
}

/**
 * Returns a workbook that looks huge although it has a single filled cell: the cell is in the last column, and each of
 * a million rows has a style.
 */
function sparseWorkbook(): string {
  const rows = Array.from(
    { length: 1_048_576 },
    (_, i) =>
      `<row r="${i + 1}" s="${1 + (i % 2)}" customFormat="1"${i === 0 ? '><c r="XFD1"><v>1</v></c></row>' : '/>'}`,
  );
  const fill = (color: string): string =>
    `<fill><patternFill patternType="solid"><fgColor rgb="${color}"/></patternFill></fill>`;
  const parts = workbookParts({ Data: rows.join('') }, [['rId9', 'styles', 'styles.xml']]);
  parts['xl/styles.xml'] =
    `<styleSheet><fonts><font/></fonts><fills><fill/>${fill('FFFF0000')}${fill('FF00FF00')}</fills>` +
    '<borders><border/></borders><cellXfs><xf/><xf fillId="1"/><xf fillId="2"/></cellXfs></styleSheet>';
  return Buffer.from(zipped(parts)).toString('base64');
}

export const attack: Attack = {
  name: `R10 slow workbooks, a million styled rows, ${copies} copies of a long PDF`,
  env: { SHEAF_FETCH_ALLOW: '127.0.0.1' },
  async run(server) {
    const call = (module: string, operation: string, input: unknown, as: Key): Promise<Answer['data']> =>
      callOrThrow(server, as, module, operation, input);
    const soon = async <Result>(what: string, work: Promise<Result>): Promise<Result> => {
      const late = sleep(patienceMs).then(() => Promise.reject(new Error(`${what} took longer than ${patienceMs} ms`)));
      return Promise.race([work, late]);
    };
    const pdf = Buffer.from(manyPagesPdf(4000));
    const site = createServer((request, response) => {
      if (request.url!.endsWith('.pdf')) response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf);
      else
        response
          .writeHead(200, { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename=a.txt' })
          .end('a short text');
    });
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    try {
      const { port } = site.address() as AddressInfo;
      const other = await server.newUser();
      const baseOf = async (user: Key): Promise<string> =>
        (await call('wiki', 'create_knowledge_base', { name: 'R10' }, user)).knowledge_base_id;
      const [hostileBase, otherBase] = [await baseOf(server.attacker), await baseOf(other)];
      const { file_id } = await call('manage', 'create_file', { title: 'small' }, other);
      const slow = slowWorkbook();
      const sparse = sparseWorkbook();
      const imports = [slow, slow, sparse].map((content, i) =>
        call('manage', 'import_file', { title: `hostile ${i}`, format: 'xlsx', content }, server.attacker),
      );
      for (const first of [0, 10]) {
        const urls = Array.from({ length: copies / 2 }, (_, i) => `http://127.0.0.1:${port}/${first + i}.pdf`);
        await call('wiki', 'import_urls', { knowledge_base_id: hostileBase, folder_id: '', urls }, server.attacker);
      }
      await soon('an export of somebody else', call('manage', 'export_file', { file_id, format: 'xlsx' }, other));
      const url = `http://127.0.0.1:${port}/a.txt`;
      const { results } = await soon(
        'the import of a text',
        call('wiki', 'import_urls', { knowledge_base_id: otherBase, folder_id: '', urls: [url] }, other),
      );
      const state = await call(
        'wiki',
        'get_knowledge_state',
        { media_ids: [results[url].media_id], wait_seconds: patienceMs / 1000 },
        other,
      );
      if (!state.is_done) throw new Error(`a text of somebody else was not read within ${patienceMs} ms`);
      await Promise.all(imports);
    } finally {
      site.closeAllConnections();
      site.close();
    }
  },
};
