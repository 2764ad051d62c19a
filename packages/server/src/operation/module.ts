import type { Caller, Context, Services } from '../context.ts';
import type { PublicLink } from '../ports/public-link-store.ts';
import { kernelWords, type ErrorTable } from './errors.ts';
import type { AnyOperation } from './operation.ts';
import type { ResourceKind } from './resource.ts';

export interface Module {
  /** The path segment and the prefix of its MCP tools. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly errors: ErrorTable;
  readonly operations: Readonly<Record<string, AnyOperation>>;
  /** Fields of nearly every operation that the summary explains: lists of tools leave them out. */
  readonly explainedOnce?: readonly string[];
  /** The operations of a published specification, served as it says; the others are our own. */
  readonly specified?: readonly string[];
  /** Our own without which the specified ones are of little use: lists of tools begin with both. */
  readonly essential?: readonly string[];
  /** What an agent with little room for tools starts with. */
  readonly core?: readonly string[];
  /** Its operations take a key from an Authorization header too, where its clients send it. */
  readonly bearerKeys?: true;
  /** Where its clients look for its specified tools alone, with dots in their names. */
  readonly mcpAddress?: string;
  /** Names that its clients know and nothing answers to, with the reason they are told. */
  readonly notServed?: Readonly<Record<string, string>>;
  /** What can be listened to under its path; without it there is nothing. */
  readonly watch?: Watch;
  /** Several of its writes may come in one request. */
  readonly groupedCalls?: true;
  /** What whoever comes with a public link may read; without it there is nothing. */
  readonly publicReads?: PublicReads;
  /** What of it has an address of its own. */
  readonly resources?: readonly ResourceKind[];
  /** Its title in Chinese, where a page of ours shows it. */
  readonly chineseTitle?: string;
  /** Whoever may write here could give themselves all the rest: an app that a person connects may not. */
  readonly appsMayOnlyRead?: true;
  /** Its error numbers are those of the server's own refusals, which concern no module: sign-in, keys, limits. */
  readonly answersForServer?: true;
}

/** What a listener may hear, or a refusal. Asked again while the listener stays. */
export type Watch = (listener: {
  readonly caller: Caller;
  readonly services: Services;
  /** A parameter of the address. */
  query(name: string): string | undefined;
}) => Promise<Watched>;

export interface Watched {
  readonly topic: string;
  /** Others that it hears as well. */
  readonly also?: readonly string[];
  /** What the listener is told first. */
  readonly first: unknown;
}

/** Reads for whoever has a public link: what of the link's thing everybody may see, under names of its own. */
export type PublicReads = Readonly<
  Record<string, (input: Record<string, unknown>, guest: Guest) => Promise<Record<string, unknown>>>
>;

export interface Guest {
  readonly link: PublicLink;
  /** As if who made the link had called; nothing but reading is called with it. */
  readonly context: Context;
}

export function whyNotServed({ notServed = {} }: Module, operation: string): string | undefined {
  return Object.hasOwn(notServed, operation) ? `${operation} is not served: ${notServed[operation]}` : undefined;
}

export function basePath(module: { readonly name: string }): string {
  return `/openapi/${module.name}/v1`;
}

/** Checks what the types cannot say. A fault in the registry stops the start, never a request. */
export function defineModule<const M extends Module>(module: M): M {
  for (const word of kernelWords) {
    if (!module.errors[word]) throw new Error(`module ${module.name}: the error table has no entry for ${word}`);
  }
  for (const [key, operation] of Object.entries(module.operations)) {
    if (key !== operation.name)
      throw new Error(`module ${module.name}: ${key} is listed but its name is ${operation.name}`);
    if (!/^[a-z][a-z0-9_]*$/.test(operation.name))
      throw new Error(`module ${module.name}: ${operation.name} is not a wire name`);
  }
  for (const name of [...(module.specified ?? []), ...(module.essential ?? []), ...(module.core ?? [])]) {
    if (!module.operations[name]) throw new Error(`module ${module.name}: ${name} is to be listed but is no operation`);
  }
  return module;
}

export class Registry {
  readonly modules: readonly Module[];
  readonly #byName = new Map<string, Entry>();
  readonly #byShortName = new Map<string, Entry[]>();

  constructor(modules: readonly Module[]) {
    this.modules = modules;
    for (const module of modules) {
      for (const operation of Object.values(module.operations)) {
        const entry = { module, operation, name: `${module.name}.${operation.name}` };
        this.#byName.set(entry.name, entry);
        const same = this.#byShortName.get(operation.name) ?? [];
        this.#byShortName.set(operation.name, [...same, entry]);
      }
    }
  }

  entries(): Entry[] {
    return [...this.#byName.values()];
  }

  /** Whose error numbers the server answers with where a request concerns no module. */
  get server(): Module {
    return this.modules.find((module) => module.answersForServer) ?? this.modules[0]!;
  }

  /** By the path of a request. */
  at(path: string): Module | undefined {
    return this.modules.find((module) => path.startsWith(`${basePath(module)}/`));
  }

  module(name: string): Module | undefined {
    return this.modules.find((module) => module.name === name);
  }

  get(module: string, operation: string): Entry | undefined {
    return this.#byName.get(`${module}.${operation}`);
  }

  /** Finds by `module.name`, `module_name` or, where only one module has it, `name`. */
  find(name: string): Entry | undefined {
    const exact = this.#byName.get(name);
    if (exact) return exact;
    const underscore = name.indexOf('_');
    if (underscore > 0) {
      const prefixed = this.get(name.slice(0, underscore), name.slice(underscore + 1));
      if (prefixed) return prefixed;
    }
    const short = this.#byShortName.get(name);
    return short?.length === 1 ? short[0] : undefined;
  }

  /** Why a name is not found that clients of a module know, and whose it is. */
  refused(name: string): { module: Module; why: string } | undefined {
    for (const module of this.modules) {
      const why = whyNotServed(module, name.replace(new RegExp(`^${module.name}[._]`), ''));
      if (why !== undefined) return { module, why };
    }
    return undefined;
  }
}

export interface Entry {
  readonly module: Module;
  readonly operation: AnyOperation;
  /** Of both: `module.name`. */
  readonly name: string;
}

/** Specified operations, and those of older clients, take fields that they do not know and leave them alone. */
export function isTolerant({ module, operation }: Entry): boolean {
  return operation.deprecated !== undefined || (module.specified?.includes(operation.name) ?? false);
}
