/**
 * Import rules as functions that return violations in source files. `architecture.test.ts` applies them to all packages
 * and checks that each rule detects a violation.
 */
import { readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A source file. `name` is the package and the path below src/, e.g. `server/modules/note/index.ts`. */
export interface SourceFile {
  readonly name: string;
  readonly text: string;
}

interface Import {
  readonly target: string;
  readonly isType: boolean;
  readonly isReexport: boolean;
}

interface Rule {
  readonly in: RegExp;
  /** Pattern of the files that files matching `in` may import. */
  readonly may: RegExp;
  readonly because: string;
}

const modules = readdirSync(new URL('../../packages/server/src/modules', import.meta.url));

/** Returns whether files of one module of the server may import files of the other. */
export function mayReachModule(one: string, other: string): boolean {
  return one === other || (one === 'manage' && other === 'sheet');
}

/** Layers of the engine, lowest first. A layer may import itself and lower layers. */
export const layers = [
  'base',
  'numerics',
  'store',
  'functions',
  'formula',
  'graph',
  'workbook',
  'document',
  'mutations',
  'history',
];

/** Import rules by folder. For each file, the first rule whose `in` matches applies. */
const rules: readonly Rule[] = [
  ...layers.map((layer, index) => ({
    in: new RegExp(`^engine/${layer}/`),
    may: new RegExp(`^engine/(${layers.slice(0, index + 1).join('|')})/`),
    because: `The engine's layers stand on each other: ${layer} imports itself and the layers below it.`,
  })),
  { in: /^server\/lib\//, may: /^server\/lib\//, because: 'lib/ holds small helpers that depend on nothing.' },
  {
    in: /^server\/ports\//,
    may: /^server\/(ports|lib)\//,
    because: 'Ports are interfaces; they know neither modules nor adapters.',
  },
  {
    in: /^server\/kernel\//,
    may: /^server\/((kernel|ports|lib)\/|context\.ts$)/,
    because: 'The kernel knows no module, adapter or transport.',
  },
  {
    in: /^server\/adapters\//,
    may: /^server\/((adapters|ports|lib)\/|kernel\/metrics\.ts$)/,
    because: 'Adapters implement ports; they know no module or transport.',
  },
  {
    in: /^server\/transports\/cli\//,
    may: new RegExp(
      '^server/((transports|kernel|ports|lib|import|adapters/(backup|doctor|embedding))/|' +
        String.raw`(app|app/open-(database|blobs|model)|config|context|modules|version|initial-owner)\.ts$)`,
    ),
    because: 'The command line ties the app to a terminal.',
  },
  {
    in: /^server\/transports\//,
    may: /^server\/((transports|kernel|ports|lib)\/|(app|context|version|config)\.ts$)/,
    because: 'Transports turn requests into invoke(); they know no module by name.',
  },
  {
    in: /^server\/import\//,
    may: /^server\/((import|lib|ports|adapters\/web)\/|version\.ts$)/,
    because: 'An import is a client of a running server: it knows its operations by name and nothing of its inside.',
  },
  ...modules.map((name) => ({
    in: new RegExp(`^server/modules/${name}/`),
    may: new RegExp(
      `^server/((modules/(${modules.filter((other) => mayReachModule(name, other)).join('|')})|kernel|ports|lib)/|` +
        String.raw`(context|config)\.ts$)`,
    ),
    because: 'Modules never import each other or an adapter; they meet in Context.',
  })),
];

const outbound = new RegExp(
  [
    String.raw`(?<![.\w])fetch\s*\((?![^)]*\)\s*:)`,
    String.raw`^import (?!type|\{ (createServer|IncomingMessage|maxHeaderSize)(, type \w+)* \})[^;]*from '(undici|node:https?)'`,
    String.raw`\bhttps?\.(request|get)\s*\(`,
  ].join('|'),
  'm',
);
const mayCallOut = /^(server\/(adapters\/(web|blob|nodes|tracing)|import|transports\/cli)|client|web)\//;

const impure: readonly (readonly [RegExp, string])[] = [
  [/from 'node:/, 'the platform'],
  [/\bDate\.now\b|\bnew Date\(\)|performance\.now/, 'a clock'],
  [/Math\.random/, 'chance'],
  [/\bawait\b|\basync\b/, 'await'],
  [/from 'zod'/, 'zod'],
  [/\beval\(|new Function\(/, 'eval'],
];

/** Files that may re-export: index files, entry points of the engine, and files whose purpose is to list others. */
const mayReexport =
  /\/index\.ts$|^engine\/\w[\w-]*-entry\.ts$|^engine\/mutations\/all-mutation-kinds\.ts$|^engine\/history\/snapshot\.ts$|^files\/xml\/sax\.ts$/;

function importsOf({ name, text }: SourceFile): Import[] {
  const pattern = /(?:^|\n)\s*(import|export)\s+(type\s+)?(?:([^'";]*?)\sfrom\s+)?'([^']+)'|import\('([^']+)'\)/g;
  return [...text.matchAll(pattern)].map(([, word, isTypeImport, names, statically, lazily]) => ({
    target: targetOf(name, (statically ?? lazily)!),
    isType: isTypeImport !== undefined || (names !== undefined && onlyTypes(names)),
    isReexport: word === 'export',
  }));
}

/**
 * Returns the file that an import refers to. A package import is returned as written, except that `@sheaf/server/`
 * becomes `server/`.
 */
function targetOf(name: string, specifier: string): string {
  if (specifier.startsWith('.')) return normalize(join(dirname(name), specifier));
  return specifier.replace(/^@sheaf\/server\//, 'server/');
}

function onlyTypes(names: string): boolean {
  const list = /^\{([\s\S]*)\}$/
    .exec(names.trim())?.[1]
    ?.split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  return list !== undefined && list.length > 0 && list.every((one) => one.startsWith('type '));
}

export function directionFaults(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const rule = rules.find((candidate) => candidate.in.test(file.name));
    if (!rule) return [];
    const within = `${file.name.split('/')[0]}/`;
    const wrong = importsOf(file).filter(({ target }) => target.startsWith(within) && !rule.may.test(target));
    return wrong.map(({ target }) => `${file.name} imports ${target}. ${rule.because}`);
  });
}

/** Dependencies declared in the manifest (package.json) of each package. */
export type Manifests = Readonly<Record<string, readonly string[]>>;

/**
 * Returns imports of undeclared packages, which resolve only because npm hoists them, and relative imports of other
 * packages, which bypass their `exports`.
 */
export function manifestFaults(files: readonly SourceFile[], manifests: Manifests): string[] {
  return files.flatMap((file) => {
    const [own] = file.name.split('/');
    const declared = new Set(manifests[own!]);
    return importsOf(file).flatMap(({ target, isType }) => {
      if (target.startsWith(`${own}/`) || target.startsWith('node:')) return [];
      if (target.startsWith('.') || target in manifests) return [`${file.name} leaves its package for ${target}`];
      const name = packageOf(target, manifests);
      // The package `client` uses only types of other packages. Type imports leave no code, so it need not declare
      // those packages as dependencies.
      if (own === 'client' && isType) return [];
      return declared.has(name) ? [] : [`${file.name} imports ${name}, which its package.json does not name`];
    });
  });
}

function packageOf(target: string, manifests: Manifests): string {
  const [first, second] = target.split('/');
  if (manifests[first!]) return `@sheaf/${first}`;
  return first!.startsWith('@') ? `${first}/${second}` : first!;
}

export function clientFaults(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ name }) => name.startsWith('client/'))
    .flatMap((file) => importsOf(file).filter(({ target, isType }) => !target.startsWith('client/') && !isType))
    .map(({ target }) => `the client imports ${target} for more than its types`);
}

export function purityFaults(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ name }) => name.startsWith('engine/') && name.endsWith('.ts'))
    .flatMap((file) => {
      const code = withoutComments(file.text);
      return impure
        .filter(([pattern]) => pattern.test(code))
        .map(
          ([, what]) =>
            `${file.name} uses ${what}. The engine is pure: the same input gives the same result everywhere.`,
        );
    });
}

export function outboundFaults(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ name, text }) => !mayCallOut.test(name) && outbound.test(withoutComments(text)))
    .map(({ name }) => `${name} makes outbound requests; only the egress module, the blob store and our client do`);
}

export function exportFaults(files: readonly SourceFile[]): string[] {
  const inSource = files.filter(({ name }) => !name.startsWith('web/'));
  return [
    ...inSource.filter(({ text }) => /\bexport default\b/.test(text)).map(({ name }) => `${name} has a default export`),
    ...inSource
      .filter((file) => !mayReexport.test(file.name) && importsOf(file).some(({ isReexport }) => isReexport))
      .map(({ name }) => `${name} hands on what another file defines; import it from there`),
  ];
}

export function namingFaults(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ name }) => !name.startsWith('web/'))
    .filter(({ name }) => {
      const base = name
        .split('/')
        .at(-1)!
        .replace(/\.tsx?$/, '');
      const isOperation = /\/(operations|extensions|legacy)\//.test(name);
      return isOperation ? !/^[a-z][a-z0-9_]*$/.test(base) : !/^[a-z0-9-]+$/.test(base);
    })
    .map(({ name }) => `${name}: files are kebab-case, operations have their wire name`);
}

const moduleName = modules.join('|');

/**
 * Matches code that refers to a module of the server (such as wiki or note) by the module's name, its service, or one
 * of its error codes.
 */
const namesModule = new RegExp(
  [
    String.raw`['"\x60](?:${moduleName})(?:['"\x60]|[:._/$-][\w$]*)`,
    String.raw`/(?:${moduleName})/`,
    String.raw`\bservices\.(?:wiki|notes|sheets|documents|noteReader|sharedNotes)\b`,
    String.raw`\b(?:20|11|21|31|41)\d{3,4}\b`,
  ].join('|'),
);

/**
 * Returns a message for each kernel or transport file that refers to a module. These files must not know single
 * modules: a module declares what they need, so that adding a module changes only `modules.ts`.
 */
export function namedModuleFaults(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ name, text }) => /^server\/(kernel|transports)\//.test(name) && namesModule.test(codeOf(text)))
    .map(
      ({ name, text }) => `${name} names a module (${namesModule.exec(codeOf(text))![0]}): let the module declare it`,
    );
}

/** Returns the code without comments and imports. The rules about imports are checked elsewhere. */
function codeOf(text: string): string {
  return withoutComments(text).replace(/^import [^;]*;$/gm, '');
}

const refusal = /new (?:\w+Refused|DocumentTooLarge|QuotaExceeded|\w+Failed)\([^;]*/g;
const literal = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const fieldFirst = /^.[a-z]+(?:_[a-z]+)+: /;

/**
 * Files that may join the database tables of members and grants, because they list grants (to whom, by whom, when)
 * instead of checking access.
 */
const aboutGrants = /^server\/adapters\/sql\/(?:permissions|inbox)\//;
const accessJoin = /\bJOIN\s+(?:wiki_member|document_member|share_grant|group_member)\b/;

/**
 * Returns a message for each file that checks access by joining the database tables of members and grants itself. Such
 * a query would miss some of the ways in which a document or a knowledge base can be shared.
 */
export function accessFaults(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ name }) => name.startsWith('server/') && !aboutGrants.test(name))
    .filter(({ text }) => accessJoin.test(withoutComments(text)))
    .map(
      ({ name }) =>
        `${name} joins a table of members or grants: use grantedObjects or grantedLevel of permissions/grants.ts`,
    );
}

/**
 * Returns a message for each full sentence in errors that adapters and ports create. Adapters and ports must give a
 * reason and values instead; the modules write the messages for API callers.
 */
export function sentenceFaults(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ name }) => /^server\/(adapters|ports)\//.test(name))
    .flatMap(({ name, text }) => {
      const code = withoutComments(text);
      const said = (code.match(refusal) ?? []).flatMap((one) => one.match(literal) ?? []);
      const found = [
        ...said.filter((one) => / /.test(one.replace(/\$\{[^}]*\}/g, ''))),
        ...(code.match(literal) ?? []).filter((one) => fieldFirst.test(one)),
      ];
      return found.map(
        (one) => `${name} writes ${one}: refuse with a reason and values, the module writes the sentence`,
      );
    });
}

/** Disallowed words (`not`), and the files in which they are allowed (`but`). */
const names: readonly { not: RegExp; but: RegExp; because: string }[] = [
  {
    not: /\bcosKey\b/,
    // The field name `cosKey` is part of encrypted tokens. Servers of other releases that share the database read these
    // tokens, so this file keeps the name.
    but: /^server\/adapters\/uploads\/sealed-upload-credential-issuer\.ts$/,
    because: 'the key of stored bytes is a blobKey; cos_key is a word of the wire and of the tables',
  },
  {
    not: /\b(mediaType|media_type)\b(\)|\b)\s*([!=<>]=*|IN\s*\(|:)\s*\d|\[\d+(, \d+)*\]\.includes\([\w.]*(mediaType|media_type)\b/,
    // Released migrations must never change, so the rule exempts them.
    but: /^server\/adapters\/sql\/migrations\//,
    because: 'a media type is named: mediaNumber.note, not its number',
  },
];

export function synonymFaults(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ name, text }) =>
    names
      .filter(({ not, but }) => !but.test(name) && not.test(withoutComments(text)))
      .map(({ because }) => `${name}: ${because}`),
  );
}

/** Returns import cycles. Type-only imports are ignored, because they do not exist at run time. */
export function cycleFaults(files: readonly SourceFile[]): string[] {
  const names = new Set(files.map(({ name }) => name));
  const loads = new Map(
    files.map((file) => [
      file.name,
      importsOf(file)
        .filter(({ target, isType }) => !isType && names.has(target))
        .map(({ target }) => target),
    ]),
  );
  const number = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const cycles: string[] = [];
  // Tarjan's algorithm for strongly connected components. A component of several files is a cycle.
  const visit = (name: string): void => {
    number.set(name, number.size);
    lowest.set(name, number.get(name)!);
    stack.push(name);
    onStack.add(name);
    for (const next of loads.get(name) ?? []) {
      if (!number.has(next)) {
        visit(next);
        lowest.set(name, Math.min(lowest.get(name)!, lowest.get(next)!));
      } else if (onStack.has(next)) lowest.set(name, Math.min(lowest.get(name)!, number.get(next)!));
    }
    if (lowest.get(name) !== number.get(name)) return;
    const group = stack.splice(stack.lastIndexOf(name));
    for (const one of group) onStack.delete(one);
    if (group.length > 1) cycles.push(`these import each other: ${group.toSorted().join(', ')}`);
  };
  for (const { name } of files) if (!number.has(name)) visit(name);
  return cycles;
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}
