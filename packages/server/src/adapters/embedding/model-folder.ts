import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { sha256 } from '../../lib/hash.ts';
import type { ModelSettings } from './model-record.ts';

/** Thrown if a folder contains no usable model. The message is shown to the user. */
export class ModelError extends Error {}

/** Possible paths of the weights in a model's folder, in order of preference. Quantized weights are smaller. */
export const weightPaths = ['onnx/model_quantized.onnx', 'onnx/model.onnx', 'model_quantized.onnx', 'model.onnx'];
/** Files of a model besides its weights. The value is true if every model must have the file. */
export const sideFiles = {
  'tokenizer.json': true,
  'tokenizer_config.json': false,
  'config.json': false,
  '1_Pooling/config.json': false,
};
export const maxWeightBytes = 2 ** 30;
export const maxSideBytes = 64 * 2 ** 20;

export interface ModelFolder {
  settings: ModelSettings;
  weights: { path: string; bytes: number; sha256: string };
  tokenizer: { text: string; bytes: number; sha256: string };
}

/** Settings of model families that differ from the defaults. `name` matches a part of the model's name. */
const families: readonly { name: RegExp; settings: Partial<ModelSettings> }[] = [
  // With the E5 models, even unrelated texts have a cosine similarity of about 0.7, according to the authors. The
  // search therefore counts 0.7 (`baseline`) as no similarity.
  { name: /\be5\b/i, settings: { queryPrefix: 'query: ', passagePrefix: 'passage: ', baseline: 0.7 } },
  {
    name: /^bge-.*-en/i,
    settings: { queryPrefix: 'Represent this sentence for searching relevant passages: ', pooling: 'cls' },
  },
];
/** Maximum number of tokens per text. Longer texts need much memory, and passages are shorter anyway. */
const maxTokens = 512;

export interface FolderOptions {
  name?: string | undefined;
  source?: string | undefined;
  /** Path of the weights in the folder. Default: the first of `weightPaths`. */
  weights?: string | undefined;
  settings: Partial<Pick<ModelSettings, 'pooling' | 'queryPrefix' | 'passagePrefix' | 'share' | 'baseline'>>;
}

/** Reads a folder that contains a model in ONNX format and its tokenizer, in the layout that model hubs use. */
export async function readModelFolder(folder: string, options: FolderOptions): Promise<ModelFolder> {
  const root = resolve(folder);
  const weights = findWeights(root, options.weights);
  const [tokenizer, tokenizerConfig, config, pooling] = await Promise.all(
    Object.entries(sideFiles).map(([file, isRequired]) => readJson(root, file, isRequired)),
  );
  const { size } = await stat(weights);
  if (size > maxWeightBytes)
    throw new ModelError(`${weights} has ${size} bytes; a model may have at most ${maxWeightBytes}`);
  const name = options.name ?? basename(root);
  const family = families.find((one) => one.name.test(name))?.settings ?? {};
  const text = JSON.stringify({ tokenizer, config: tokenizerConfig ?? {} });
  return {
    settings: {
      name,
      source: options.source ?? basename(root),
      pooling: pooling?.['pooling_mode_cls_token'] === true ? 'cls' : 'mean',
      queryPrefix: '',
      passagePrefix: '',
      maxTokens: tokenLimit(tokenizerConfig?.['model_max_length'], config?.['max_position_embeddings']),
      share: 0.5,
      baseline: 0,
      ...family,
      ...options.settings,
    },
    weights: { path: weights, bytes: size, sha256: await hashFile(weights) },
    tokenizer: { text, bytes: Buffer.byteLength(text), sha256: sha256(text) },
  };
}

function findWeights(root: string, given: string | undefined): string {
  const paths = (given === undefined ? weightPaths : [given]).map((path) => resolve(root, path));
  const outside = paths.find((path) => !path.startsWith(root + sep));
  if (outside !== undefined) throw new ModelError(`${outside} is not in the folder ${root}`);
  const found = paths.find((path) => existsSync(path));
  if (found === undefined)
    throw new ModelError(`${root} has none of ${(given === undefined ? weightPaths : [given]).join(', ')}`);
  return found;
}

async function readJson(root: string, file: string, isRequired: boolean): Promise<Record<string, unknown> | undefined> {
  const path = join(root, file);
  if (!existsSync(path)) {
    if (isRequired) throw new ModelError(`${root} has no ${file}`);
    return undefined;
  }
  const { size } = await stat(path);
  if (size > maxSideBytes) throw new ModelError(`${path} has ${size} bytes; it may have at most ${maxSideBytes}`);
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof SyntaxError) throw new ModelError(`${path} is not valid JSON`);
    throw error;
  }
}

function tokenLimit(...limits: unknown[]): number {
  const known = limits.filter((limit): limit is number => typeof limit === 'number' && limit >= 8);
  return Math.floor(Math.min(maxTokens, ...known));
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}
