import { Tokenizer } from '@huggingface/tokenizers';
import type { InferenceSession, Tensor, TypedTensor } from 'onnxruntime-web';
import { handleWorkerTasks } from '../../lib/handle-worker-tasks.ts';
import type { EmbeddingTask } from './embedding-worker-protocol.ts';

interface Model {
  tokenizer: Tokenizer;
  session: InferenceSession;
  toTensor: (numbers: readonly number[]) => Tensor;
  pooling: 'mean' | 'cls';
  maxTokens: number;
}

/**
 * Maximum number of characters per allowed token. A longer text is cut before it is tokenized. In every language,
 * tokens have fewer than 12 characters on average, so the cut removes only text beyond the token limit.
 */
const maxCharsPerToken = 12;

let loaded: Promise<Model> | undefined;

handleWorkerTasks<EmbeddingTask>({
  async perform(task) {
    if (task.kind === 'embed') return embed((await loaded)!, task.text);
    loaded = load(task);
    await loaded;
  },
});

async function load({ files, pooling, maxTokens }: Extract<EmbeddingTask, { kind: 'load' }>): Promise<Model> {
  // Import the runtime on demand, because it is installed only where models run inside the server.
  const { env, InferenceSession: sessions, Tensor: tensors } = await import('onnxruntime-web');
  // Use only one thread, because the server's own threads need the other processors.
  env.wasm.numThreads = 1;
  const session = await sessions.create(files.weights, {
    executionProviders: ['wasm'],
    // Disable memory patterns. The runtime would keep a memory plan for each text length, and nearly every text has a
    // different length.
    enableMemPattern: false,
  });
  const { tokenizer, config } = JSON.parse(files.tokenizer) as { tokenizer: object; config: object };
  return {
    tokenizer: new Tokenizer(tokenizer, config),
    session,
    toTensor: (numbers) => new tensors('int64', BigInt64Array.from(numbers, BigInt), [1, numbers.length]),
    pooling,
    maxTokens,
  };
}

/**
 * Computes the vector of one text. Texts are not computed in batches, because a quantized model derives its scaling
 * from the whole batch: a text's vector would then depend on the other texts.
 */
async function embed({ tokenizer, session, toTensor, pooling, maxTokens }: Model, text: string): Promise<Float32Array> {
  let { ids } = tokenizer.encode(text.slice(0, maxTokens * maxCharsPerToken));
  // Shorten the list of tokens, but keep the last token, which marks the end of the text.
  if (ids.length > maxTokens) ids = [...ids.slice(0, maxTokens - 1), ids.at(-1)!];
  const inputs: Record<string, Tensor> = {
    input_ids: toTensor(ids),
    attention_mask: toTensor(ids.map(() => 1)),
  };
  if (session.inputNames.includes('token_type_ids')) inputs['token_type_ids'] = toTensor(ids.map(() => 0));
  const outputs = await session.run(inputs);
  try {
    const output = outputs[session.outputNames[0]!] as TypedTensor<'float32'>;
    return normalize(output.dims.length === 2 ? output.data.slice() : pool(output.data, output.dims[2]!, pooling));
  } finally {
    for (const tensor of [...Object.values(inputs), ...Object.values(outputs)]) tensor.dispose();
  }
}

function pool(data: Float32Array, dimensions: number, pooling: Model['pooling']): Float32Array {
  if (pooling === 'cls') return data.slice(0, dimensions);
  const sum = new Float32Array(dimensions);
  for (let at = 0; at < data.length; at++) sum[at % dimensions]! += data[at]!;
  return sum;
}

function normalize(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, number) => sum + number * number, 0));
  return length === 0 ? vector : vector.map((number) => number / length);
}
