import { functionNamed } from '../functions/index.ts';
import type { Node } from './ast.ts';
import { EMPTY_SCOPE, compile } from './compile.ts';
import type { Eval } from './invoke.ts';
import type { Part } from './lexer.ts';
import { parseFormula } from './parser.ts';
import { printRef, refKey, resolveRef } from './reference.ts';
import type { RefPart, SheetNames } from './reference.ts';

/** A formula without its place: shared by all cells that say the same relative to themselves. */
export class Template {
  readonly id: number;
  readonly ast: Node;
  readonly parts: readonly Part[];
  readonly refs: readonly RefPart[];
  /** Upper-case names used, functions of LET and LAMBDA included. */
  readonly names: readonly string[];
  readonly volatile: boolean;
  /** References it reaches are not all written in it (INDIRECT, OFFSET, `:` between results). */
  readonly wandering: boolean;
  readonly subtotal: boolean;
  /** Its result depends on where it or its precedents stand, not only on their values. */
  readonly positional: boolean;
  /** Number of nodes: what one computation costs. */
  readonly weight: number;
  /** Ranges give arrays; false in formulas of older workbooks. */
  readonly lift: boolean;
  private compiled: Eval | undefined;

  constructor(id: number, ast: Node, parts: readonly Part[], lift: boolean) {
    this.id = id;
    this.ast = ast;
    this.parts = parts;
    this.lift = lift;
    this.refs = parts.filter((part) => typeof part !== 'string');
    const facts = inspect(ast);
    this.names = [...facts.names];
    this.volatile = facts.volatile;
    this.wandering = facts.wandering;
    this.subtotal = facts.subtotal;
    this.weight = facts.weight;
    this.positional = facts.positional || this.names.length > 0 || (!lift && this.refs.some((ref) => ref.shape !== 'cell'));
  }

  get run(): Eval {
    this.compiled ??= compile(this.ast, EMPTY_SCOPE, this.lift);
    return this.compiled;
  }

  /** The formula as text at a place, with its `=`. */
  text(row: number, col: number, names: SheetNames): string {
    let out = '=';
    for (const part of this.parts) out += typeof part === 'string' ? part : printRef(part, row, col, names);
    return out;
  }
}

interface Facts {
  readonly names: Set<string>;
  volatile: boolean;
  wandering: boolean;
  subtotal: boolean;
  positional: boolean;
  weight: number;
}

const POSITIONAL = new Set(['ROW', 'COLUMN', 'CELL', 'FORMULATEXT', 'ISFORMULA', 'SHEET', 'SHEETS', 'SUBTOTAL', 'AGGREGATE']);
const WANDERING = new Set(['INDIRECT', 'OFFSET']);

function inspect(ast: Node): Facts {
  const facts: Facts = { names: new Set(), volatile: false, wandering: false, subtotal: false, positional: false, weight: 0 };
  const visit = (node: Node): void => {
    facts.weight++;
    switch (node.type) {
      case 'name':
        facts.names.add(node.name.toUpperCase());
        break;
      case 'call': {
        const definition = functionNamed(node.name);
        if (!definition) facts.names.add(node.name);
        if (definition?.options.volatile) facts.volatile = true;
        if (POSITIONAL.has(node.name)) facts.positional = true;
        if (WANDERING.has(node.name)) {
          facts.wandering = true;
          facts.volatile = true;
        }
        if (node.name === 'SUBTOTAL' || node.name === 'AGGREGATE') facts.subtotal = true;
        node.args.forEach(visit);
        break;
      }
      case 'apply':
        visit(node.target);
        node.args.forEach(visit);
        break;
      case 'single':
        facts.positional = true;
        visit(node.arg);
        break;
      case 'unary':
      case 'percent':
        visit(node.arg);
        break;
      case 'spilled':
        facts.wandering = true;
        visit(node.arg);
        break;
      case 'binary':
      case 'intersection':
        visit(node.left);
        visit(node.right);
        break;
      case 'span':
        facts.wandering = true;
        facts.volatile = true;
        visit(node.left);
        visit(node.right);
        break;
      case 'union':
        node.items.forEach(visit);
        break;
      default:
        break;
    }
  };
  visit(ast);
  return facts;
}

/** All templates of a workbook. Ids start at 1. */
export class Templates {
  private readonly byKey = new Map<string, Template>();
  private readonly byId: (Template | undefined)[] = [undefined];
  private readonly names: SheetNames;
  private recent: Template | undefined;

  constructor(names: SheetNames) {
    this.names = names;
  }

  get(id: number): Template | undefined {
    return this.byId[id];
  }

  all(): Template[] {
    return this.byId.filter((template) => template !== undefined);
  }

  /** The template of formula text at a place. Throws FormulaSyntaxError. */
  of(text: string, row: number, col: number, lift = true): Template {
    const recent = this.recent;
    if (recent && recent.lift === lift && matches(recent, text, row, col)) return recent;
    const { ast, parts } = parseFormula(text, row, col, this.names);
    const key = keyOf(parts, lift);
    let template = this.byKey.get(key);
    if (!template) {
      template = new Template(this.byId.length, ast, parts, lift);
      this.byId.push(template);
      this.byKey.set(key, template);
    }
    this.recent = template;
    return template;
  }

  /** The template with these parts, for a formula at a place. */
  ofParts(parts: readonly Part[], row: number, col: number, lift: boolean): Template {
    const known = this.byKey.get(keyOf(parts, lift));
    if (known) return known;
    let text = '=';
    for (const part of parts) text += typeof part === 'string' ? part : printRef(part, row, col, this.names);
    return this.of(text, row, col, lift);
  }

  /** The same formula as if copied from its cell to another: relative references move along. */
  moved(template: Template, row: number, col: number): Template {
    for (const ref of template.refs) {
      const rect = resolveRef(ref, row, col);
      if (!rect || rect.top > rect.bottom || rect.left > rect.right) {
        if (ref.shape === 'lost') continue;
        return this.of(template.text(row, col, this.names), row, col, template.lift);
      }
    }
    return template;
  }
}

function keyOf(parts: readonly Part[], lift: boolean): string {
  let key = lift ? '' : '@';
  for (const part of parts) key += typeof part === 'string' ? part : `\u0001${refKey(part)}\u0002`;
  return key;
}

/** Whether `text` at this place is `template`, without reading it as a formula: filled columns come here. */
function matches(template: Template, text: string, row: number, col: number): boolean {
  let at = text.charCodeAt(0) === 61 ? 1 : 0;
  const { parts } = template;
  for (let p = 0; p < parts.length; p++) {
    const part = parts[p] as Part;
    if (typeof part === 'string') {
      if (!text.startsWith(part, at)) return false;
      at += part.length;
      continue;
    }
    if (part.sheet !== undefined || (part.shape !== 'cell' && part.shape !== 'area')) return false;
    at = cornerAt(text, at, part.top, part.topAbs, row, part.left, part.leftAbs, col);
    if (at < 0) return false;
    if (part.shape === 'area') {
      if (text.charCodeAt(at) !== 58) return false;
      at = cornerAt(text, at + 1, part.bottom, part.bottomAbs, row, part.right, part.rightAbs, col);
      if (at < 0) return false;
      const top = part.topAbs ? part.top : part.top + row;
      const bottom = part.bottomAbs ? part.bottom : part.bottom + row;
      const left = part.leftAbs ? part.left : part.left + col;
      const right = part.rightAbs ? part.right : part.right + col;
      if (top > bottom || left > right) return false;
    }
    if (isWordCode(text.charCodeAt(at))) return false;
  }
  return at === text.length;
}

function isWordCode(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function cornerAt(
  text: string, from: number,
  top: number, topAbs: boolean, row: number,
  left: number, leftAbs: boolean, col: number,
): number {
  let at = from;
  if (leftAbs) {
    if (text.charCodeAt(at) !== 36) return -1;
    at++;
  }
  let n = 0;
  let code = text.charCodeAt(at);
  while (code >= 65 && code <= 90) {
    n = n * 26 + code - 64;
    code = text.charCodeAt(++at);
  }
  if (n - 1 !== (leftAbs ? left : left + col)) return -1;
  if (topAbs) {
    if (code !== 36) return -1;
    code = text.charCodeAt(++at);
  }
  if (code === 48) return -1;
  n = 0;
  while (code >= 48 && code <= 57) {
    n = n * 10 + code - 48;
    code = text.charCodeAt(++at);
  }
  return n - 1 === (topAbs ? top : top + row) ? at : -1;
}
