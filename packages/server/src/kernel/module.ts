import type { Caller, Context, Services } from '../context.ts';
import type { PublicLink } from '../ports/public-link-store.ts';
import { commonErrorNames, type ErrorTable } from './errors.ts';
import type { AnyOperation } from './operation.ts';
import type { ResourceKind } from './mcp-resource.ts';

export interface Module {
  /** The module's path segment and the prefix of its MCP tools. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly errors: ErrorTable;
  readonly operations: Readonly<Record<string, AnyOperation>>;
  /** Fields of nearly every operation that the module summary explains; tool lists leave them out. */
  readonly explainedOnce?: readonly string[];
  /** Operations of a published specification, served as specified; the other operations are our own. */
  readonly specified?: readonly string[];
  /** Our own operations that the specified ones depend on in practice. Tool lists begin with both. */
  readonly essential?: readonly string[];
  /** The operations to list for an agent with a small tool budget. */
  readonly core?: readonly string[];
  /** Operations also accept the API key in an Authorization header, because the module's clients send it there. */
  readonly bearerKeys?: true;
  /** MCP path that serves only the specified tools, with dots in their names, for the module's clients. */
  readonly mcpAddress?: string;
  /** Operation names that clients know but this server does not implement, with the reason to return. */
  readonly unsupported?: Readonly<Record<string, string>>;
  /** The live updates that clients can subscribe to under the module's path; none by default. */
  readonly watch?: SubscriptionResolver;
  /** One request may contain several write calls. */
  readonly batchCalls?: true;
  /** What a visitor with a public link may read; nothing by default. */
  readonly publicReads?: PublicReads;
  /** The kinds of objects that have their own URI. */
  readonly resources?: readonly ResourceKind[];
  /** Chinese title, where the web page shows one. */
  readonly chineseTitle?: string;
  /** Write access to this module would allow a privilege escalation, so connected apps only get read access. */
  readonly appsMayOnlyRead?: true;
  /** Its error codes are used for server-wide refusals that belong to no module: sign-in, keys, limits. */
  readonly answersForServer?: true;
}

/**
 * Authorizes a subscription and returns what it receives, or throws a Failure. Called again while the subscription is
 * open.
 */
export type SubscriptionResolver = (listener: {
  readonly caller: Caller;
  readonly services: Services;
  /** Returns a query parameter of the URL. */
  query(name: string): string | undefined;
}) => Promise<Subscription>;

export interface Subscription {
  readonly topic: string;
  /** Further topics that the subscription receives. */
  readonly also?: readonly string[];
  /** The first message to the subscriber. */
  readonly first: unknown;
}

/**
 * Reads for visitors with a public link: returns the parts of the linked object that are public. The names are separate
 * from the operations' names.
 */
export type PublicReads = Readonly<
  Record<string, (input: Record<string, unknown>, guest: PublicLinkGuest) => Promise<Record<string, unknown>>>
>;

export interface PublicLinkGuest {
  readonly link: PublicLink;
  /** Runs with the rights of the link's creator; only reads are called with it. */
  readonly context: Context;
}

export function unsupportedReason({ unsupported = {} }: Module, operation: string): string | undefined {
  return Object.hasOwn(unsupported, operation) ? `${operation} is not served: ${unsupported[operation]}` : undefined;
}

export function basePath(module: { readonly name: string }): string {
  return `/openapi/${module.name}/v1`;
}

/** Names the operations by their keys, and checks rules that types cannot express. A fault in the registry stops the start, so it never affects a request. */
export function defineModule<const M extends Module>(module: M): M {
  for (const word of commonErrorNames) {
    if (!module.errors[word]) throw new Error(`module ${module.name}: the error table has no entry for ${word}`);
  }
  for (const [key, operation] of Object.entries(module.operations)) {
    if (operation.name === '') (operation as { name: string }).name = key;
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
  readonly #byName = new Map<string, OperationEntry>();
  readonly #byShortName = new Map<string, OperationEntry[]>();

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

  entries(): OperationEntry[] {
    return [...this.#byName.values()];
  }

  /** The module whose error codes are used for requests that belong to no module. */
  get serverModule(): Module {
    return this.modules.find((module) => module.answersForServer) ?? this.modules[0]!;
  }

  /** Finds the module that serves a request path. */
  findByPath(path: string): Module | undefined {
    return this.modules.find((module) => path.startsWith(`${basePath(module)}/`));
  }

  module(name: string): Module | undefined {
    return this.modules.find((module) => module.name === name);
  }

  get(module: string, operation: string): OperationEntry | undefined {
    return this.#byName.get(`${module}.${operation}`);
  }

  /** Finds an operation by `module.name` or `module_name`, or by `name` if only one module has that name. */
  find(name: string): OperationEntry | undefined {
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

  /** For a name that a module's clients know but the server does not implement: the module and the reason. */
  findUnsupported(name: string): { module: Module; why: string } | undefined {
    for (const module of this.modules) {
      const why = unsupportedReason(module, name.replace(new RegExp(`^${module.name}[._]`), ''));
      if (why !== undefined) return { module, why };
    }
    return undefined;
  }
}

export interface OperationEntry {
  readonly module: Module;
  readonly operation: AnyOperation;
  /** Full name: `module.name`. */
  readonly name: string;
}

/** Operations of a specification and deprecated operations ignore unknown fields; others refuse them. */
export function ignoresUnknownFields({ module, operation }: OperationEntry): boolean {
  return operation.deprecated !== undefined || (module.specified?.includes(operation.name) ?? false);
}
