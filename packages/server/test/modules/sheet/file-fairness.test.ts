import { expect, test } from 'vitest';
import { startServer } from '@sheaf/tools/testing/test-server.ts';
import { workbookParts, zipped } from '@sheaf/tools/testing/workbook-parts.ts';

/** Formulas that each look at everything: a small file that computes until its budget ends. */
function slowWorkbook(): string {
  const rows = Array.from(
    { length: 3000 },
    (_, i) =>
      `<row r="${i + 1}"><c r="A${i + 1}"><v>${i}</v></c><c r="B${i + 1}"><f>SUMPRODUCT((A$1:A$3000&gt;A${i + 1})*(A$1:A$3000&lt;&gt;${i}))</f></c></row>`,
  );
  return Buffer.from(zipped(workbookParts({ Data: rows.join('') }))).toString('base64');
}

test(
  '[finding R10] imports of one user do not keep another user waiting for an export',
  { timeout: 180_000 },
  async () => {
    const server = await startServer({ database: 'sqlite' });
    try {
      const attacker = await server.newUser();
      const other = await server.newUser();
      const { data } = await server.call('http', 'manage', 'create_file', { title: 'small' }, other);
      const content = slowWorkbook();
      const answered: string[] = [];
      const imports = Array.from({ length: 4 }, async (_, i) => {
        const { code } = await server.call(
          'http',
          'manage',
          'import_file',
          { title: `slow ${i}`, format: 'xlsx', content },
          attacker,
        );
        answered.push(`import ${code}`);
      });
      await new Promise((resolve) => setTimeout(resolve, 300));
      const { code } = await server.call(
        'http',
        'manage',
        'export_file',
        { file_id: data.file_id, format: 'csv' },
        other,
      );
      answered.push(`export ${code}`);
      await Promise.all(imports);
      // With the threads taken in the order of asking, the export would have waited for two imports at least.
      expect(answered.indexOf('export 0')).toBeGreaterThanOrEqual(0);
      expect(answered.indexOf('export 0')).toBeLessThan(2);
    } finally {
      await server.close();
    }
  },
);
