/** A highlighted range of source code; `from` and `to` are character offsets. */
export interface SyntaxToken {
  readonly from: number;
  readonly to: number;
  readonly kind: 'comment' | 'string' | 'number' | 'keyword';
}

const keywords = new Set(
  (
    'abstract and as async await begin break case catch class const continue def default defer delete do done elif else ' +
    'elsif end enum except export extends extern false fi final finally fn for foreach from func function global go if ' +
    'impl implements import in instanceof interface is lambda let local loop match mod module mut namespace new nil none ' +
    'not null of operator or package pass private protected pub public raise readonly record return select self ' +
    'static struct super switch then this throw throws trait true try type typeof undefined union unless until use using ' +
    'var virtual void when where while with yield'
  ).split(' '),
);
/** SQL keywords in lower case. A word of the code is converted to lower case before the lookup. */
const statements = new Set(
  (
    'select from where insert into values update set delete create table index view drop alter join left right inner outer ' +
    'on group by order having limit offset union all distinct as and or not null is in exists case when then else end ' +
    'primary key references unique default with'
  ).split(' '),
);

const slashes = String.raw`\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`;
const hashes = String.raw`#[^\n]*`;
const dashes = String.raw`--[^\n]*`;
const tags = String.raw`<!--[\s\S]*?(?:-->|$)`;

/** Regular expressions for comments, by language name. Code in other languages is not highlighted. */
const comments: Readonly<Record<string, string>> = Object.fromEntries(
  [
    [
      'js jsx ts tsx javascript typescript java c h cpp c++ cs csharp go rust rs swift kotlin scala php dart json json5 css scss',
      slashes,
    ],
    ['py python sh bash zsh shell ruby rb perl r yaml yml toml ini make makefile dockerfile elixir', hashes],
    ['sql lua haskell hs', dashes],
    ['html xml svg vue', tags],
  ].flatMap(([names, pattern]) => names!.split(' ').map((name) => [name, pattern!])),
);

/** Maximum length of code that is highlighted, in characters. */
const longest = 50_000;

/**
 * Returns the comments, strings, numbers and keywords of the code. Returns an empty list if the language is unknown or
 * the code is too long.
 */
export function tokenizeCode(code: string, language: string | undefined): SyntaxToken[] {
  const name = (language ?? '').toLowerCase();
  const comment = Object.hasOwn(comments, name) ? comments[name] : undefined;
  if (comment === undefined || code.length > longest) return [];
  const words = name === 'sql' ? statements : keywords;
  // The alternatives start with different characters and have no lookbehind, so matching takes linear time.
  const pattern = new RegExp(
    `(?<comment>${comment})|(?<string>"(?:[^"\\\\\\n]|\\\\.)*"?|'(?:[^'\\\\\\n]|\\\\.)*'?|\`(?:[^\`\\\\]|\\\\[\\s\\S])*\`?)` +
      '|(?<number>\\b\\d[\\w.]*)|(?<word>[A-Za-z_]\\w*)',
    'g',
  );
  const parts: SyntaxToken[] = [];
  for (const found of code.matchAll(pattern)) {
    const { comment: isComment, string, number, word } = found.groups!;
    if (word !== undefined && !words.has(name === 'sql' ? word.toLowerCase() : word)) continue;
    const kind =
      isComment !== undefined
        ? 'comment'
        : string !== undefined
          ? 'string'
          : number !== undefined
            ? 'number'
            : 'keyword';
    parts.push({ from: found.index, to: found.index + found[0].length, kind });
  }
  return parts;
}
