import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/** The design's table of who may import whom, executable. The first rule whose `in` matches a file is the file's rule. */
const root = resolve(fileURLToPath(new URL('..', import.meta.url)));
const modulesList = ['account', 'note', 'wiki', 'sheet', 'manage'];

interface Rule {
  in: RegExp;
  /** What it may import, as paths below src/. */
  may: RegExp;
  because: string;
}

const rules: Rule[] = [
  {
    in: /^sheet\/engine\//,
    may: /^sheet\/engine\//,
    because: 'The engine is pure and stands alone: it imports nothing but itself.',
  },
  { in: /^formats\//, may: /^(formats|lib)\//, because: 'Decoders are pure: bytes in, text out.' },
  { in: /^lib\//, may: /^lib\//, because: 'lib/ holds small helpers that depend on nothing.' },
  {
    in: /^ports\//,
    may: /^(ports|lib|formats)\//,
    because:
      'Ports are interfaces only; they know neither modules nor adapters (the parser port names what decoders give).',
  },
  {
    in: /^operation\//,
    may: /^(operation|ports|lib)\/|^context\.ts$/,
    because: 'The kernel knows no module, adapter or transport.',
  },
  {
    in: /^adapters\//,
    may: /^(adapters|ports|lib|formats)\/|^operation\/metrics\.ts$|^sheet\/engine\//,
    because: 'Adapters implement ports; they know no module or transport.',
  },
  {
    in: /^transports\/cli\//,
    may: /^(transports|operation|ports|lib|client|adapters\/backup)\/|^(app|config|context|modules|version|first-start)\.ts$/,
    because: 'The command line ties the app to a terminal.',
  },
  {
    in: /^transports\//,
    may: /^(transports|operation|ports|lib)\/|^(app|context|version|config)\.ts$/,
    because: 'Transports turn requests into invoke(); they know no module by name.',
  },
  {
    in: /^client\//,
    may: /^client\/|^modules\.ts$/,
    because: 'The client runs in a browser: it may import nothing of the server but types.',
  },
  ...modulesList.map((name) => ({
    in: new RegExp(`^${name}/`),
    may: new RegExp(
      `^(${name}|operation|ports|lib|formats)/|^(context|config)\\.ts$${name === 'manage' ? '|^sheet/' : ''}`,
    ),
    because: 'Modules never import each other or an adapter; they meet in Context.',
  })),
];

const serverOnly = /\{ (createServer|IncomingMessage)(, type \w+)* \}/.source;
const outbound = new RegExp(
  String.raw`(?<![.\w])fetch\s*\((?![^)]*\)\s*:)|^import (?!type|${serverOnly})[^;]*from '(undici|node:https?)'|` +
    String.raw`\bhttps?\.(request|get)\s*\(`,
  'm',
);
const mayCallOut = /^adapters\/(web|blob)\/|^client\/|^transports\/cli\//;

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

const files = sources(join(root, 'src')).map((path) => ({
  path,
  name: relative(join(root, 'src'), path),
  text: readFileSync(path, 'utf8'),
}));

function importsOf(file: { path: string; text: string }): { target: string; typeOnly: boolean }[] {
  const found: { target: string; typeOnly: boolean }[] = [];
  const pattern = /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'|import\('(\.[^']+)'\)/g;
  for (const match of file.text.matchAll(pattern)) {
    const specifier = match[2] ?? match[3]!;
    found.push({
      target: relative(join(root, 'src'), resolve(dirname(file.path), specifier)),
      typeOnly: match[1] !== undefined,
    });
  }
  return found;
}

describe('architecture', () => {
  test('imports follow the direction of the design', () => {
    const faults: string[] = [];
    for (const file of files) {
      const rule = rules.find((candidate) => candidate.in.test(file.name));
      if (!rule) continue;
      for (const { target } of importsOf(file)) {
        if (!rule.may.test(target)) faults.push(`src/${file.name} imports src/${target}. ${rule.because}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test('the client imports only types of the server', () => {
    const faults = files
      .filter((file) => file.name.startsWith('client/'))
      .flatMap((file) => importsOf(file).filter(({ target, typeOnly }) => !target.startsWith('client/') && !typeOnly));
    expect(faults).toEqual([]);
  });

  test('the engine is pure: no platform, no clock, no chance, no packages but pure ones', () => {
    const faults: string[] = [];
    for (const file of files.filter(({ name }) => name.startsWith('sheet/engine/'))) {
      const code = file.text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      for (const [pattern, what] of [
        [/from 'node:/, 'the platform'],
        [/\bDate\.now\b|\bnew Date\(\)|performance\.now/, 'a clock'],
        [/Math\.random/, 'chance'],
        [/\bawait\b|\basync\b/, 'await'],
        [/from 'zod'/, 'zod'],
        [/\beval\(|new Function\(/, 'eval'],
      ] as const) {
        if (pattern.test(code))
          faults.push(
            `src/${file.name} uses ${what}. The engine is pure: the same input gives the same result on every machine.`,
          );
      }
    }
    expect(faults).toEqual([]);
  });

  test('[T12] only the egress module, the blob store and our own client make outbound requests', () => {
    const faults = files
      .filter(
        (file) => outbound.test(file.text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')) && !mayCallOut.test(file.name),
      )
      .map((file) => `src/${file.name}`);
    expect(faults).toEqual([]);
  });

  test("no default exports, and barrels only as a module's index.ts", () => {
    const faults = files.filter((file) => /\bexport default\b/.test(file.text)).map((file) => `src/${file.name}`);
    expect(faults).toEqual([]);
  });

  test('folders are kebab-case, operation files have wire names', () => {
    const faults = files
      .filter(({ name }) => {
        const base = name
          .split('/')
          .at(-1)!
          .replace(/\.tsx?$/, '');
        const isOperation = /\/(operations|extensions)\//.test(name);
        return isOperation ? !/^[a-z][a-z0-9_]*$/.test(base) : !/^[a-z0-9-]+$/.test(base);
      })
      .map(({ name }) => `src/${name}`);
    expect(faults).toEqual([]);
  });
});
