/** [finding C10] Tests the bundling of declaration files into one file, and the API report made from that file. */
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { runTool } from './packed.ts';

const script = (name: string) => pathToFileURL(join('tools', 'package', name)).href;

interface Rolled {
  types?: string;
  report?: string;
  error?: string;
}

/** Runs the scripts in a separate process, because they are plain JavaScript without types. */
async function rollUp(files: Record<string, string>, packages: string[] = []): Promise<Rolled> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const program = `
    const { rollUp } = await import(${JSON.stringify(script('roll-up.mjs'))});
    const { apiReport } = await import(${JSON.stringify(script('api-report.mjs'))});
    try {
      const packages = ${JSON.stringify(packages)};
      const types = rollUp(${JSON.stringify(join(folder, 'index.d.ts'))}, (name) => packages.includes(name));
      console.log(JSON.stringify({ types, report: apiReport('x', types) }));
    } catch (error) {
      console.log(JSON.stringify({ error: error.message }));
    }`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const rolled = JSON.parse(stdout) as Rolled;
  if (rolled.types !== undefined && packages.length === 0) expect(await faults(rolled.types)).toBe('');
  return rolled;
}

/** Returns tsc's errors in strict mode. */
async function faults(types: string): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'rolled.d.ts'), types);
  await writeFile(
    join(folder, 'tsconfig.json'),
    '{ "compilerOptions": { "strict": true, "noEmit": true, "types": [] }, "files": ["rolled.d.ts"] }',
  );
  return (await runTool('tsc', ['-p', 'tsconfig.json'], folder)).output;
}

describe('[finding C10] rolling up declarations', () => {
  test('takes what the entry exports and what that refers to, with comments, and nothing else', async () => {
    const { types } = await rollUp({
      'index.d.ts': `export { make } from './a.ts';
export * from './b.ts';
export {};
`,
      'a.d.ts': `import type { Inner } from './b/inner.ts';
/** Makes one. */
export declare function make(): Inner;
export declare function make(size: number): Inner[];
export declare const unused: unique symbol;
`,
      'b.d.ts': `export interface B {
    readonly of: number;
}
export declare const first: B, second: B;
`,
      'b/inner.d.ts': `interface Deep {
    is: true;
}
export type Inner = Deep & {
    name: string;
};
export type Other = 1;
`,
    });
    expect(types).toBe(`export interface B {
    readonly of: number;
}
export declare const first: B;
export declare const second: B;
/** Makes one. */
export declare function make(): Inner;
export declare function make(size: number): Inner[];
type Inner = Deep & {
    name: string;
};
interface Deep {
    is: true;
}
export {};
`);
  });

  test('names stay apart: two of one name, one that hides a global, one that a type parameter hides', async () => {
    const { types } = await rollUp({
      'index.d.ts': `export { a } from './a.ts';
export { b } from './b.ts';
export type { Record as Entry } from './c.ts';
export { same as also } from './a.ts';
`,
      'a.d.ts': `interface Part {
    a: Map<string, Part>;
}
export declare const a: Part;
export declare function same<Part>(part: Part): Part;
`,
      'b.d.ts': `import { Map } from './c.ts';
interface Part {
    b: Map;
}
export declare const b: {
    [Part in 'x']: Part;
} & Part;
`,
      'c.d.ts': `export interface Map {
    ours: true;
}
export interface Record {
    entry: import("./d.ts").D<string>;
}
`,
      'd.d.ts': `export interface D<T> {
    t: T;
}
`,
    });
    expect(types).toBe(`export declare const a: Part;
export declare const b: {
    [Part in 'x']: Part;
} & Part_2;
export interface Entry {
    entry: D<string>;
}
export declare function also<Part>(part: Part): Part;
interface Part {
    a: Map<string, Part>;
}
interface Part_2 {
    b: Map_2;
}
interface D<T> {
    t: T;
}
interface Map_2 {
    ours: true;
}
export {};
`);
  });

  test('a class that is exported as a type cannot be made by whoever imports it', async () => {
    const { types } = await rollUp({
      'index.d.ts': `export type { Kept } from './kept.ts';
export { Made } from './kept.ts';
`,
      'kept.d.ts': `export declare class Kept {
    x: number;
}
export declare class Made extends Kept {
    [Symbol.iterator](): Iterator<Kept>;
}
`,
    });
    expect(types).toContain('\nexport declare class Made extends Kept {');
    expect(types).toMatch(/^declare class Kept \{/m);
    expect(types).toMatch(/^export \{ type Kept \};$/m);
  });

  test('a package that installers do not get stops it, where it is public', async () => {
    const files = {
      'index.d.ts': `export { compile } from './a.ts';
`,
      'a.d.ts': `import type { Regex } from 'regex-package';
export declare function compile(): Regex;
export declare function hidden(): Regex;
`,
    };
    expect(await rollUp(files)).toEqual({
      error: 'the types of compile are public and name the package regex-package, which installers do not get',
    });
    expect((await rollUp(files, ['regex-package'])).types).toBe(
      "import type { Regex } from 'regex-package';\nexport declare function compile(): Regex;\nexport {};\n",
    );
  });

  test('what it cannot roll up, it refuses', async () => {
    expect(
      await rollUp({
        'index.d.ts': `export * as all from './a.ts';
`,
        'a.d.ts': 'export {};\n',
      }),
    ).toEqual({
      error: expect.stringContaining('cannot roll up "export * as all from \'./a.ts\';"') as string,
    });
  });
});

test('[finding C10] the report is in the order of names, without comments and private members', async () => {
  const text = `/** Last. */
export declare class Zebra {
    #private;
    ${'private'} stripes;
    /** How many. */
    readonly count: number;
    private constructor();
}
interface Inner {
    /** Not said. */
    x: 1;
}
export declare function apple(first: string, second: Inner, third: Record<string, readonly number[]>, fourth: boolean): Inner;
`;
  const { report } = await rollUp({ 'index.d.ts': text });
  expect(report)
    .toBe(`// What sheaf/x exports. Written by npm run docs; a change here is a change for everybody who uses it.
export declare class Zebra {
    readonly count: number;
    private constructor();
}
export declare function apple(first: string, second: Inner, third: Record<string, readonly number[]>,
    fourth: boolean): Inner;
export {};
// What these refer to.
interface Inner {
    x: 1;
}
`);
});
