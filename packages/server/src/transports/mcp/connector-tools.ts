import { fail } from '../../kernel/errors.ts';
import {
  expandUriTemplate,
  matchUriTemplate,
  type DocumentKind,
  type ResourceContext,
} from '../../kernel/mcp-resource.ts';
import type { Module } from '../../kernel/module.ts';
import { formatValue } from '../../kernel/parse-input.ts';
import { readArguments } from './meta-tools.ts';

/**
 * The MCP tools `search` and `fetch`. ChatGPT's connectors and deep research require tools with these names, arguments
 * and answers.
 */
export const connectorTools = [
  {
    name: 'search',
    title: 'Search everything',
    description:
      'Searches files, web pages, notes and spreadsheets. Returns ids for fetch, titles and addresses to cite.\n' +
      'Example: {"query":"refund policy"}',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'Words to search for.' } },
      required: ['query'],
    },
    outputSchema: {
      type: 'object',
      properties: {
        results: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              id: { type: 'string' },
              title: { type: 'string' },
              url: { type: 'string' },
              text: { type: 'string' },
            },
            required: ['id', 'title', 'url'],
          },
        },
      },
      required: ['results'],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'fetch',
    title: 'Read one result',
    description: 'Returns the text of a file, web page, note or spreadsheet that search found.',
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'string', description: 'An id of search, or the address of a page here.' } },
      required: ['id'],
    },
    outputSchema: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        title: { type: 'string' },
        text: { type: 'string' },
        url: { type: 'string' },
        metadata: { type: 'object', additionalProperties: { type: 'string' } },
      },
      required: ['id', 'title', 'text', 'url'],
    },
    annotations: { readOnlyHint: true },
  },
] as const;

export type ConnectorTool = (typeof connectorTools)[number]['name'];

export function isConnectorTool(name: string): name is ConnectorTool {
  return connectorTools.some((tool) => tool.name === name);
}

const maxResults = 10;
const maxIdLength = 500;

type Data = Record<string, unknown>;

interface Found {
  kind: string;
  id: string;
  title: string;
  container_id?: string;
  highlight_content?: string;
}

/**
 * Runs the tools `search` and `fetch`, which ChatGPT's connectors require, with the rights of the caller in `reach`.
 * `url` is the public address of the server.
 */
export class ConnectorCalls {
  readonly #modules: readonly Module[];
  readonly #reach: ResourceContext;
  readonly #url: string;

  constructor(modules: readonly Module[], reach: ResourceContext, url: string) {
    this.#modules = modules;
    this.#reach = reach;
    this.#url = url;
  }

  run(name: ConnectorTool, given: unknown): Promise<Data> {
    const input = readArguments(given, 'the arguments');
    return name === 'search' ? this.#findDocuments(input['query']) : this.#readDocument(input['id']);
  }

  async #findDocuments(query: unknown): Promise<Data> {
    const module = this.#modules.find((one) => one.searchAll !== undefined)!;
    const documents = this.#documents();
    const answer = await this.#reach.call(`${module.name}.${module.searchAll}`, {
      query,
      limit: maxResults,
      kinds: documents.map(({ kind }) => kind),
    });
    const results = (answer['info_list'] as Found[]).flatMap(({ kind, id, title, ...found }) => {
      const page = documents.find((one) => one.kind === kind)?.page;
      if (page === undefined) return [];
      const path = expandUriTemplate(page, { id, container: found.container_id ?? '' });
      const text = found.highlight_content?.replace(/<\/?em>/g, '');
      return [{ id: path, title, url: this.#url + path, ...(text === undefined ? {} : { text }) }];
    });
    return { results };
  }

  async #readDocument(id: unknown): Promise<Data> {
    if (typeof id !== 'string' || id === '' || id.length > maxIdLength)
      throw fail('invalid_parameter', `id: must be an id of search (got ${formatValue(id)})`);
    const path = id.startsWith(`${this.#url}/`) ? id.slice(this.#url.length) : id;
    for (const { page, read } of this.#documents()) {
      const values = matchUriTemplate(page, path);
      if (values) return { id: path, ...(await read(values['id']!, this.#reach)), url: this.#url + path };
    }
    throw fail('invalid_parameter', `id: must be an id of search, such as /notes/note_... (got ${formatValue(id)})`);
  }

  #documents(): DocumentKind[] {
    return this.#modules.flatMap(({ documents }) => documents ?? []);
  }
}
