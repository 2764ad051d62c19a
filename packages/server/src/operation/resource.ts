import type { Caller, Services } from '../context.ts';

/** Something with an address of its own, `sheaf://kind/...`, for agents that read rather than call. */
export interface ResourceKind {
  /** A URI template (RFC 6570) of path segments and one query, such as `sheaf://note/{id}`. */
  readonly template: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** Reads through operations, which decide who may. */
  read(values: ResourceValues, reach: Reach): Promise<ResourceContent>;
  /** What a variable of the template may be, best first; the others may be known already. */
  complete?(variable: string, begun: string, values: ResourceValues, reach: Reach): Promise<string[]>;
  /** Those that changed last, for lists to choose from. */
  recent?(reach: Reach): Promise<readonly RecentResource[]>;
  /** Whose news tell that it changed, or a refusal. */
  watch?(values: ResourceValues, reach: Reach): Promise<ResourceWatch>;
}

/** Text, or bytes as base64. */
export type ResourceContent = { readonly text: string; readonly mimeType?: string } | { readonly blob: string };

/** By the names of the template's variables. */
export type ResourceValues = Readonly<Record<string, string>>;

export interface RecentResource {
  readonly values: ResourceValues;
  readonly title: string;
}

export interface ResourceWatch {
  readonly topic: string;
  /** Whether this piece of news concerns it; all do, if omitted. */
  concerns?(news: unknown): boolean;
}

/** What a resource may reach: the services, and operations called as the caller, with the caller's scope and limits. */
export interface Reach {
  readonly caller: Caller;
  readonly services: Services;
  /** Ends when nobody waits for it any longer. */
  readonly signal: AbortSignal;
  call(operation: string, input: Record<string, unknown>): Promise<Record<string, unknown>>;
}

const variables = /\{\??(\w+)\}/g;

/** The address that the values make; a query variable without a value is left out. */
export function addressOf(template: string, values: ResourceValues): string {
  return template.replace(/\{(\??)(\w+)\}/g, (_all, query: string, name: string) => {
    const value = encodeURIComponent(values[name] ?? '');
    if (query === '') return value;
    return value === '' ? '' : `?${name}=${value}`;
  });
}

/** The values that make the address, or undefined where it is none of this template's. */
export function valuesOf(template: string, address: string): ResourceValues | undefined {
  const names = variablesOf(template);
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

export function variablesOf(template: string): string[] {
  return [...template.matchAll(variables)].map((one) => one[1]!);
}
