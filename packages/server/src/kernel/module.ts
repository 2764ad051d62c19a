import type { Caller, Context, Services } from '../context.ts';
import type { ResourceKind as ResourceKindName } from '../ports/permission-store.ts';
import type { PublicLink } from '../ports/public-link-store.ts';
import { commonErrorNames, type ErrorTable } from './errors.ts';
import type { AnyOperation } from './operation.ts';
import type { DocumentKind, ResourceKind } from './mcp-resource.ts';

export interface Module {
  /** Segment of the module's URL paths, and prefix of the names of its MCP tools. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly errors: ErrorTable;
  readonly operations: Readonly<Record<string, AnyOperation>>;
  /** Input fields that nearly every operation has and that the module's summary explains. Tool lists omit them. */
  readonly explainedOnce?: readonly string[];
  /**
   * Names of the operations of a published specification, which behave exactly as specified. The other operations are
   * our own.
   */
  readonly specified?: readonly string[];
  /**
   * Our own operations that clients of the specified operations need in practice. Tool lists begin with the specified
   * and the essential operations.
   */
  readonly essential?: readonly string[];
  /** Operations to list for an agent with a small tool budget. */
  readonly core?: readonly string[];
  /**
   * Whether operations also accept the API key in an Authorization header, because the module's clients send it there.
   */
  readonly bearerKeys?: true;
  /** MCP path that serves only the specified tools, with dots in their names, for the module's clients. */
  readonly mcpAddress?: string;
  /**
   * Operations that clients know but this server does not implement. Maps each name to the reason that the error
   * message gives.
   */
  readonly unsupported?: Readonly<Record<string, string>>;
  /** Authorizes live updates under the module's path. If omitted, the module has none. */
  readonly watch?: SubscriptionResolver;
  /** Whether one request may contain several write calls. */
  readonly batchCalls?: true;
  /** Reads that a visitor with a public link may make. If omitted, there are none. */
  readonly publicReads?: PublicReads;
  /** Kinds of objects whose public links give access to these reads. */
  readonly publicKinds?: readonly ResourceKindName[];
  /** Kinds of objects that can be read as MCP resources by their own URI. */
  readonly resources?: readonly ResourceKind[];
  /** Name of the operation that searches all modules. The MCP tool `search` calls it. */
  readonly searchAll?: string;
  /** Kinds of documents that the MCP tool `search` finds and `fetch` reads. */
  readonly documents?: readonly DocumentKind[];
  readonly chineseTitle?: string;
  /**
   * Set if write access to this module would allow a privilege escalation. Connected apps then get read access only.
   */
  readonly appsMayOnlyRead?: true;
  /**
   * Whether the module's error codes are used for server-wide refusals that belong to no module: sign-in, keys, limits.
   */
  readonly answersForServer?: true;
}

/**
 * Authorizes a subscription and returns its topics, or throws a Failure. Called again while the subscription is open,
 * to detect revoked access.
 */
export type SubscriptionResolver = (listener: {
  readonly caller: Caller;
  readonly services: Services;
  query(name: string): string | undefined;
}) => Promise<Subscription>;

export interface Subscription {
  readonly topic: string;
  /** Further topics that the subscription receives. */
  readonly also?: readonly string[];
  /** Whether the client gets an event of one of the topics. If omitted, it gets all. */
  readonly concerns?: (event: unknown, topic: string) => boolean;
  readonly first: unknown;
}

/**
 * Reads for visitors with a public link, by name. Each returns the public parts of the linked object. The names are
 * separate from the names of operations.
 */
export type PublicReads = Readonly<
  Record<string, (input: Record<string, unknown>, guest: PublicLinkGuest) => Promise<Record<string, unknown>>>
>;

export interface PublicLinkGuest {
  readonly link: PublicLink;
  /** Context with the rights of the link's creator. It may be used only for reading. */
  readonly context: Context;
}

export function unsupportedReason({ unsupported = {} }: Module, operation: string): string | undefined {
  return Object.hasOwn(unsupported, operation) ? `${operation} is not served: ${unsupported[operation]}` : undefined;
}

export function basePath(module: { readonly name: string }): string {
  return `/openapi/${module.name}/v1`;
}

/**
 * Names the operations by their keys, and checks rules that types cannot express. Throws at the server's start, so that
 * a faulty module never affects a request.
 */
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

  /** Module whose error codes are used for requests that belong to no module. */
  get serverModule(): Module {
    return this.modules.find((module) => module.answersForServer) ?? this.modules[0]!;
  }

  findByPath(path: string): Module | undefined {
    return this.modules.find((module) => path.startsWith(`${basePath(module)}/`));
  }

  module(name: string): Module | undefined {
    return this.modules.find((module) => module.name === name);
  }

  get(module: string, operation: string): OperationEntry | undefined {
    return this.#byName.get(`${module}.${operation}`);
  }

  /** Finds an operation by `module.name` or `module_name`, or by `name` alone if only one module has that name. */
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

  /**
   * Finds a name that a module's clients know but the server does not implement. Returns the module and the reason, or
   * undefined.
   */
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

/**
 * Returns whether an operation ignores unknown fields. Operations of a specification and deprecated operations do;
 * others refuse them.
 */
export function ignoresUnknownFields({ module, operation }: OperationEntry): boolean {
  return operation.deprecated !== undefined || (module.specified?.includes(operation.name) ?? false);
}
