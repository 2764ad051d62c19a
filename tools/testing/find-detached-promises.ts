/**
 * Finds promises in the server's code that nothing awaits, and timers started outside lib/background-tasks.ts. Works on
 * syntax without a type checker: a call counts as a promise if the function, or the method of the receiver's declared
 * type, is declared async or as returning a promise. If the receiver's type is unknown, all functions and methods of
 * that name must be declared so.
 */
import { parseSync } from 'vite';

export interface Source {
  name: string;
  text: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const timers = new Set(['setInterval', 'setTimeout', 'setImmediate', 'queueMicrotask', 'nextTick']);
/** The only file that may run code by timers: its functions (`guards`) catch the errors of background work. */
const guard = 'lib/background-tasks.ts';
const guards = new Set(['runInBackground', 'runEvery', 'runDelayed', 'runInNextTurn']);
/**
 * Names of built-in methods that return no promise. If the type of the receiver is unknown, a method of this name is
 * assumed to be the built-in one.
 */
const plainNames = new Set([
  'add',
  'clear',
  'close',
  'delete',
  'destroy',
  'end',
  'get',
  'on',
  'push',
  'put',
  'set',
  'send',
  'write',
  'run',
  'all',
  'kill',
  'release',
  'stop',
  'read',
  'find',
  'open',
  'list',
]);
const platformPromises = new Set(['terminate', 'then', 'finally', 'catch']);

export function findDetached(sources: readonly Source[]): string[] {
  const files = sources.map(({ name, text }) => ({
    name,
    text,
    program: parseSync(name, text, { lang: 'ts' }).program as unknown as Node,
  }));
  const known = new Declarations(files.map(({ program }) => program));
  return files
    .filter(({ name }) => !name.endsWith(`/${guard}`))
    .flatMap((file) => new DetachedScan(file, known).faults);
}

/**
 * The functions, methods and fields declared in all files: which of them return promises, and the types of the fields.
 */
class Declarations {
  readonly #promising = new Map<string, boolean>();
  readonly #members = new Map<string, Map<string, { gives: boolean; type: string | undefined }>>();

  constructor(programs: readonly Node[]) {
    for (const program of programs) visit(program, (node) => this.#declare(node));
  }

  /**
   * Returns whether all functions and methods declared with this name return a promise; undefined if the project
   * declares none.
   */
  gives(name: string): boolean | undefined {
    return this.#promising.get(name);
  }

  member(type: string | undefined, name: string): { gives: boolean; type: string | undefined } | undefined {
    return type === undefined ? undefined : this.#members.get(type)?.get(name);
  }

  #declare(node: Node): void {
    if (node.type === 'FunctionDeclaration') this.#add(nameOf(node['id']), givesPromise(node));
    if (node.type === 'VariableDeclarator' && isFunction(node['init']))
      this.#add(nameOf(node['id']), givesPromise(node['init'] as Node));
    if (node.type !== 'ClassDeclaration' && node.type !== 'TSInterfaceDeclaration') return;
    const owner = nameOf(node['id'])!;
    const members = this.#members.get(owner) ?? new Map<string, { gives: boolean; type: string | undefined }>();
    this.#members.set(owner, members);
    for (const member of (node['body'] as Node)['body'] as Node[]) {
      const name = keyOf(member);
      if (name === undefined) continue;
      const declared = memberSignature(member);
      members.set(name, declared);
      if (declared.isCallable) this.#add(name, declared.gives);
    }
  }

  #add(name: string | undefined, gives: boolean): void {
    if (name !== undefined) this.#promising.set(name, (this.#promising.get(name) ?? true) && gives);
  }
}

class DetachedScan {
  readonly faults: string[] = [];
  readonly #file: { name: string; text: string; program: Node };
  readonly #known: Declarations;
  readonly #classes: Node[] = [];
  readonly #local = new Map<string, boolean>();
  readonly #annotations = new Map<string, Set<string | undefined>>();

  constructor(file: { name: string; text: string; program: Node }, known: Declarations) {
    this.#file = file;
    this.#known = known;
    visit(file.program, (node) => this.#gather(node));
    visit(file.program, (node, parents) => this.#look(node, parents));
  }

  #look(node: Node, parents: readonly Node[]): void {
    if (node.type === 'CallExpression') {
      if (isTimer(node) && !settlesPromise(node, parents))
        this.#fault(node, 'a timer that does not go through lib/background-tasks.ts');
      this.#lookAtListeners(node);
    }
    if (node.type === 'UnaryExpression' && node['operator'] === 'void') this.#lookAtVoid(node['argument'] as Node);
    if (node.type === 'ExpressionStatement')
      this.#lookAtStatement(
        node['expression'] as Node,
        parents.findLast(
          (parent) => parent.type.endsWith('FunctionExpression') || parent.type === 'FunctionDeclaration',
        ),
      );
  }

  #lookAtVoid(operand: Node): void {
    if (operand.type !== 'CallExpression' && operand.type !== 'ChainExpression') return;
    const call = callOf(operand)!;
    const name = calledName(call);
    if (this.#isGuarded(call)) return;
    if (this.#isPromise(call) || !plainNames.has(name ?? '')) this.#fault(operand, 'a promise thrown away by void');
  }

  #lookAtStatement(expression: Node, around: Node | undefined): void {
    const call = callOf(expression);
    if (call && this.#isPromise(call) && !this.#isGuarded(call))
      this.#fault(expression, 'a promise that nobody waits for');
    if (expression.type === 'AssignmentExpression') {
      const kept = callOf(expression['right'] as Node);
      if (!kept || !this.#isPromise(kept) || this.#isGuarded(kept)) return;
      const target = this.#text(expression['left'] as Node);
      // A stored promise is not detached if the surrounding code returns or awaits it.
      const handsOn = new RegExp(`\\b(return|await|yield)\\b[^;\\n]*${escaped(target)}(?![\\w#])`);
      if (!handsOn.test(around ? this.#text(around) : ''))
        this.#fault(expression, 'a promise that is kept and not handed on');
    }
  }

  /** Reports listeners and forEach callbacks that return a promise: their callers ignore it. */
  #lookAtListeners(call: Node): void {
    const name = calledName(call);
    const isMethod = (call['callee'] as Node).type === 'MemberExpression';
    if (!isMethod || !['on', 'once', 'addEventListener', 'subscribe', 'forEach'].includes(name ?? '')) return;
    for (const argument of call['arguments'] as Node[]) {
      if (!isFunction(argument)) continue;
      const body = argument['body'] as Node;
      const answered = callOf(body);
      if (argument['async'] === true || (answered && this.#isPromise(answered) && !this.#isGuarded(answered)))
        this.#fault(argument, 'a listener whose promise nobody waits for');
    }
  }

  #isGuarded(call: Node): boolean {
    const name = calledName(call);
    const given = (call['arguments'] as Node[]).length;
    if (call['callee'] && (call['callee'] as Node).type === 'Identifier') return guards.has(name ?? '');
    if (name === 'catch') return true;
    if (name === 'then') return given >= 2;
    const before = callOf(((call['callee'] as Node)['object'] as Node | undefined) ?? call);
    return name === 'finally' && before !== undefined && before !== call && this.#isGuarded(before);
  }

  #isPromise(call: Node): boolean {
    const callee = call['callee'] as Node;
    const name = calledName(call);
    if (name === undefined) return false;
    if (callee.type === 'Identifier') return this.#localGives(name) ?? this.#known.gives(name) === true;
    if (platformPromises.has(name)) return true;
    const member = this.#known.member(this.#typeOf(callee['object'] as Node), name);
    if (member) return member.gives;
    return this.#known.gives(name) === true && !plainNames.has(name);
  }

  /**
   * Returns whether a call by this name returns a promise, according to the functions, variables and parameters that
   * the checked file declares; undefined if it declares none of this name. These declarations take precedence over
   * those in other files.
   */
  #localGives(name: string): boolean | undefined {
    return this.#local.get(name);
  }

  /**
   * Returns the name of the declared type of an expression: `this`, a variable, a parameter, or a field of one of them.
   * Returns undefined if the type is unknown.
   */
  #typeOf(node: Node): string | undefined {
    if (node.type === 'ChainExpression') return this.#typeOf(node['expression'] as Node);
    if (node.type === 'ThisExpression') return this.#classAt(node.start);
    if (node.type === 'MemberExpression')
      return this.#known.member(this.#typeOf(node['object'] as Node), keyName(node['property'] as Node) ?? '')?.type;
    if (node.type === 'Identifier') return this.#annotationOf(node['name'] as string);
    return undefined;
  }

  #classAt(position: number): string | undefined {
    return nameOf(this.#classes.findLast(({ start, end }) => start <= position && position < end)?.['id']);
  }

  /**
   * Returns the declared type of the variables and parameters of this name in the checked file. Returns undefined if
   * they have different types or none.
   */
  #annotationOf(name: string): string | undefined {
    const types = this.#annotations.get(name);
    return types?.size === 1 ? [...types][0] : undefined;
  }

  #gather(node: Node): void {
    const note = (name: string | undefined, gives: boolean): void => {
      if (name !== undefined) this.#local.set(name, (this.#local.get(name) ?? false) || gives);
    };
    if (node.type === 'ClassDeclaration') this.#classes.push(node);
    if (node.type === 'FunctionDeclaration') note(nameOf(node['id']), givesPromise(node));
    if (node.type === 'VariableDeclarator' && isFunction(node['init']))
      note(nameOf(node['id']), givesPromise(node['init'] as Node));
    if (node.type !== 'Identifier' || !node['typeAnnotation']) return;
    const name = nameOf(node)!;
    const type = (node['typeAnnotation'] as Node)['typeAnnotation'] as Node;
    if (type.type === 'TSFunctionType') note(name, givesPromise(type));
    this.#annotations.set(
      name,
      (this.#annotations.get(name) ?? new Set()).add(typeName(node['typeAnnotation'] as Node)),
    );
  }

  #text(node: Node): string {
    return this.#file.text.slice(node.start, node.end);
  }

  #fault(node: Node, what: string): void {
    const line = this.#file.text.slice(0, node.start).split('\n').length;
    this.faults.push(`${this.#file.name}:${line}: ${what}: ${this.#text(node).split('\n')[0]!.slice(0, 100)}`);
  }
}

/**
 * Returns whether the timer only resolves a promise, as in `new Promise((resolve) => setTimeout(resolve, ms))`. Such a
 * timer runs no other code.
 */
function settlesPromise(call: Node, parents: readonly Node[]): boolean {
  const callback = (call['arguments'] as Node[])[0];
  if (callback?.type !== 'Identifier') return false;
  return parents.some((parent, index) => {
    const owner = parents[index - 1];
    const isExecutor = isFunction(parent) && owner?.type === 'NewExpression' && nameOf(owner['callee']) === 'Promise';
    return isExecutor && (parent['params'] as Node[]).some((parameter) => nameOf(parameter) === callback['name']);
  });
}

/**
 * Returns whether the call is to a global timer function or process.nextTick. A method of the same name, such as a
 * socket's setTimeout, does not count.
 */
function isTimer(call: Node): boolean {
  const callee = call['callee'] as Node;
  const name = calledName(call);
  return timers.has(name ?? '') && (callee.type === 'Identifier' || nameOf(callee['object']) === 'process');
}

function visit(root: Node, look: (node: Node, parents: readonly Node[]) => void): void {
  const parents: Node[] = [];
  const into = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(into);
    if (value === null || typeof value !== 'object' || typeof (value as Node).type !== 'string') return;
    const node = value as Node;
    look(node, parents);
    parents.push(node);
    for (const key in node) if (key !== 'type' && key !== 'start' && key !== 'end') into(node[key]);
    parents.pop();
  };
  into(root);
}

function memberSignature(member: Node): { gives: boolean; type: string | undefined; isCallable: boolean } {
  if (member.type === 'MethodDefinition')
    return { gives: givesPromise(member['value'] as Node), type: undefined, isCallable: true };
  if (member.type === 'TSMethodSignature') return { gives: givesPromise(member), type: undefined, isCallable: true };
  const annotation = (member['typeAnnotation'] as Node | null)?.['typeAnnotation'] as Node | undefined;
  if (annotation?.type === 'TSFunctionType')
    return { gives: givesPromise(annotation), type: undefined, isCallable: true };
  if (isFunction(member['value']))
    return { gives: givesPromise(member['value'] as Node), type: undefined, isCallable: true };
  return {
    gives: false,
    type: member['typeAnnotation'] ? typeName(member['typeAnnotation'] as Node) : undefined,
    isCallable: false,
  };
}

function givesPromise(node: Node): boolean {
  if (node['async'] === true) return node['generator'] !== true;
  const annotation = (node['returnType'] as Node | null | undefined)?.['typeAnnotation'] as Node | undefined;
  return annotation !== undefined && namesOf(annotation).some((name) => name === 'Promise' || name === 'Soon');
}

function namesOf(type: Node): string[] {
  if (type.type === 'TSUnionType') return (type['types'] as Node[]).flatMap(namesOf);
  return type.type === 'TSTypeReference' ? [nameOf(type['typeName']) ?? ''] : [];
}

function typeName(annotation: Node): string | undefined {
  return namesOf(annotation['typeAnnotation'] as Node)[0];
}

function callOf(node: Node): Node | undefined {
  if (node.type === 'ChainExpression') return callOf(node['expression'] as Node);
  return node.type === 'CallExpression' ? node : undefined;
}

function calledName(call: Node): string | undefined {
  const callee = call['callee'] as Node;
  return callee.type === 'MemberExpression' ? keyName(callee['property'] as Node) : nameOf(callee);
}

function isFunction(value: unknown): value is Node {
  return ['ArrowFunctionExpression', 'FunctionExpression'].includes((value as Node | null | undefined)?.type ?? '');
}

function keyOf(member: Node): string | undefined {
  return member['key'] ? keyName(member['key'] as Node) : undefined;
}

function keyName(key: Node): string | undefined {
  if (key.type === 'PrivateIdentifier') return `#${String(key['name'])}`;
  return nameOf(key);
}

function nameOf(node: unknown): string | undefined {
  const { type, name } = (node ?? {}) as { type?: string; name?: string };
  return type === 'Identifier' ? name : undefined;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
