import { statSync } from 'node:fs';
import { z } from 'zod';
import { ocrDataFolder } from '@sheaf/files/text/ocr';
import { editDistance } from './lib/edit-distance.ts';
import { IpAddressSet } from './lib/ip-address-set.ts';

const words = (value: string) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
const list = (fallback: string, description: string) =>
  z.string().default(fallback).transform(words).describe(description);
const number = (fallback: number, min: number, max: number, description: string) => {
  const rule = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(rule).int(rule).min(min, rule).max(max, rule).default(fallback).describe(description);
};
const address = (description: string) =>
  z
    .url({ protocol: /^https?$/, error: 'must be an address starting with http:// or https://' })
    .optional()
    .describe(description);
function networks(value: string, context: z.RefinementCtx): IpAddressSet {
  try {
    return new IpAddressSet(words(value));
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
    return z.NEVER;
  }
}
const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** All settings with their names, defaults, validation rules and help texts. */
const configSchema = z.object({
  SHEAF_HOST: z.string().min(1).default('127.0.0.1').describe('address to listen on'),
  SHEAF_PORT: number(8787, 0, 65535, 'port to listen on; 0 = any free port'),
  SHEAF_DATA: z
    .string()
    .min(1)
    .default('./data')
    .describe('folder for the embedded database, files and credentials.json'),
  SHEAF_PUBLIC_URL: address('public address of the server, when behind a proxy'),
  SHEAF_NODE_URL: address('address at which the other nodes reach this one; unset = where it listens'),
  SHEAF_TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform(networks)
    .describe(
      'addresses or networks of trusted proxies, such as 127.0.0.1,10.0.0.0/8, whose X-Forwarded-For identifies the client for rate limits; empty = none',
    ),
  SHEAF_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional()
    .describe('PostgreSQL connection string; unset = SQLite in SHEAF_DATA'),
  SHEAF_DATABASE_DIRECT_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional()
    .describe('PostgreSQL itself, for live events, when SHEAF_DATABASE_URL goes through a pooler such as PgBouncer'),
  SHEAF_DATABASE_CONNECTIONS: number(16, 2, 1000, 'connections this node may open to PostgreSQL'),
  SHEAF_SEARCH_CONNECTIONS: number(4, 1, 100, 'connections beside those, for searching alone'),
  SHEAF_S3_ENDPOINT: address('S3-compatible object store; unset = files in SHEAF_DATA'),
  SHEAF_S3_BUCKET: z.string().min(3, 'must have at least 3 characters').optional().describe('bucket in that store'),
  SHEAF_S3_REGION: z.string().default('us-east-1').describe('region to sign for'),
  SHEAF_S3_ACCESS_KEY: z.string().optional().describe('access key of that store'),
  SHEAF_S3_SECRET_KEY: z.string().optional().describe('secret key of that store'),
  SHEAF_HEADER_PREFIXES: list('svc-openapi,ima-openapi', 'accepted prefixes for the -clientid and -apikey headers'),
  SHEAF_FETCH_ALLOW: list('', 'hosts or CIDRs that imports may fetch even though their address is private'),
  SHEAF_ARTICLE_HOSTS: list('mp.weixin.qq.com', 'hosts whose /s pages are articles (type 6)'),
  SHEAF_VIDEO_HOSTS: list(
    'www.bilibili.com,bilibili.com,m.bilibili.com,b23.tv,www.youtube.com,youtube.com,m.youtube.com,' +
      'youtu.be,v.qq.com,www.youku.com,v.youku.com,www.iqiyi.com,www.douyin.com,www.tiktok.com,vimeo.com',
    'hosts whose pages are videos, which are refused',
  ),
  SHEAF_BLOCKED_WORDS: list('', 'words that uploads and imports must not contain (code 110020); empty = off'),
  SHEAF_TRANSCRIBE_URL: address(
    'transcription endpoint for recordings (takes a form with file and model, returns text); unset = off',
  ),
  SHEAF_TRANSCRIBE_KEY: z.string().optional().describe('sent to that endpoint as Authorization: Bearer'),
  SHEAF_TRANSCRIBE_MODEL: z.string().min(1).default('whisper-1').describe('transcription model to request'),
  SHEAF_EMBED_URL: address(
    'embeddings endpoint for search by meaning (OpenAI-compatible: takes model and input, returns data[].embedding); unset = off',
  ),
  SHEAF_EMBED_KEY: z.string().optional().describe('sent to that endpoint as Authorization: Bearer'),
  SHEAF_EMBED_MODEL: z
    .string()
    .min(1)
    .max(200)
    .default('text-embedding-3-small')
    .describe('embedding model to request; another one makes all vectors anew'),
  SHEAF_DICTIONARY: z
    .string()
    .refine((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true, 'must be the path of a file')
    .optional()
    .describe(
      'Chinese and English dictionary in the CC-CEDICT text format (plain or .gz), for questions in the other language; unset = off',
    ),
  SHEAF_OCR: z
    .string()
    .regex(/^[a-z]{3}(_[a-z]+)?$/, 'must be a language such as chi_sim')
    .refine((language) => ocrDataFolder(language) !== undefined, {
      error: ({ input }) =>
        `needs packages that sheaf does not bring along: npm install tesseract.js@7 @tesseract.js-data/${String(input)}@1`,
    })
    .optional()
    .describe('OCR language that makes text in pictures searchable: chi_sim (Chinese and Latin); unset = off'),
  SHEAF_OIDC_ISSUER: address('OpenID provider by which people sign in, as it calls itself; unset = off'),
  SHEAF_OIDC_CLIENT_ID: z.string().min(1).optional().describe('client id of this server at that provider'),
  SHEAF_OIDC_CLIENT_SECRET: z.string().optional().describe('client secret at that provider; unset = a public client'),
  SHEAF_OIDC_NAME: z.string().min(1).max(60).default('single sign-on').describe('name of the provider on the button'),
  SHEAF_OIDC_SIGN_UP: z
    .enum(['off', 'on'], 'must be off or on')
    .default('off')
    .describe('whether people the provider knows and this server does not get an account'),
  SHEAF_RATE_LIMIT: number(50, 0, 1_000_000, 'requests per second per key, with bursts of four times that; 0 = off'),
  SHEAF_TASK_AFTER: number(
    2,
    0,
    3600,
    'seconds an import, an export or waiting for parsing goes on before an MCP client that knows tasks gets one',
  ),
  SHEAF_QUOTA_BYTES: number(10 * 2 ** 30, 0, Number.MAX_SAFE_INTEGER, 'bytes each user may store'),
  SHEAF_AUDIT_DAYS: number(0, 0, 36_500, 'days after which recorded writes (list_audit) are forgotten; 0 = never'),
  SHEAF_BACKUP_PASSPHRASE: z
    .string()
    .min(8, 'must have at least 8 characters')
    .optional()
    .describe(
      'passphrase under which backups include the secret that signs links; unset = a restored server creates a new secret',
    ),
  SHEAF_METRICS_TOKEN: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe('bearer token that /metrics asks for; unset = anyone who reaches the server may read it'),
  SHEAF_FAILURE_STATUS: z
    .enum(['200', 'http'], { error: 'must be 200 or http' })
    .default('200')
    .describe('HTTP status of failed calls by key: 200 with the code in the body, or http for 4xx and 5xx as well'),
  SHEAF_OTLP_URL: address(
    'OpenTelemetry receiver to send traces to, by OTLP over HTTP (/v1/traces is appended); unset = OTEL_EXPORTER_OTLP_ENDPOINT, else off',
  ),
  SHEAF_OTLP_HEADERS: z
    .string()
    .refine((value) => parsesHeaders(value), 'must be name=value pairs, separated by commas, values percent-encoded')
    .default('')
    .describe('headers for that receiver, such as authorization=Bearer%20...; unset = OTEL_EXPORTER_OTLP_HEADERS'),
  SHEAF_LOG_LEVEL: z
    .enum(logLevels, `must be one of ${logLevels.join(', ')}`)
    .default('info')
    .describe('log level for stderr'),
});

type Settings = z.output<typeof configSchema>;

export interface Config extends Settings {
  /** Whether every response is validated against its schema. True in tests and development. */
  readonly checkOutput: boolean;
}

export class ConfigError extends Error {}

/**
 * Parses HTTP headers in the form of the environment variable OTEL_EXPORTER_OTLP_HEADERS: `name=value` pairs, separated
 * by commas, with percent-encoded values. Throws if a pair has no name or is not encoded correctly.
 */
export function parseHeaders(value: string): Record<string, string> {
  return Object.fromEntries(
    words(value).map((pair) => {
      const [, name, encoded] = /^([\w-]+)\s*=\s*(.*)$/.exec(pair) ?? [];
      if (name === undefined) throw new Error(`${JSON.stringify(pair)} is no header`);
      return [name.toLowerCase(), decodeURIComponent(encoded!)];
    }),
  );
}

function parsesHeaders(value: string): boolean {
  try {
    return parseHeaders(value) !== undefined;
  } catch {
    return false;
  }
}

const prefix = 'SHEAF_';
/**
 * Standard environment variables of OpenTelemetry, by the setting with the same meaning. The variable is used if the
 * setting is not given.
 */
const standardNames: Readonly<Record<string, string>> = {
  SHEAF_OTLP_URL: 'OTEL_EXPORTER_OTLP_ENDPOINT',
  SHEAF_OTLP_HEADERS: 'OTEL_EXPORTER_OTLP_HEADERS',
};

/**
 * Returns the environment variables that begin with `SHEAF_` but are not settings, each with the setting that was
 * probably meant (undefined if no name is similar). They include variables that only the command line reads.
 */
export function unknownSettings(
  env: Record<string, string | undefined>,
): { name: string; meant: string | undefined }[] {
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !(name in configSchema.shape))
    .map((name) => ({ name, meant: nearestSetting(name.slice(prefix.length)) }));
}

/**
 * Returns the setting that was probably meant by a misspelled name (without its prefix). It differs from the name by at
 * most one letter, or by two in a name of six or more letters. Returns undefined if there is no such setting.
 */
function nearestSetting(name: string): string | undefined {
  const allowed = name.length < 6 ? 1 : 2;
  return Object.keys(configSchema.shape).find((known) => editDistance(known.slice(prefix.length), name) <= allowed);
}

export function readConfig(env: Record<string, string | undefined>, overrides: Partial<Config> = {}): Config {
  // Refuse an environment variable whose name is probably a misspelled setting. With a misspelled SHEAF_DATABASE_URL,
  // for example, the server would start on an empty SQLite database.
  const misspelled = unknownSettings(env).find(({ meant }) => meant !== undefined);
  if (misspelled)
    throw new ConfigError(`${misspelled.name}: there is no such setting; did you mean ${misspelled.meant}?`);
  // Treat an empty variable as unset, because Docker Compose files and shells pass unset variables as empty.
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => name in configSchema.shape && value !== ''),
  );
  for (const [name, standard] of Object.entries(standardNames)) given[name] ??= env[standard] || undefined;
  const parsed = configSchema.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    const name = String(issue.path[0]);
    throw new ConfigError(`${name}: ${issue.message} (got ${gotText(name, given[name] ?? '')})`);
  }
  const settings = parsed.data;
  if (settings.SHEAF_S3_ENDPOINT) {
    for (const name of ['SHEAF_S3_BUCKET', 'SHEAF_S3_ACCESS_KEY', 'SHEAF_S3_SECRET_KEY'] as const) {
      if (!settings[name]) throw new ConfigError(`${name}: is required when SHEAF_S3_ENDPOINT is set`);
    }
  }
  if (settings.SHEAF_OIDC_ISSUER && !settings.SHEAF_OIDC_CLIENT_ID)
    throw new ConfigError('SHEAF_OIDC_CLIENT_ID: is required when SHEAF_OIDC_ISSUER is set');
  return { checkOutput: env['NODE_ENV'] === 'development' || env['NODE_ENV'] === 'test', ...settings, ...overrides };
}

/**
 * Returns the text after `got` in the error message about an invalid setting. For a secret setting, it is one word that
 * only says how the value differs from the expected one, such as `fewer` for too few characters. For other settings, it
 * is the value without passwords.
 */
function gotText(name: string, value: string): string {
  if (['SHEAF_BACKUP_PASSPHRASE', 'SHEAF_METRICS_TOKEN'].includes(name)) return 'fewer';
  if (name === 'SHEAF_OTLP_HEADERS') return 'others';
  return JSON.stringify(withoutSecrets(value));
}

/**
 * Removes user names and passwords from URLs in a setting's value, because the error message with the value ends up in
 * logs.
 */
function withoutSecrets(value: string): string {
  return value.replace(/\/\/[^/@]*@/, '//***@');
}

export function configHelp(): string {
  const rows = Object.entries(configSchema.shape).map(([name, schema]) => {
    const fallback = schema.safeParse(undefined);
    const value = fallback.success && fallback.data !== undefined ? String(fallback.data) : '';
    return `  ${name.padEnd(24)}${schema.description}${value === '' ? '' : ` [${value}]`}`;
  });
  return rows.join('\n');
}
