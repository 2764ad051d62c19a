import type { App } from '../../app.ts';
import type { Caller } from '../../context.ts';
import { decodeCursor, encodeCursor } from '../../lib/cursor.ts';
import { renderModuleMarkdown } from '../../kernel/markdown-docs.ts';
import { Failure, fail } from '../../kernel/errors.ts';
import type { Call } from '../../kernel/invoker.ts';
import { RawJson } from '../../kernel/raw-json.ts';
import { formatValue } from '../../kernel/parse-input.ts';
import {
  expandUriTemplate,
  matchUriTemplate,
  templateVariables,
  type ResourceContext,
  type ResourceKind,
  type ResourceValues,
} from '../../kernel/mcp-resource.ts';
import { noCache, publicCache, type CacheHint } from './result-format.ts';
import { skillResources } from './skill-methods.ts';
import { rpcErrorCodes, isObject, RpcError } from './json-rpc.ts';

const documentation = 'sheaf://docs/';
const markdown = 'text/markdown';
const maxCompletions = 100;
const maxCompletedLength = 200;

export interface ResolvedResource {
  readonly kind: ResourceKind;
  readonly values: ResourceValues;
}

/**
 * Lists and reads MCP resources: the documentation of each module (a group of operations, such as those on notes), and
 * the kinds of resources that the modules declare, such as notes.
 */
export class Resources {
  readonly #app: App;
  readonly #call: Call;

  constructor(app: App, call: Call) {
    this.#app = app;
    this.#call = call;
  }

  templates(): unknown[] {
    return this.#kinds()
      .filter(({ template }) => templateVariables(template).length > 0)
      .map(({ template, name, title, description, mimeType }) => ({
        uriTemplate: template,
        name,
        title,
        description,
        mimeType,
      }));
  }

  /** Lists the resource kinds with exactly one resource. Their URI templates have no variables. */
  #single(): unknown[] {
    return this.#kinds()
      .filter(({ template }) => templateVariables(template).length === 0)
      .map(({ template, name, title, description, mimeType }) => ({
        uri: template,
        name,
        title,
        description,
        mimeType,
      }));
  }

  /**
   * Lists resources. The first page has the documentation, the skills (instructions for agents) and the kinds with a
   * single resource. Each further page has the recently changed objects of one kind.
   */
  async list(cursor: unknown): Promise<Record<string, unknown>> {
    const listed = this.#kinds().filter((kind) => kind.recent !== undefined);
    if (cursor === undefined)
      return { resources: [...this.#documentation(), ...this.#single(), ...skillResources()], ...after(listed, 0) };
    const place = typeof cursor === 'string' ? decodeCursor('resources', cursor)?.[0] : undefined;
    const kind = typeof place === 'number' ? listed[place] : undefined;
    if (!kind)
      throw new RpcError(
        rpcErrorCodes.invalidParams,
        `cursor: must be the nextCursor of the previous page (got ${formatValue(cursor)})`,
      );
    const recent = await kind.recent!(this.contextFor());
    const resources = recent.map(({ values, title }) => ({
      uri: expandUriTemplate(kind.template, values),
      name: title === '' ? kind.name : title,
      mimeType: kind.mimeType,
    }));
    return { resources, ...after(listed, (place as number) + 1) };
  }

  async read(uri: string): Promise<{ result: Record<string, unknown>; cache: CacheHint }> {
    const { registry } = this.#app;
    const module = uri.startsWith(documentation) ? registry.module(uri.slice(documentation.length)) : undefined;
    if (module)
      return {
        result: { contents: [{ uri, mimeType: markdown, text: renderModuleMarkdown(module) }] },
        cache: publicCache,
      };
    const { kind, values } = this.find(uri);
    const content = await kind.read(values, this.contextFor());
    return { result: { contents: [{ uri, mimeType: kind.mimeType, ...content }] }, cache: noCache };
  }

  /**
   * Returns the kind of resource whose template matches the URI, and the values of the template's variables. Throws
   * `no_such_resource` if no kind matches.
   */
  find(uri: string): ResolvedResource {
    for (const kind of this.#kinds()) {
      const values = matchUriTemplate(kind.template, uri);
      if (values) return { kind, values };
    }
    throw fail('no_such_resource', `there is no resource ${formatValue(uri)}`);
  }

  async complete(params: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
    const { ref, argument, context } = params;
    const template = isObject(ref) && ref['type'] === 'ref/resource' ? ref['uri'] : undefined;
    const kind = this.#kinds().find((one) => one.template === template);
    if (!kind)
      throw new RpcError(
        rpcErrorCodes.invalidParams,
        `ref: must be the uriTemplate of a resource template (got ${formatValue(isObject(ref) ? (ref['uri'] ?? ref['name']) : ref)})`,
      );
    const { name, value } = isObject(argument) ? argument : {};
    if (typeof name !== 'string' || !templateVariables(kind.template).includes(name))
      throw new RpcError(
        rpcErrorCodes.invalidParams,
        `argument.name: must be one of ${templateVariables(kind.template).join(', ')} (got ${formatValue(name)})`,
      );
    if (typeof value !== 'string' || value.length > maxCompletedLength)
      throw new RpcError(
        rpcErrorCodes.invalidParams,
        `argument.value: must be a string of at most ${maxCompletedLength} characters (got ${formatValue(value)})`,
      );
    const given = isObject(context) && isObject(context['arguments']) ? context['arguments'] : {};
    const values = Object.fromEntries(
      Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
    const found = (await kind.complete?.(name, value, values, this.contextFor()).catch(nothingFound)) ?? [];
    return { completion: { values: found.slice(0, maxCompletions), hasMore: found.length > maxCompletions } };
  }

  contextFor(caller: Caller = this.#call.caller): ResourceContext {
    const { registry, invoker, services } = this.#app;
    return {
      caller,
      services,
      signal: this.#call.signal,
      call: async (name, input) => {
        const entry = registry.find(name);
        if (!entry) throw new Error(`a resource calls ${name}, which there is not`);
        const answer = await invoker.invoke(entry, input, { ...this.#call, caller });
        if (answer.word !== 'ok') throw fail(answer.word, answer.msg, { retryAfter: answer.retryAfter });
        return answer.data instanceof RawJson ? (answer.data.parse() as Record<string, unknown>) : answer.data;
      },
    };
  }

  /**
   * Returns the kinds of MCP resources of the modules that the caller's key may use, and the kinds that any key may
   * use.
   */
  #kinds(): ResourceKind[] {
    const { modules } = this.#call.caller;
    return this.#app.registry.modules.flatMap(({ name, resources = [] }) =>
      resources.filter(({ anyKey }) => anyKey || modules.includes('*') || modules.includes(name)),
    );
  }

  #documentation(): unknown[] {
    return this.#app.registry.modules.map(({ name, title }) => ({
      uri: `${documentation}${name}`,
      name,
      title,
      description: `Every operation of ${name} with its fields and error numbers.`,
      mimeType: markdown,
    }));
  }
}

function after(listed: readonly ResourceKind[], place: number): { nextCursor?: string } {
  return place < listed.length ? { nextCursor: encodeCursor('resources', [place]) } : {};
}

/**
 * Handles an error of a search for completions: returns no completions, as if nothing were found. Throws rate limit
 * errors and internal errors again.
 */
function nothingFound(error: unknown): string[] {
  if (error instanceof Failure && error.word !== 'rate_limited' && error.word !== 'internal') return [];
  throw error;
}
