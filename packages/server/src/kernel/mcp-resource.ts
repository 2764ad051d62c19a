import type { Caller, Services } from '../context.ts';

/** A kind of MCP resource: an object with its own URI, `sheaf://kind/...`. */
export interface ResourceKind {
  /**
   * URI template (RFC 6570) that consists of path segments and at most one query variable, such as `sheaf://note/{id}`.
   */
  readonly template: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /**
   * Set if every API key may read the resource. `read` must then limit the content to the modules that the key may use.
   */
  readonly anyKey?: true;
  /**
   * Returns the content of the resource. Implementations must read it by calling operations, because these check
   * access.
   */
  read(values: ResourceValues, reach: ResourceContext): Promise<ResourceContent>;
  /**
   * Returns completions for a template variable, best match first. `begun` is the text that the user has typed so far,
   * and `values` holds the variables that are already known.
   */
  complete?(variable: string, begun: string, values: ResourceValues, reach: ResourceContext): Promise<string[]>;
  /** Returns the most recently changed objects, for resource lists. */
  recent?(reach: ResourceContext): Promise<readonly RecentResource[]>;
  /** Returns the topic whose events report changes to the resource. Throws a Failure if the caller has no access. */
  watch?(values: ResourceValues, reach: ResourceContext): Promise<ResourceWatch>;
}

/** A kind of document that the MCP tools `search` and `fetch` offer. */
export interface DocumentKind {
  /** Name of this kind of document in results of the search over all modules. */
  readonly kind: string;
  /**
   * Path of the web page of a document, as a URI template with the variables `id` and, if needed, `container` (such as
   * the id of the knowledge base that contains the document).
   */
  readonly page: string;
  /** Returns the document as text. Implementations must read it by calling operations, because these check access. */
  read(id: string, reach: ResourceContext): Promise<DocumentText>;
}

export interface DocumentText {
  readonly title: string;
  readonly text: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Maximum number of tokens of a document's text that the MCP tool `fetch` returns, so that one answer fits into a
 * model's context.
 */
export const maxDocumentTokens = 50_000;

export type ResourceContent = { readonly text: string; readonly mimeType?: string } | { readonly blob: string };

export type ResourceValues = Readonly<Record<string, string>>;

export interface RecentResource {
  readonly values: ResourceValues;
  readonly title: string;
}

export interface ResourceWatch {
  readonly topic: string;
  /** Returns whether the event affects the resource for this caller. If omitted, every event affects it. */
  concerns?(news: unknown): boolean | Promise<boolean>;
}

/**
 * What the code of an MCP resource can use to serve a caller: the services, and `call`, which runs an operation with
 * the caller's rights and rate limit.
 */
export interface ResourceContext {
  readonly caller: Caller;
  readonly services: Services;
  /** Signal that aborts when the client no longer waits for the result. */
  readonly signal: AbortSignal;
  call(operation: string, input: Record<string, unknown>): Promise<Record<string, unknown>>;
}

const variables = /\{\??(\w+)\}/g;

/** Expands the template to a URI. A query variable without a value is omitted. */
export function expandUriTemplate(template: string, values: ResourceValues): string {
  return template.replace(/\{(\??)(\w+)\}/g, (_all, query: string, name: string) => {
    const value = encodeURIComponent(values[name] ?? '');
    if (query === '') return value;
    return value === '' ? '' : `?${name}=${value}`;
  });
}

/** Extracts the values of the template's variables from a URI. Returns undefined if the URI does not match. */
export function matchUriTemplate(template: string, address: string): ResourceValues | undefined {
  const names = templateVariables(template);
  const pattern = template
    .replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
    .replace(/\{\\\?(\w+)\}/g, String.raw`(?:\?$1=([^&#]*))?`)
    .replace(/\{\w+\}/g, '([^/?#]+)');
  const found = new RegExp(`^${pattern}$`).exec(address);
  if (!found) return undefined;
  try {
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]));
  } catch {
    return undefined;
  }
}

export function templateVariables(template: string): string[] {
  return [...template.matchAll(variables)].map((one) => one[1]!);
}
