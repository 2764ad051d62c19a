import { firstLine, outputSchema, publishedInputSchema, toolName, type JsonSchema } from './describe-operation.ts';
import { basePath, type OperationEntry, type Module, type Registry } from './module.ts';
import type { AnyOperation } from './operation.ts';

interface OpenApiOptions {
  readonly url: string;
  readonly version: string;
  /** Prefix of the headers `<prefix>-clientid` and `<prefix>-apikey`. */
  readonly prefix: string;
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A repeated request with the same key within 24 hours returns the first response and changes nothing.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
};

const reason: JsonSchema = {
  type: 'string',
  maxLength: 500,
  description: 'Why the write is made; the history and the audit log keep it.',
};

export function buildOpenApi(registry: Registry, { url, version, prefix }: OpenApiOptions): Record<string, unknown> {
  const paths: Record<string, unknown> = {};
  for (const entry of registry.entries())
    paths[`${basePath(entry.module)}/${entry.operation.name}`] = { post: operationObject(entry) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'sheaf',
      version,
      description: 'Knowledge bases, notes and spreadsheets for people and agents.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    tags: registry.modules.map((module) => ({ name: module.name, description: module.summary })),
    paths,
    components: {
      schemas: { Failure: failureSchema },
      securitySchemes: {
        clientId: { type: 'apiKey', in: 'header', name: `${prefix}-clientid` },
        apiKey: { type: 'apiKey', in: 'header', name: `${prefix}-apikey` },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function operationObject(entry: OperationEntry): Record<string, unknown> {
  const { module, operation } = entry;
  return {
    operationId: toolName(entry),
    tags: [module.name],
    summary: firstLine(operation.summary),
    description: operation.summary,
    // State that the API key is also accepted without a client id, because some programs can send only one header.
    security: [{ apiKey: [] }, { clientId: [], apiKey: [] }, ...(module.bearerKeys ? [{ bearer: [] }] : [])],
    ...(operation.effect === 'read' ? {} : { parameters: [idempotencyKey] }),
    requestBody: { required: true, content: { 'application/json': { schema: bodySchema(operation) } } },
    responses: {
      '200': {
        description: 'The result, or an error with its code.',
        content: { 'application/json': { schema: { oneOf: [success(outputSchema(operation)), failureReference] } } },
      },
      ...failures(module),
    },
  };
}

function bodySchema(operation: AnyOperation): JsonSchema {
  const schema = publishedInputSchema(operation);
  return operation.effect === 'read' ? schema : { ...schema, properties: { ...schema.properties, reason } };
}

function failures({ errors }: Module): Record<string, unknown> {
  const failure = (description: string) => ({
    description,
    content: { 'application/json': { schema: failureReference } },
  });
  const retryAfter = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } };
  return {
    '401': failure(`Authentication failed (code ${errors.unauthenticated.code}).`),
    '413': failure(`The body is larger than 16 MiB (code ${errors.invalid_parameter.code}).`),
    '415': failure(`The body is not JSON (code ${errors.invalid_parameter.code}).`),
    '429': { ...failure(`Rate limited (code ${errors.rate_limited.code}).`), headers: retryAfter },
    '500': failure(`Internal error (code ${errors.internal.code}); the server log has details under the request id.`),
    default: failure('Any other refusal.'),
  };
}

function success(data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { code: { type: 'integer', const: 0 }, msg: { type: 'string' }, data },
    required: ['code', 'msg', 'data'],
  };
}

const failureReference = { $ref: '#/components/schemas/Failure' };

const failureSchema: JsonSchema = {
  type: 'object',
  description: 'Refused: code is the number of the reason, which the documentation of the module lists.',
  properties: {
    code: { type: 'integer', minimum: 1 },
    msg: { type: 'string', description: 'The field, the rule and the value.' },
    data: { type: 'object', description: 'What a program needs to know beside the number; usually empty.' },
    error: { type: 'string', description: 'The same as msg.' },
    trace_id: { type: 'string', description: 'The request id, as the server log has it.' },
  },
  required: ['code', 'msg', 'data', 'error'],
};
