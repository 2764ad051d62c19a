/**
 * What the official conformance suite asks of a server under test beside its own tools: tools, prompts and resources of given
 * names and contents. Everything they need of the protocol (streams, sealed states, subscriptions, headers) is the product's.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { RpcError } from '../../src/transports/mcp/json-rpc.ts';
import { refuseWithoutTasks } from '../../src/transports/mcp/tasks.ts';
import type { AddedRequest, AddedTool, ListKind, McpAdditions } from '../../src/transports/mcp/additions.ts';

type Result = Record<string, unknown>;

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const text = (words: string): Result => ({ type: 'text', text: words });
const said = (words: string): Result => ({ content: [text(words)] });
const image = { type: 'image', data: png, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, words: string): Result => ({
  type: 'resource',
  resource: { uri, mimeType, text: words },
});
const message = (content: Result): Result => ({ role: 'user', content });

const form = (words: string, name: string, type = 'string'): Result => ({
  method: 'elicitation/create',
  params: {
    message: words,
    requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] },
  },
});
const sampling = (words: string): Result => ({
  method: 'sampling/createMessage',
  params: { messages: [message(text(words))], maxTokens: 100 },
});
const roots = { method: 'roots/list', params: {} };

function asks(inputRequests: Result, requestState?: string): Result {
  return { resultType: 'input_required', inputRequests, ...(requestState === undefined ? {} : { requestState }) };
}

/** What was answered to a question, if it fits it. */
function filled({ params }: AddedRequest, question: string, field: string, type = 'string'): unknown {
  const response = (params['inputResponses'] as Result | undefined)?.[question] as Result | undefined;
  const value = (response?.['content'] as Result | undefined)?.[field];
  return response?.['action'] === 'accept' && typeof value === type ? value : undefined;
}

function answered({ params }: AddedRequest, question: string): Result | undefined {
  return (params['inputResponses'] as Result | undefined)?.[question] as Result | undefined;
}

/** The state that was sealed when something was asked; a changed one is refused. */
function stateOf(request: AddedRequest): Result | undefined {
  const state = request.params['requestState'];
  if (state === undefined) return undefined;
  const opened = typeof state === 'string' ? request.unseal(state) : undefined;
  if (opened === undefined) throw new RpcError(-32602, 'requestState: was changed');
  return JSON.parse(opened) as Result;
}

const listeners: Record<ListKind, Set<() => void>> = { tools: new Set(), prompts: new Set() };

function changes(kind: ListKind): AddedTool {
  return {
    description: `Says that the list of ${kind} changed.`,
    call() {
      for (const tell of listeners[kind]) tell();
      return said('told');
    },
  };
}

const empty = { type: 'object', properties: {} };

/** For so long, unless it is ended before. */
async function sleeps(seconds: number, signal: AbortSignal): Promise<boolean> {
  return sleep(seconds * 1000, true, { signal }).catch(() => false);
}

const failed = (words: string): Result => ({ ...said(words), isError: true });
const properties = (fields: Record<string, string>): Result => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type }])),
});
const argumentsOf = ({ params }: AddedRequest): Result => (params['arguments'] ?? {}) as Result;

/** Of the extension for tasks. */
const taskTools: Record<string, AddedTool> = {
  greet: {
    description: 'Greets.',
    inputSchema: properties({ name: 'string' }),
    call: (request) => said(`Hello, ${String(argumentsOf(request)['name'])}!`),
  },
  slow_compute: {
    description: 'Takes its time.',
    inputSchema: properties({ seconds: 'number', label: 'string' }),
    call: (request) =>
      request.long(async (signal) =>
        (await sleeps(Number(argumentsOf(request)['seconds']), signal)) ? said('computed') : failed('ended'),
      ),
  },
  failing_job: {
    description: 'Fails after a while, as a task only.',
    inputSchema: empty,
    call(request) {
      refuseWithoutTasks(request.meta);
      return request.long(async (signal) => {
        await sleeps(1, signal);
        return failed('it failed');
      });
    },
  },
  confirm_delete: {
    description: 'Asks before it deletes, and so before it is a task.',
    inputSchema: properties({ filename: 'string' }),
    call: (request) =>
      filled(request, 'confirm', 'confirm', 'boolean') === true
        ? request.long(async () => said('deleted'))
        : asks({ confirm: form('Delete it?', 'confirm', 'boolean') }),
  },
  protocol_error_job: {
    description: 'Ends with an error of the protocol.',
    inputSchema: empty,
    call: (request) =>
      request.long(async (signal) => {
        await sleeps(0.1, signal);
        throw new RpcError(-32603, 'it broke');
      }),
  },
  test_tool_with_task: {
    description: 'Asks, and then is a task.',
    inputSchema: empty,
    call(request) {
      const name = filled(request, 'user_name', 'name');
      if (name === undefined) return asks({ user_name: form('What is your name?', 'name') });
      return request.long(async (signal) => {
        await sleeps(0.1, signal);
        return said(`Hello, ${String(name)}!`);
      });
    },
  },
};

const tools: Record<string, AddedTool> = {
  ...taskTools,
  test_simple_text: {
    description: 'Answers a text.',
    call: () => said('This is a simple text response for testing.'),
  },
  test_image_content: { description: 'Answers an image.', call: () => ({ content: [image] }) },
  test_audio_content: {
    description: 'Answers a sound.',
    call: () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }),
  },
  test_embedded_resource: {
    description: 'Answers a resource.',
    call: () => ({
      content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    }),
  },
  test_multiple_content_types: {
    description: 'Answers a text, an image and a resource.',
    call: () => ({
      content: [
        text('Multiple content types test:'),
        image,
        resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    }),
  },
  test_error_handling: {
    description: 'Always fails.',
    call: () => ({ isError: true, ...said('This tool intentionally returns an error for testing') }),
  },
  test_tool_with_progress: {
    description: 'Tells how far it is.',
    async call({ progress, meta }) {
      for (const done of [25, 50, 100]) {
        progress({ done, total: 100, message: `Completed step ${done} of 100` });
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return said(String(meta.progressToken ?? ''));
    },
  },
  test_missing_capability: {
    description: 'Needs a client that can sample.',
    call({ meta }) {
      if (meta.capabilities['sampling'] === undefined)
        throw new RpcError(-32021, 'missing required client capability: sampling', {
          data: { requiredCapabilities: { sampling: {} } },
          status: 400,
        });
      return said('sampled');
    },
  },
  test_streaming_elicitation: { description: 'Answers without asking anything.', call: () => said('done') },
  test_logging_tool: { description: 'Would log, if anybody asked it to.', call: () => said('done') },
  test_trigger_tool_change: { ...changes('tools'), hidden: true },
  test_trigger_prompt_change: { ...changes('prompts'), hidden: true },
  json_schema_2020_12_tool: {
    description: 'Takes what JSON Schema 2020-12 can say.',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    call: ({ params }) => said(`called with ${JSON.stringify(params['arguments'] ?? {})}`),
  },
  test_input_required_result_elicitation: {
    description: 'Asks for a name.',
    call(request) {
      const name = filled(request, 'user_name', 'name');
      return name === undefined
        ? asks({ user_name: form('What is your name?', 'name') })
        : said(`Hello, ${String(name)}!`);
    },
  },
  test_input_required_result_sampling: {
    description: 'Asks a model.',
    call(request) {
      const sample = answered(request, 'sample_request');
      if (!sample) return asks({ sample_request: sampling('What is the capital of France?') });
      return said(`Sampling result: ${String((sample['content'] as Result | undefined)?.['text'])}`);
    },
  },
  test_input_required_result_list_roots: {
    description: 'Asks for roots.',
    call(request) {
      const found = answered(request, 'roots_request');
      if (!found) return asks({ roots_request: roots });
      return said(`Found ${(found['roots'] as unknown[] | undefined)?.length ?? 0} root(s)`);
    },
  },
  test_input_required_result_request_state: {
    description: 'Asks to confirm, with a state.',
    call(request) {
      if (stateOf(request) && filled(request, 'confirm', 'ok', 'boolean') === true)
        return said('state-ok: requestState validated');
      return asks({ confirm: form('Please confirm', 'ok', 'boolean') }, request.seal('{"kind":"state"}'));
    },
  },
  test_input_required_result_tampered_state: {
    description: 'Asks to confirm, and refuses a changed state.',
    call(request) {
      if (stateOf(request) && answered(request, 'confirm')) return said('integrity-ok: state verified');
      return asks({ confirm: form('Please confirm', 'ok', 'boolean') }, request.seal('{"kind":"tamper"}'));
    },
  },
  test_input_required_result_multiple_inputs: {
    description: 'Asks for three things at once.',
    call(request) {
      const name = filled(request, 'user_name', 'name');
      const [greeting, found] = [answered(request, 'greeting'), answered(request, 'client_roots')];
      if (stateOf(request) && name !== undefined && greeting && found)
        return said(`${String(name)}: ${JSON.stringify(greeting['content'])}, ${JSON.stringify(found['roots'])}`);
      return asks(
        {
          user_name: form('What is your name?', 'name'),
          greeting: sampling('Generate a greeting'),
          client_roots: roots,
        },
        request.seal('{"kind":"many"}'),
      );
    },
  },
  test_input_required_result_multi_round: {
    description: 'Asks twice, one after the other.',
    call(request) {
      const { round, name } = stateOf(request) ?? {};
      const color = filled(request, 'step2', 'color');
      if (round === 2 && color !== undefined) return said(`${String(name)} likes ${String(color)}`);
      const first = filled(request, 'step1', 'name');
      if (round === 1 && first !== undefined)
        return asks(
          { step2: form('Step 2: What is your favorite color?', 'color') },
          request.seal(JSON.stringify({ round: 2, name: first })),
        );
      return asks({ step1: form('Step 1: What is your name?', 'name') }, request.seal('{"round":1}'));
    },
  },
  test_input_required_result_capabilities: {
    description: 'Asks only for what the client can do.',
    call(request) {
      const { elicitation, sampling: samples } = request.meta.capabilities;
      if (request.params['inputResponses'] !== undefined) return said('capabilities-ok');
      const questions = {
        ...(elicitation === undefined ? {} : { elicit_input: form('Elicitation input', 'value') }),
        ...(samples === undefined ? {} : { sample_input: sampling('Sample request') }),
      };
      return Object.keys(questions).length === 0 ? said('nothing to ask') : asks(questions, request.seal('{}'));
    },
  },
};

const prompts: McpAdditions['prompts'] = {
  test_simple_prompt: {
    description: 'Without arguments.',
    get: () => ({ messages: [message(text('This is a simple prompt for testing.'))] }),
  },
  test_prompt_with_arguments: {
    description: 'With two arguments.',
    arguments: [
      { name: 'arg1', description: 'First', required: true },
      { name: 'arg2', description: 'Second', required: true },
    ],
    get: ({ params }) => {
      const { arg1, arg2 } = params['arguments'] as Result;
      return {
        messages: [message(text(`Prompt with arguments: arg1='${String(arg1)}', arg2='${String(arg2)}'`))],
      };
    },
  },
  test_prompt_with_embedded_resource: {
    description: 'With a resource.',
    arguments: [{ name: 'resourceUri', description: 'Its address', required: true }],
    get: ({ params }) => ({
      messages: [
        message(
          resource(
            String((params['arguments'] as Result)['resourceUri']),
            'text/plain',
            'Embedded resource content for testing.',
          ),
        ),
        message(text('Please process the embedded resource above.')),
      ],
    }),
  },
  test_prompt_with_image: {
    description: 'With an image.',
    get: () => ({ messages: [message(image), message(text('Please analyze the image above.'))] }),
  },
  test_input_required_result_prompt: {
    description: 'Asks for a context.',
    get(request) {
      const context = filled(request, 'user_context', 'context');
      if (context === undefined) return asks({ user_context: form('What context should the prompt use?', 'context') });
      return { messages: [message(text(`Prompt with context: ${String(context)}`))] };
    },
  },
};

export const conformanceFixtures: McpAdditions = {
  tools: Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, { ...tool, inputSchema: tool.inputSchema ?? empty }]),
  ),
  prompts,
  resources: [
    { uri: 'test://static-text', name: 'Static text', description: 'A text.', mimeType: 'text/plain' },
    { uri: 'test://static-binary', name: 'Static image', description: 'An image.', mimeType: 'image/png' },
    { uri: 'test://watched-resource', name: 'Watched', description: 'A text.', mimeType: 'text/plain' },
  ],
  templates: [
    {
      uriTemplate: 'test://template/{id}/data',
      name: 'template',
      description: 'Data by id.',
      mimeType: 'application/json',
    },
  ],
  read(uri) {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    if (id !== undefined)
      return [
        {
          uri,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ];
    if (uri === 'test://static-binary') return [{ uri, mimeType: 'image/png', blob: png }];
    if (uri === 'test://static-text' || uri === 'test://watched-resource')
      return [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }];
    return undefined;
  },
  complete(params) {
    const { type } = params['ref'] as Result;
    return type === 'ref/prompt' ? { completion: { values: [], total: 0, hasMore: false } } : undefined;
  },
  listen(kind, tell) {
    listeners[kind].add(tell);
    return () => listeners[kind].delete(tell);
  },
};
