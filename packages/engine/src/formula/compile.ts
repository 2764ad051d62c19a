import type { FunctionDef } from '../functions/define.ts';
import { functionNamed } from '../functions/index.ts';
import { toLogical } from '../base/coerce.ts';
import {
  CellError,
  cellErrors,
  Lambda,
  Matrix,
  RangeRef,
  RefUnion,
  isGrid,
  isReference,
  type Scalar,
  type Value,
} from '../base/values.ts';
import type { Node } from './ast.ts';
import { implicitIntersection, broadcastUnary, broadcastBinary, toOperand } from './broadcast.ts';
import { trimToUsed } from '../base/array-size-limit.ts';
import { compilePerReference, multiReferenceArgument } from './compile-per-reference.ts';
import type { Evaluation } from './evaluation-context.ts';
import { compileCall, argumentKindAt, type Eval } from './compile-call.ts';
import { binaryScalar, negate, percent, plus } from '../base/operators.ts';
import { isExternalSheetKey, type RefPart } from './reference.ts';
import type { Template } from './formula-template.ts';
import {
  compileReference,
  compileScalarRead,
  compileSum,
  compileTable,
  intersectRefs,
  spanRefs,
  spillReference,
  unionRefs,
} from './compile-reference.ts';

/**
 * The LET and LAMBDA variables that are visible in the part of a formula that is being compiled. `slots` maps their
 * upper-case names to indexes in `Evaluation.env`, and `depth` is the next free index.
 */
export interface VariableScope {
  readonly slots: ReadonlyMap<string, number>;
  readonly depth: number;
}

/** Steps charged to the calculation budget for calling a LAMBDA or a defined name. */
const lambdaCost = 16;

export const emptyVariableScope: VariableScope = { slots: new Map(), depth: 0 };

function bind(scope: VariableScope, names: readonly string[]): VariableScope {
  const slots = new Map(scope.slots);
  names.forEach((name, index) => slots.set(name.toUpperCase(), scope.depth + index));
  return { slots, depth: scope.depth + names.length };
}

/**
 * Compiles a parsed formula into closures. With `lift`, operators and scalar arguments apply to whole ranges. Without
 * it, a range is reduced to the cell in the formula's own row or column (implicit intersection).
 */
export function compile(node: Node, scope: VariableScope, lift: boolean): Eval {
  switch (node.type) {
    case 'number':
    case 'text': {
      const { value, slot } = node;
      return slot === undefined ? () => value : (ev) => ev.constants[slot] as number | string;
    }
    case 'logical':
    case 'error': {
      const { value } = node;
      return () => value;
    }
    case 'missing':
      return () => null;
    case 'ref':
      return compileReference(node.part);
    case 'name':
      return compileName(node, scope);
    case 'optional':
      return () => cellErrors.name;
    case 'table':
      return compileTable(node.part);
    case 'array':
      return compileArray(node.rows);
    case 'call':
      return compileNamed(node, scope, lift);
    case 'apply': {
      const target = compile(node.target, scope, lift);
      return compileApply(target, node.args, scope);
    }
    case 'unary':
      return compileUnary(node.op === '-' ? negate : plus, node.arg, scope, lift);
    case 'percent':
      return compileUnary(percent, node.arg, scope, lift);
    case 'binary':
      return compileBinary(node, scope, lift);
    case 'single': {
      const arg = compile(node.arg, scope, lift);
      return (ev) => {
        const value = arg(ev);
        if (value instanceof RangeRef) return implicitIntersection(ev, value);
        return value instanceof Matrix ? value.at(0, 0) : value;
      };
    }
    case 'spilled':
      return spillReference(compile(node.arg, scope, lift));
    case 'span':
      return spanRefs(compile(node.left, scope, lift), compile(node.right, scope, lift));
    case 'intersection':
      return intersectRefs(compile(node.left, scope, lift), compile(node.right, scope, lift));
    case 'union':
      return unionRefs(node.items.map((item) => compile(item, scope, lift)));
  }
}

/** Compiles an operand as `compile` does, but reads a single cell directly, without creating a reference object. */
function compileOperand(node: Node, scope: VariableScope, lift: boolean): Eval {
  if (node.type === 'ref' && node.part.shape === 'cell' && node.part.lastSheet === undefined)
    return compileScalarRead(node.part);
  return compile(node, scope, lift);
}

function compileUnary(run: (value: Scalar) => Scalar, node: Node, scope: VariableScope, lift: boolean): Eval {
  const arg = compileOperand(node, scope, lift);
  return (ev) => broadcastUnary(ev, toOperand(ev, arg(ev), lift), run);
}

type Binary = Extract<Node, { type: 'binary' }>;

/**
 * Operator chains of this length or more are evaluated in a loop. Nested closures for `A1+A2+...` with thousands of
 * terms would overflow the stack.
 */
const longRow = 32;

function compileRow(node: Binary, scope: VariableScope, lift: boolean): Eval | undefined {
  const spine: Binary[] = [];
  let first: Node = node;
  for (; first.type === 'binary'; first = first.left) spine.push(first);
  if (spine.length < longRow) return undefined;
  const start = compileOperand(first, scope, lift);
  const steps = spine
    .toReversed()
    .map((one) => ({ run: binaryScalar(one.op), arg: compileOperand(one.right, scope, lift) }));
  return (ev) => {
    let value = start(ev);
    for (const { run, arg } of steps) {
      const x = toOperand(ev, value, lift);
      const y = toOperand(ev, arg(ev), lift);
      value = isGrid(x) || isGrid(y) ? broadcastBinary(ev, x, y, run) : run(x, y);
    }
    return value;
  };
}

function compileBinary(node: Binary, scope: VariableScope, lift: boolean): Eval {
  const row = compileRow(node, scope, lift);
  if (row) return row;
  const left = compileOperand(node.left, scope, lift);
  const right = compileOperand(node.right, scope, lift);
  const run = binaryScalar(node.op);
  const slow = (ev: Evaluation, a: Value, b: Value): Value => {
    const x = toOperand(ev, a, lift);
    const y = toOperand(ev, b, lift);
    return isGrid(x) || isGrid(y) ? broadcastBinary(ev, x, y, run) : run(x, y);
  };
  const finite = (value: number): number | CellError => (value - value === 0 ? value : cellErrors.num);
  switch (node.op) {
    case '+':
      return (ev) => {
        const a = left(ev);
        const b = right(ev);
        return typeof a === 'number' && typeof b === 'number' ? finite(a + b) : slow(ev, a, b);
      };
    case '-':
      return (ev) => {
        const a = left(ev);
        const b = right(ev);
        return typeof a === 'number' && typeof b === 'number' ? finite(a - b) : slow(ev, a, b);
      };
    case '*':
      return (ev) => {
        const a = left(ev);
        const b = right(ev);
        return typeof a === 'number' && typeof b === 'number' ? finite(a * b) : slow(ev, a, b);
      };
    case '/':
      return (ev) => {
        const a = left(ev);
        const b = right(ev);
        return typeof a === 'number' && typeof b === 'number' && b !== 0 ? finite(a / b) : slow(ev, a, b);
      };
    default:
      return (ev) => slow(ev, left(ev), right(ev));
  }
}

function compileArray(rows: readonly (readonly Node[])[]): Eval {
  const data = rows.flat().map((item) => ('value' in item ? item.value : null));
  const matrix = new Matrix(rows.length, rows[0]?.length ?? 0, data);
  return () => matrix;
}

function compileName(node: Extract<Node, { type: 'name' }>, scope: VariableScope): Eval {
  const slot = node.sheet === undefined ? scope.slots.get(node.name.toUpperCase()) : undefined;
  if (slot !== undefined) return (ev) => ev.env[slot] ?? null;
  const { name, sheet } = node;
  const known = functionNamed(name.toUpperCase());
  return (ev) => {
    if (typeof sheet === 'string') {
      if (isExternalSheetKey(sheet)) ev.isMissing = true;
      return cellErrors.ref;
    }
    const definition = ev.host.nameDefinition(name, sheet ?? ev.sheet.id);
    if (definition) {
      ev.budget.spend(lambdaCost);
      return ev.nested(() => evaluateIsolated(ev, definition));
    }
    // An unknown name may be defined in another program, and so may a function name without parentheses. Set
    // `isMissing`, so that an imported formula keeps its value.
    ev.isMissing = true;
    // The bare name of a function evaluates to the function itself: BYROW(A1:C2,SUM).
    if (known)
      return new Lambda(known.most, known.required, (args) =>
        compileCall(
          known,
          args.map((arg) => () => arg ?? null),
          true,
        )(ev),
      );
    return cellErrors.name;
  };
}

/** Evaluates a defined name. The caller's LET and LAMBDA variables are not visible to its definition. */
function evaluateIsolated(ev: Evaluation, definition: Template): Value {
  const { env, isInName } = ev;
  ev.env = [];
  ev.isInName = true;
  try {
    return definition.evaluate(ev);
  } finally {
    ev.env = env;
    ev.isInName = isInName;
  }
}

function compileNamed(node: Extract<Node, { type: 'call' }>, scope: VariableScope, lift: boolean): Eval {
  const { name, args } = node;
  const slot = scope.slots.get(name);
  if (slot !== undefined) return compileApply((ev) => ev.env[slot] ?? null, args, scope);
  switch (name) {
    case 'IF':
      return compileIf(args, scope, lift);
    case 'LET':
      return compileLet(args, scope, lift);
    case 'LAMBDA':
      return compileLambda(args, scope);
    case 'ISOMITTED':
      return compileOmitted(args, scope);
    default:
      break;
  }
  const [only] = args;
  if (name === 'SUM' && args.length === 1 && only?.type === 'ref' && isPlain(only.part)) return compileSum(only.part);
  const definition = functionNamed(name);
  if (!definition) {
    const callee = compileName({ type: 'name', name, sheet: undefined }, scope);
    const known: Eval = (ev) => {
      if (!ev.host.nameDefinition(name, ev.sheet.id)) ev.isMissing = true;
      return callee(ev);
    };
    return compileApply(known, args, scope);
  }
  const evalsOf = (called: FunctionDef, nodes: readonly Node[]): Eval[] =>
    nodes.map((arg, index) => {
      const empty = arg.type === 'missing' ? called.options.whenEmpty?.[index] : undefined;
      return empty === undefined ? compileArgument(arg, argumentKindAt(called, index), scope, lift) : () => empty;
    });
  const evals = evalsOf(definition, args);
  const at = lift ? multiReferenceArgument(name, args) : -1;
  const maker = args[at];
  const making = maker?.type === 'call' ? functionNamed(maker.name) : undefined;
  const each =
    maker?.type === 'call' && making
      ? compilePerReference(definition, evals, at, maker, evalsOf(making, maker.args))
      : undefined;
  return each ?? compileCall(definition, evals, lift);
}

/** Returns whether a reference points to a single sub-sheet and is not #REF!. */
function isPlain({ shape, lastSheet }: RefPart): boolean {
  return shape !== 'lost' && lastSheet === undefined;
}

function compileArgument(arg: Node, kind: string, scope: VariableScope, lift: boolean): Eval {
  if (kind === 'array') return compile(arg, scope, true);
  const reads = kind === 'number' || kind === 'text' || kind === 'logical' || kind === 'scalar' || kind === 'any';
  return reads ? compileOperand(arg, scope, lift) : compile(arg, scope, lift);
}

function compileApply(target: Eval, nodes: readonly Node[], scope: VariableScope): Eval {
  const args = nodes.map((arg) => (arg.type === 'missing' ? undefined : compile(arg, scope, true)));
  return (ev) => {
    const callee = target(ev);
    if (callee instanceof CellError) return callee;
    if (!(callee instanceof Lambda)) return cellErrors.ref;
    return callee.apply(args.map((arg) => arg?.(ev)));
  };
}

function compileIf(args: readonly Node[], scope: VariableScope, lift: boolean): Eval {
  const [testNode, thenNode, elseNode] = args;
  if (!testNode || !thenNode || args.length > 3) return () => cellErrors.value;
  const test = compileOperand(testNode, scope, lift);
  const yes = compile(thenNode, scope, lift);
  const no: Eval = elseNode ? compile(elseNode, scope, lift) : () => false;
  return (ev) => {
    const condition = toOperand(ev, test(ev), lift);
    if (isGrid(condition)) {
      return ev.broadcast([condition, yes(ev), no(ev)], (flag, a, b) => {
        const holds = toLogical(flag ?? null);
        return holds instanceof CellError ? holds : ((holds ? a : b) ?? null);
      });
    }
    const holds = toLogical(condition);
    if (holds instanceof CellError) return holds;
    return holds ? yes(ev) : no(ev);
  };
}

function compileLet(args: readonly Node[], scope: VariableScope, lift: boolean): Eval {
  if (args.length < 3 || args.length % 2 === 0) return () => cellErrors.value;
  const base = scope.depth;
  let inner = scope;
  const values: Eval[] = [];
  for (let i = 0; i + 1 < args.length; i += 2) {
    const name = args[i] as Node;
    if (name.type !== 'name') return () => cellErrors.value;
    values.push(compile(args[i + 1] as Node, inner, lift));
    inner = bind(inner, [name.name]);
  }
  const body = compile(args[args.length - 1] as Node, inner, lift);
  return (ev) => {
    for (let i = 0; i < values.length; i++) ev.env[base + i] = (values[i] as Eval)(ev);
    return body(ev);
  };
}

function compileLambda(args: readonly Node[], scope: VariableScope): Eval {
  const params = args.slice(0, -1);
  const bodyNode = args[args.length - 1];
  const names: string[] = [];
  let required = 0;
  for (const param of params) {
    if (param.type === 'name' && required === names.length) required++;
    else if (param.type !== 'optional') return () => cellErrors.value;
    names.push(param.name);
  }
  if (!bodyNode || bodyNode.type === 'missing') return () => cellErrors.value;
  const base = scope.depth;
  const body = compile(bodyNode, bind(scope, names), true);
  return (ev) => {
    const captured = ev.env.slice(0, base);
    const own = ev.constants;
    return new Lambda(names.length, required, (given) => {
      if (given.length > names.length || given.length < required) return cellErrors.value;
      return ev.nested(() => {
        ev.budget.spend(lambdaCost);
        const kept = ev.env;
        const { constants } = ev;
        ev.constants = own;
        const env: (Value | undefined)[] = captured.slice();
        for (let i = 0; i < names.length; i++) env[base + i] = given[i];
        ev.env = env as Value[];
        try {
          return body(ev);
        } finally {
          ev.env = kept;
          ev.constants = constants;
        }
      });
    });
  };
}

function compileOmitted(args: readonly Node[], scope: VariableScope): Eval {
  const [name] = args;
  const slot = name?.type === 'name' ? scope.slots.get(name.name.toUpperCase()) : undefined;
  if (args.length !== 1) return () => cellErrors.value;
  return slot === undefined ? () => false : (ev) => ev.env[slot] === undefined;
}

/** Converts a formula's result to the value of its cell: a scalar, or an array to spill. */
export function cellResult(ev: Evaluation, value: Value, lift: boolean): Scalar | Matrix {
  if (typeof value !== 'object' || value === null) return value ?? 0;
  if (isReference(value)) {
    if (value instanceof RefUnion) return cellErrors.value;
    if (value.isCell) return value.at(0, 0) ?? 0;
    if (!lift) return implicitIntersection(ev, value) ?? 0;
    const grid = trimToUsed(value);
    ev.reserve(grid.rows, grid.cols);
    return Matrix.build(grid.rows, grid.cols, (r, c) => grid.at(r, c) ?? 0);
  }
  if (value instanceof Matrix) {
    if (value.rows === 0 || value.cols === 0) return cellErrors.calc;
    return value.data.length === 1 || !lift ? (value.at(0, 0) ?? 0) : value;
  }
  return value instanceof CellError ? value : cellErrors.calc;
}
