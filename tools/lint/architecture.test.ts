import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  accessFaults,
  clientFaults,
  cycleFaults,
  directionFaults,
  exportFaults,
  manifestFaults,
  namedModuleFaults,
  namingFaults,
  outboundFaults,
  purityFaults,
  sentenceFaults,
  synonymFaults,
  type Manifests,
  type SourceFile,
} from './architecture.ts';

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));

const names = readdirSync(packages);

const files: SourceFile[] = names.flatMap((name) =>
  readdirSync(join(packages, name, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({
      name: join(name, relative(join(packages, name, 'src'), path)),
      text: readFileSync(path, 'utf8'),
    })),
);

const manifests: Manifests = Object.fromEntries(
  names.map((name) => {
    const manifest = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
      peerDependencies?: Record<string, string>;
    };
    return [name, Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })];
  }),
);

const manifestFaultsOf = (list: readonly SourceFile[]): string[] => manifestFaults(list, manifests);

describe('architecture', () => {
  test('there is something to look at', () => {
    expect(files.length).toBeGreaterThan(900);
  });

  test('[finding A2] imports follow the direction of the design; the engine has layers', () => {
    expect(directionFaults(files)).toEqual([]);
  });

  test('packages import what their manifests name, and each other by name', () => {
    expect(manifestFaultsOf(files)).toEqual([]);
  });

  test('the client imports only types of the server', () => {
    expect(clientFaults(files)).toEqual([]);
  });

  test('the engine is pure: no platform, no clock, no chance, no packages but pure ones', () => {
    expect(purityFaults(files)).toEqual([]);
  });

  test('[T12] only the egress module, the blob store and our own client make outbound requests', () => {
    expect(outboundFaults(files)).toEqual([]);
  });

  test('[finding A7] no default exports; only an index and the entry points of the engine hand things on', () => {
    expect(exportFaults(files)).toEqual([]);
  });

  test('folders are kebab-case, operation files have wire names', () => {
    expect(namingFaults(files)).toEqual([]);
  });

  test('[finding A5] kernel and transports name no module: bearer keys, events and error numbers are declared', () => {
    expect(namedModuleFaults(files)).toEqual([]);
  });

  test('[finding A5] adapters refuse with reasons and values: the sentences are the modules', () => {
    expect(sentenceFaults(files)).toEqual([]);
  });

  test('access is decided by one function: nothing else joins the tables of members and grants', () => {
    expect(accessFaults(files)).toEqual([]);
  });

  test('[finding A5] one name for one thing: blobKey, media types by name', () => {
    expect(synonymFaults(files)).toEqual([]);
  });

  test('[finding A7] no files load each other, but a mutation and its inverse', () => {
    expect(cycleFaults(files)).toEqual([]);
  });
});

describe('one place for one thing', () => {
  const loaders = (library: string): string[] => {
    const loads = new RegExp(`import\\('${library}|^import (?!type)[^;]*'${library}`, 'm');
    return files.filter(({ text }) => loads.test(text)).map(({ name }) => name);
  };

  test('[finding A12] one file loads a library for workbooks, for the formats that our own reader does not take', () => {
    expect(loaders('@e965/xlsx')).toEqual(['files/containers/sheetjs-reader.ts']);
    expect(['hucre', 'exceljs', 'xlsx'].flatMap(loaders)).toEqual([]);
  });

  test('[finding A10] what the engine stores cells in is published as deprecated only', () => {
    const entry = files.find(({ name }) => name === 'engine/index.ts')!.text;
    expect(entry).toMatch(/\/\*\* @deprecated [^*]*\*\/\nexport \* from '\.\/internal-storage-entry\.ts';/);
    expect(entry.match(/internal-storage-entry\.ts/g)).toHaveLength(1);
  });

  test('[finding A11] an author of a store knows five words about a write', () => {
    const { text } = files.find(({ name }) => name === 'server/adapters/sql/database.ts')!;
    const options = /export interface WriteOptions<[^>]*> \{\n([\s\S]*?)\n\}/.exec(text)![1]!;
    expect([...options.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name]) => name)).toEqual([
      'target',
      'lock',
      'isolation',
      'batch',
      'changesAccess',
    ]);
  });
});

/** Tests the checks themselves: each case adds one violation to a valid file and expects it to be reported. */
describe('a line against a rule is found', () => {
  type Check = (files: readonly SourceFile[]) => string[];
  const cases: readonly (readonly [string, Check, string, string])[] = [
    [
      'a layer imports one above it',
      directionFaults,
      'engine/base/values.ts',
      "import type { WorkbookCore } from '../workbook/workbook.ts';",
    ],
    [
      'a module imports another',
      directionFaults,
      'server/modules/note/index.ts',
      "import { wiki } from '../wiki/index.ts';",
    ],
    [
      'a module imports an adapter',
      directionFaults,
      'server/modules/note/index.ts',
      "import { migrate } from '../../adapters/sql/migrate.ts';",
    ],
    [
      'the kernel names a module',
      directionFaults,
      'server/kernel/invoker.ts',
      "import { note } from '../modules/note/index.ts';",
    ],
    [
      'a query asks the members of bases itself',
      accessFaults,
      'server/adapters/sql/notes/link-targets.ts',
      'const query = sql`SELECT i.id FROM wiki_item i JOIN wiki_member m ON m.base_id = i.base_id`;',
    ],
    [
      'a port knows an adapter',
      directionFaults,
      'server/ports/clock.ts',
      "import { migrate } from '../adapters/sql/migrate.ts';",
    ],
    [
      'an adapter knows a module',
      directionFaults,
      'server/adapters/sql/database.ts',
      "import { note } from '../../modules/note/index.ts';",
    ],
    [
      'a transport knows a module',
      directionFaults,
      'server/transports/http/server.ts',
      "import { note } from '../../modules/note/index.ts';",
    ],
    [
      'a helper depends on something',
      directionFaults,
      'server/lib/hash.ts',
      "import { systemClock } from '../ports/clock.ts';",
    ],
    [
      'the engine imports the product',
      manifestFaultsOf,
      'engine/index.ts',
      "import { fail } from '@sheaf/server/kernel/errors.ts';",
    ],
    [
      'a package goes around the wall of another',
      manifestFaultsOf,
      'server/modules/sheet/schema.ts',
      "import type { Rect } from '../../../../engine/src/base/address.ts';",
    ],
    ['a decoder uses what is not declared', manifestFaultsOf, 'files/text/csv.ts', "import { Client } from 'pg';"],
    [
      'the page imports the server',
      manifestFaultsOf,
      'web/main.tsx',
      "import { note } from '@sheaf/server/modules/note/index.ts';",
    ],
    [
      'the client loads the server',
      clientFaults,
      'client/index.ts',
      "import { modules } from '@sheaf/server/modules.ts';",
    ],
    ['the engine looks at a clock', purityFaults, 'engine/base/values.ts', 'const now = Date.now();'],
    ['somebody else calls out', outboundFaults, 'server/modules/note/index.ts', "await fetch('http://example.com/');"],
    ['a default export', exportFaults, 'server/modules/note/index.ts', 'export default 1;'],
    ['a barrel', exportFaults, 'server/modules/note/note-writes.ts', "export { noteErrors } from './errors.ts';"],
    [
      'the kernel asks for a module by name',
      namedModuleFaults,
      'server/kernel/openapi.ts',
      "const bearer = module.name === 'sheet';",
    ],
    [
      'a transport knows a topic',
      namedModuleFaults,
      'server/transports/http/live-update-endpoints.ts',
      'const topic = `note:${caller.userId}`;',
    ],
    [
      'a transport knows an error number',
      namedModuleFaults,
      'server/transports/http/server.ts',
      'const code = limited ? 20002 : 20004;',
    ],
    [
      "a transport uses a module's store",
      namedModuleFaults,
      'server/transports/http/web-app.ts',
      'const base = await app.services.wiki.bases.base(id, userId);',
    ],
    [
      'a store writes a sentence',
      sentenceFaults,
      'server/adapters/sql/database.ts',
      "throw new WikiRefused('personal', 'a first knowledge base cannot be deleted');",
    ],
    [
      'a store names a field of a request',
      sentenceFaults,
      'server/adapters/sql/notes/note-writes.ts',
      'const text = `note_id: there is no note ${id}`;',
    ],
    ['a second name of a key', synonymFaults, 'server/modules/wiki/search.ts', 'const cosKey = upload.blobKey;'],
    ['a bare media type', synonymFaults, 'server/modules/wiki/permissions.ts', 'const isNote = item.mediaType === 11;'],
    [
      'a bare media type in SQL',
      synonymFaults,
      'server/adapters/sql/wiki/item-store.ts',
      "const sql = 'SELECT 1 FROM wiki_item WHERE media_type IN (11, 12)';",
    ],
    ['bare media types in a list', synonymFaults, 'web/main.tsx', '[2, 6].includes(entry.media_type);'],
    ['a cycle', cycleFaults, 'server/lib/json-lines.ts', "import { LineCycle } from './hash.ts';"],
  ];

  test.each(cases)('%s', (_what, check, name, line) => {
    const before = new Set(check(files));
    const changed = files.map((file) => (file.name === name ? { name, text: `${line}\n${file.text}` } : file));
    const withLine =
      check === cycleFaults
        ? addLine(changed, 'server/lib/hash.ts', "import { linesOf } from './json-lines.ts';")
        : changed;
    expect(files.some((file) => file.name === name)).toBe(true);
    expect(check(withLine).filter((fault) => !before.has(fault))).not.toEqual([]);
  });

  test('a file with a wrong name', () => {
    expect(namingFaults([{ name: 'server/modules/note/NoteThing.ts', text: '' }])).toHaveLength(1);
  });
});

function addLine(list: readonly SourceFile[], name: string, line: string): SourceFile[] {
  return list.map((file) => (file.name === name ? { name, text: `${line}\n${file.text}` } : file));
}
