import type { TitledKind } from '../ports/title-lookup.ts';
import type { Caller, Context, Services } from '../context.ts';
import type { ResourceKind as ResourceKindName } from '../ports/permission-store.ts';
import type { PublicLink } from '../ports/public-link-store.ts';
import { commonErrorNames, type ErrorTable } from './errors.ts';
import type { AnyOperation } from './operation.ts';
import type { DocumentKind, ResourceKind } from './mcp-resource.ts';

export interface Module {
  /** First segment of the module's URL paths and prefix of its MCP tool names. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly errors: ErrorTable;
  readonly operations: Readonly<Record<string, AnyOperation>>;
  /** Input fields that nearly every operation has. The module's summary explains them, and tool lists omit them. */
  readonly explainedOnce?: readonly string[];
  /**
   * Id fields in the input of this module's operations that also accept a title, each with the kind of object that the
   * title names. They are in addition to the fields that accept titles in every module.
   */
  readonly titledFields?: Readonly<Record<string, TitledKind>>;
  /** Names of operations that a published specification defines. They behave exactly as specified. */
  readonly specified?: readonly string[];
  /**
   * Names of operations beyond the specification that clients need in practice. The default MCP tool list contains the
   * specified and the essential operations.
   */
  readonly essential?: readonly string[];
  /** Names of the operations in the shortest MCP tool list (`core`), for agents that can use only a few tools. */
  readonly core?: readonly string[];
  /**
   * Whether operations also accept the API key in an Authorization header, because clients of this module send it
   * there.
   */
  readonly bearerKeys?: true;
  /**
   * MCP path that serves only the operations in `specified`, as tools with dots in their names. Clients that are
   * written for the published specification connect to it.
   */
  readonly mcpAddress?: string;
  /**
   * Names of operations that clients may call but this server does not implement, each with the reason for the error
   * message.
   */
  readonly unsupported?: Readonly<Record<string, string>>;
  /** Authorizes subscriptions to live updates under the module's path. If omitted, the module has no live updates. */
  readonly watch?: SubscriptionResolver;
  /** Whether one request may contain several write calls of this module. */
  readonly batchCalls?: true;
  /** Read functions that a visitor with a public link may call. If omitted, there are none. */
  readonly publicReads?: PublicReads;
  /**
   * Kinds of objects for which public links exist. With such a link, a visitor can call the functions in `publicReads`.
   */
  readonly publicKinds?: readonly ResourceKindName[];
  /** Kinds of objects that can be read as MCP resources by their own URI. */
  readonly resources?: readonly ResourceKind[];
  /** Name of the operation that searches all modules. The MCP tool `search` calls it. */
  readonly searchAll?: string;
  /** Kinds of documents that the MCP tool `search` finds and `fetch` reads. */
  readonly documents?: readonly DocumentKind[];
  readonly chineseTitle?: string;
  /**
   * Set if an app with write access to this module could gain further rights, for example by creating API keys.
   * Connected apps then get only read access to it.
   */
  readonly appsMayOnlyRead?: true;
  /** Whether this module's error codes are used for errors that belong to no module: sign-in, keys and rate limits. */
  readonly answersForServer?: true;
}

/**
 * Authorizes a subscription and returns its topics, or throws a Failure. It is called again while the subscription is
 * open, to detect revoked access.
 */
export type SubscriptionResolver = (listener: {
  readonly caller: Caller;
  readonly services: Services;
  query(name: string): string | undefined;
}) => Promise<Subscription>;

export interface Subscription {
  readonly topic: string;
  /** Additional topics of which the subscription receives the events. */
  readonly also?: readonly string[];
  /** Returns whether the client receives an event of one of the topics. If omitted, the client receives all events. */
  readonly concerns?: (event: unknown, topic: string) => boolean;
  readonly first: unknown;
}

/**
 * Read functions for visitors with a public link, by name. Each returns the public parts of the linked object. The
 * names are independent of operation names.
 */
export type PublicReads = Readonly<
  Record<string, (input: Record<string, unknown>, guest: PublicLinkGuest) => Promise<Record<string, unknown>>>
>;

export interface PublicLinkGuest {
  readonly link: PublicLink;
  /** Context with the access rights of the user who created the public link. It must be used only for reading. */
  readonly context: Context;
}

export function unsupportedReason({ unsupported = {} }: Module, operation: string): string | undefined {
  return Object.hasOwn(unsupported, operation) ? `${operation} is not served: ${unsupported[operation]}` : undefined;
}

export function basePath(module: { readonly name: string }): string {
  return `/openapi/${module.name}/v1`;
}

/**
 * Checks the definition of a module for rules that types cannot express, and sets each operation's name to its key.
 * Throws when the server starts, so that a faulty module never affects a request.
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

  /**
   * Finds an operation by `module.name` or `module_name`, or by `name` alone if only one module has an operation with
   * that name.
   */
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
   * Finds an operation that clients know but the server does not implement. Returns its module and the reason, or
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
  /** Full name of the operation: `module.name`. */
  readonly name: string;
}

/**
 * Returns whether an operation ignores unknown fields. Deprecated operations and those that a published specification
 * defines ignore them; all others refuse them.
 */
export function ignoresUnknownFields({ module, operation }: OperationEntry): boolean {
  return operation.deprecated !== undefined || (module.specified?.includes(operation.name) ?? false);
}
