// node tools/wrap-strings.mjs [FILE...]: splits strings on lines over 160 characters into parts joined by `+`, which
// the formatter never does. Run npx oxfmt afterwards. Lists the long lines that must be changed by hand.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { root } from './root-folder.mjs';

const longestLine = 160;
const longestPart = 100;

const tracked = () => execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], { cwd: root, encoding: 'utf8' });
const files = process.argv.length > 2 ? process.argv.slice(2) : tracked().split('\n').filter(Boolean);
for (const file of files) {
  if (file.startsWith('packages/server/test/fixtures/')) continue;
  const path = join(root, file);
  const before = readFileSync(path, 'utf8');
  if (longLines(before).length === 0) continue;
  const after = wrap(file, before);
  if (after !== before) writeFileSync(path, after);
  for (const at of longLines(after)) process.stdout.write(`${file}:${at + 1}: left as it is\n`);
}

function longLines(source) {
  return source.split('\n').flatMap((line, at) => (line.length > longestLine ? [at] : []));
}

function wrap(file, source) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0].message}`);
  const edits = [];
  collect(source, program, undefined, edits);
  let text = source;
  for (const { start, end, replacement } of edits.sort((a, b) => b.start - a.start)) {
    text = text.slice(0, start) + replacement + text.slice(end);
  }
  return text;
}

/**
 * Collects the edits. Strings nested in a string that is split are not split themselves, so that expressions in it stay
 * unchanged.
 */
function collect(source, node, parent, edits) {
  const parts = mayBreak(node, parent) && isOnLongLine(source, node) ? partsOf(source, node) : [];
  if (parts.length > 1) {
    const joined = parts.join(' +\n');
    const [open, close] = parent.type === 'JSXAttribute' ? ['{', '}'] : isTight(node, parent) ? ['(', ')'] : ['', ''];
    edits.push({ start: node.start, end: node.end, replacement: open + joined + close });
    return;
  }
  for (const value of Object.values(node).flat()) {
    if (value !== null && typeof value?.type === 'string') collect(source, value, node, edits);
  }
}

function mayBreak(node, parent) {
  if (node.type !== 'TemplateLiteral' && !(node.type === 'Literal' && typeof node.value === 'string')) return false;
  if (/^(Import|Export)|^TS(Literal|Template)|TaggedTemplate|ExpressionStatement/.test(parent.type)) return false;
  return !(parent.type === 'Property' && parent.key === node);
}

/** Returns whether the string needs parentheses, because the surrounding expression binds more tightly than `+`. */
function isTight(node, parent) {
  if (parent.type === 'MemberExpression') return parent.object === node;
  return /^(TSAs|TSSatisfies|TSNonNull|Await|Unary)/.test(parent.type);
}

function isOnLongLine(source, node) {
  const text = source.slice(node.start, node.end);
  if (text.length < 60 || text.includes('\n')) return false;
  const from = source.lastIndexOf('\n', node.start) + 1;
  const to = source.indexOf('\n', node.end);
  return (to < 0 ? source.length : to) - from > longestLine;
}

function partsOf(source, node) {
  const quote = source[node.start];
  const isMarkup = /<.*>/.test(source.slice(node.start, node.end));
  const best = isMarkup ? /^(?:>|\\n)$/ : /^(?: |\\n)$/;
  const parts = [];
  let part = '';
  let ends = { best: 0, next: 0 };
  for (const piece of piecesOf(source, node)) {
    if (part.length + piece.length > longestPart && part !== '') {
      // A text without word boundaries, such as Chinese, may be cut anywhere.
      const cut = ends.best || ends.next || part.length;
      parts.push(part.slice(0, cut));
      part = part.slice(cut);
      ends = { best: 0, next: 0 };
    }
    part += piece;
    if (best.test(piece)) ends.best = part.length;
    else if (/^[ ,]$|^\$\{/.test(piece)) ends.next = part.length;
  }
  if (part !== '') parts.push(part);
  return parts.map((text) => (quote === '`' && !text.includes('${') ? plain(text) : quote + text + quote));
}

/** Writes a part of a template as a plain string if possible. */
function plain(text) {
  if (text.includes("'") || text.includes('\\')) return `\`${text}\``;
  return `'${text}'`;
}

/** Splits a template or string into its indivisible pieces: an embedded expression, an escape, or a character. */
function piecesOf(source, node) {
  const pieces = [];
  const characters = (from, to) => {
    pieces.push(...source.slice(from, to).match(/\\u\{[^}]*\}|\\u.{4}|\\x..|\\.|[^\\]/gsu));
  };
  let at = node.start + 1;
  for (const { start, end } of node.expressions ?? []) {
    const open = source.lastIndexOf('${', start);
    const close = source.indexOf('}', end) + 1;
    if (open > at) characters(at, open);
    pieces.push(source.slice(open, close));
    at = close;
  }
  if (at < node.end - 1) characters(at, node.end - 1);
  return pieces;
}
