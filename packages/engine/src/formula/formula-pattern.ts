import { functionNamed } from '../functions/index.ts';
import type { Node } from './ast.ts';
import { emptyVariableScope, compile } from './compile.ts';
import type { Eval } from './compile-call.ts';
import { isRef, type PatternPart } from './token.ts';
import { arraySizeOf, fileModeOf, type ArraySize, type Mode } from './array-evaluation-mode.ts';
import { isExternalSheetKey, type RefPart } from './reference.ts';
import { isTable, type TablePart } from './table-reference.ts';
import { compilerFunctions } from './lex-identifier.ts';
import type { Template } from './formula-template.ts';

/**
 * A formula without its position and its constants: `=A1*2` and, one row below, `=A2*3` have the same pattern. A
 * pattern is parsed and compiled once. A vertical run of cells with the same pattern is one node of the dependency
 * graph.
 */
export class Pattern {
  readonly id: number;
  readonly ast: Node;
  readonly parts: readonly PatternPart[];
  readonly refs: readonly RefPart[];
  /** References whose cell values the formula may read; excludes references of which it uses only position or size. */
  readonly reads: readonly RefPart[];
  /** Upper-case names in the formula: defined names, variables, and called names that are not built-in functions. */
  readonly names: readonly string[];
  /** LET and LAMBDA variables, in upper case. */
  readonly variables: ReadonlySet<string>;
  /** Structured references to tables. */
  readonly tables: readonly TablePart[];
  /** Names of called functions that the engine does not calculate. The workbook may define such a name as a LAMBDA. */
  readonly unknown: readonly string[];
  readonly volatile: boolean;
  /**
   * True if the formula computes some references instead of containing them: INDIRECT, OFFSET, spilled arrays (`A1#`),
   * or `:` between computed references.
   */
  readonly hasDynamicRefs: boolean;
  readonly subtotal: boolean;
  /** True if the formula reads the text of a formula (FORMULATEXT). */
  readonly formulaText: boolean;
  /**
   * True if the result may depend on more than the values of the cells that the formula reads: on the position of the
   * formula or of these cells, on formats, or on hidden rows. The formula is then recalculated when these change.
   */
  readonly positional: boolean;
  /**
   * Number of nodes of the syntax tree. One evaluation is charged to the calculation budget with this number of steps.
   */
  readonly weight: number;
  readonly mode: Mode;
  /**
   * True if the formula is calculated for every cell of a range that stands in place of a single value. False for
   * formulas from before dynamic arrays, in which the engine picks one cell of the range (implicit intersection).
   */
  readonly lift: boolean;
  /** Size of a legacy array formula; undefined for other formulas. */
  readonly array: ArraySize | undefined;
  /**
   * True if the cell keeps its current value when the formula cannot be calculated, for example because another
   * workbook is missing.
   */
  readonly isKept: boolean;
  /** True if the imported file marks the formula as a dynamic array formula. */
  readonly isMarked: boolean;
  readonly placeholders: number;
  /** The formulas with this pattern, each with its own constants. The keys are the texts of the constants. */
  readonly templates = new Map<string, Template>();
  readonly #external: ReadonlySet<string>;
  #compiled: Eval | undefined;

  constructor(id: number, ast: Node, parts: readonly PatternPart[], mode: Mode) {
    const { base, isKept, isMarked } = fileModeOf(mode);
    const lift = base !== false;
    this.id = id;
    this.ast = ast;
    this.parts = parts;
    this.mode = mode;
    this.lift = lift;
    this.array = arraySizeOf(base);
    this.isKept = isKept;
    this.isMarked = isMarked;
    this.refs = parts.filter(isRef);
    this.tables = parts.filter(isTable);
    this.placeholders = parts.filter((part) => typeof part !== 'string' && 'hole' in part).length;
    const facts = analyzeFormula(ast);
    this.reads = facts.unread.size === 0 ? this.refs : this.refs.filter((ref) => !facts.unread.has(ref));
    this.names = [...facts.names];
    this.#external = facts.external;
    this.variables = facts.variables;
    this.unknown = [...facts.unknown].filter((name) => !facts.variables.has(name));
    this.volatile = facts.volatile;
    this.hasDynamicRefs = facts.hasDynamicRefs;
    this.subtotal = facts.subtotal;
    this.formulaText = facts.formulaText;
    this.weight = facts.weight;
    this.positional =
      facts.positional ||
      this.names.length > 0 ||
      this.tables.length > 0 ||
      (!lift && this.refs.some((ref) => ref.shape !== 'cell'));
  }

  /**
   * Keys of the sheets of other workbooks that the formula refers to, such as `[Book]Sheet`. For a defined name of
   * another workbook, the key may be `[Book]` only.
   */
  get externalSheets(): string[] {
    return [...this.refs.map(({ sheet }) => sheet).filter(isExternalSheetKey), ...this.#external];
  }

  /**
   * The evaluation mode for a copy of this formula whose cell must keep its value from a file, because the engine
   * cannot calculate the formula.
   */
  get keptMode(): Mode {
    return { ...fileModeOf(this.mode), isKept: true };
  }

  /** The compiled formula. The caller must set the formula's constants in the evaluation before running it. */
  get run(): Eval {
    this.#compiled ??= compile(this.ast, emptyVariableScope, this.lift);
    return this.#compiled;
  }
}

interface PatternProperties {
  readonly names: Set<string>;
  /** Keys of other workbooks (`[Book]`), or of their sheets (`[Book]Sheet`), whose defined names the formula uses. */
  readonly external: Set<string>;
  readonly unread: Set<RefPart>;
  readonly unknown: Set<string>;
  /** LET and LAMBDA variables, in upper case. */
  readonly variables: Set<string>;
  volatile: boolean;
  hasDynamicRefs: boolean;
  subtotal: boolean;
  formulaText: boolean;
  positional: boolean;
  weight: number;
}

const positionalFunctions = new Set('ROW COLUMN CELL FORMULATEXT ISFORMULA SHEET SHEETS SUBTOTAL AGGREGATE'.split(' '));
const dynamicFunctions = new Set(['INDIRECT', 'OFFSET']);

function analyzeFormula(ast: Node): PatternProperties {
  const facts: PatternProperties = {
    names: new Set(),
    external: new Set(),
    unread: new Set(),
    unknown: new Set(),
    variables: new Set(),
    volatile: false,
    hasDynamicRefs: false,
    subtotal: false,
    formulaText: false,
    positional: false,
    weight: 0,
  };
  // Uses a loop instead of recursion, because a sum of thousands of terms is a syntax tree thousands of levels deep.
  const waiting: Node[] = [ast];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    facts.weight++;
    switch (node.type) {
      case 'name':
        if (isExternalSheetKey(node.sheet)) facts.external.add(node.sheet);
        else facts.names.add(node.name.toUpperCase());
        break;
      case 'call': {
        const definition = functionNamed(node.name);
        if (!definition) facts.names.add(node.name);
        const isKnown = definition ? !definition.options.isClosed : compilerFunctions.has(node.name);
        if (!isKnown) facts.unknown.add(node.name);
        if (node.name === 'LET' || node.name === 'LAMBDA') collectVariables(node.args, node.name, facts.variables);
        if (definition?.options.volatile) facts.volatile = true;
        if (positionalFunctions.has(node.name)) facts.positional = true;
        if (node.name === 'FORMULATEXT') facts.formulaText = true;
        if (dynamicFunctions.has(node.name)) {
          facts.hasDynamicRefs = true;
          facts.volatile = true;
        }
        if (node.name === 'SUBTOTAL' || node.name === 'AGGREGATE') facts.subtotal = true;
        for (const index of definition?.options.unread ?? []) markUnread(node.args[index], facts.unread);
        waiting.push(...node.args);
        break;
      }
      case 'apply':
        waiting.push(node.target);
        waiting.push(...node.args);
        break;
      case 'single':
        facts.positional = true;
        waiting.push(node.arg);
        break;
      case 'unary':
      case 'percent':
        waiting.push(node.arg);
        break;
      case 'spilled':
        facts.hasDynamicRefs = true;
        waiting.push(node.arg);
        break;
      case 'binary':
      case 'intersection':
        waiting.push(node.left, node.right);
        break;
      case 'span':
        facts.hasDynamicRefs = true;
        facts.volatile = true;
        waiting.push(node.left, node.right);
        break;
      case 'union':
        waiting.push(...node.items);
        break;
      default:
        break;
    }
  }
  return facts;
}

/**
 * Adds the variables of a LET or LAMBDA call to `variables`. LET has a name before each value; LAMBDA has names before
 * its last argument.
 */
function collectVariables(args: readonly Node[], name: 'LET' | 'LAMBDA', variables: Set<string>): void {
  const step = name === 'LET' ? 2 : 1;
  for (let i = 0; i + 1 < args.length; i += step) {
    const arg = args[i];
    if (arg?.type === 'name' || arg?.type === 'optional') variables.add(arg.name.toUpperCase());
  }
}

/**
 * Adds a reference, or each reference of a union, to `unread`, the references whose cells the formula does not read.
 * Other nodes are ignored: references that the formula computes are reported during the evaluation.
 */
function markUnread(node: Node | undefined, unread: Set<RefPart>): void {
  if (node?.type === 'ref') unread.add(node.part);
  else if (node?.type === 'union') for (const item of node.items) markUnread(item, unread);
}
