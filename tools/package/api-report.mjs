// Prints the public API for review: a declaration file without comments and private members, sorted by name.
import { childrenOf, parse } from './declarations.mjs';

export function apiReport(entry, declarations) {
  const { body, comments } = parse(declarations, `${entry}.d.ts`);
  const removed = [...comments, ...body.flatMap((node) => privateMembersIn(node))].toSorted(
    (a, b) => a.start - b.start,
  );
  const statements = body.map((node) => ({
    name: nameOf(node),
    isPublic: node.type === 'ExportNamedDeclaration',
    text: without(removed, declarations, node),
  }));
  const sorted = statements.toSorted((a, b) => compare(a.name, b.name));
  const exported = sorted.filter(({ isPublic }) => isPublic).map(({ text }) => text);
  const others = sorted.filter(({ isPublic }) => !isPublic).map(({ text }) => text);
  return [
    `// What sheaf/${entry} exports. Written by npm run docs; a change here is a change for everybody who uses it.`,
    ...exported,
    ...(others.length === 0 ? [] : ['// What these refer to.', ...others]),
    '',
  ].join('\n');
}

function nameOf({ declaration, ...node }) {
  const declared = declaration ?? node;
  return declared.id?.name ?? declared.declarations?.[0].id.name ?? '~';
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Returns the private members in a declaration. A private constructor is excluded, because it shows that a class cannot
 * be created with `new`.
 */
function privateMembersIn(node) {
  const isPrivate =
    (node.accessibility === 'private' && node.kind !== 'constructor') || node.key?.type === 'PrivateIdentifier';
  return isPrivate ? [node] : childrenOf(node).flatMap(privateMembersIn);
}

function without(removed, text, { start, end }) {
  let result = '';
  let at = start;
  for (const range of removed) {
    if (range.start < at || range.end > end) continue;
    result += text.slice(at, range.start);
    at = range.end;
  }
  result += text.slice(at, end);
  return result
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(fold)
    .join('\n');
}

const width = 120;

/** Breaks a long line after commas or before `|`. */
function fold(line) {
  const indent = /^ */.exec(line)[0];
  const rows = [];
  let rest = line;
  while (rest.length > width) {
    const head = rest.slice(0, width);
    const at = Math.max(head.lastIndexOf(', ') + 1, head.lastIndexOf(' | '));
    if (at <= indent.length + 4) break;
    rows.push(rest.slice(0, at));
    rest = `${indent}    ${rest.slice(at).trimStart()}`;
  }
  return [...rows, rest].join('\n');
}
