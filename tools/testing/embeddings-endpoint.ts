/**
 * Embeddings endpoint on 127.0.0.1 with deterministic vectors, computed from the words of a text and their synonyms, so
 * that a test can predict which texts are similar.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EmbeddingEndpoint {
  readonly url: string;
  readonly asked: { model: string; input: string[]; authorization: string | undefined }[];
  /** How the endpoint responds: with vectors, an error, a redirect, or not at all. */
  mood: 'well' | 'away' | 'redirect' | 'silent';
  close(): Promise<void>;
}

const meanings = [
  ['car', 'automobile', 'vehicle'],
  ['doctor', 'physician', 'surgeon'],
  ['happy', 'glad', 'cheerful'],
];
const dimensions = 256;

function vectorOf(text: string): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().match(/\p{Letter}+/gu) ?? []) {
    const meaning = meanings.findIndex((list) => list.includes(word));
    let place = meaning;
    if (meaning < 0) {
      place = 0;
      for (const char of word) place = (place * 31 + char.codePointAt(0)!) % (dimensions - meanings.length);
      place += meanings.length;
    }
    // All synonyms of a word share one dimension of the vectors. Such a dimension has a higher weight than those of
    // other words, so that texts with synonyms get similar vectors.
    vector[place]! += meaning < 0 ? 0.2 : 1;
  }
  return vector;
}

export async function startEmbeddings(): Promise<EmbeddingEndpoint> {
  const asked: EmbeddingEndpoint['asked'] = [];
  const endpoint: Pick<EmbeddingEndpoint, 'mood'> = { mood: 'well' };
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (endpoint.mood === 'silent') return;
      if (endpoint.mood === 'away') return void response.writeHead(503).end();
      if (endpoint.mood === 'redirect') return void response.writeHead(307, { location: `${url}/elsewhere` }).end();
      const { model, input } = JSON.parse(Buffer.concat(chunks).toString()) as { model: string; input: string[] };
      asked.push({ model, input, authorization: request.headers.authorization });
      const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
      response
        .writeHead(200, { 'content-type': 'application/json' })
        // Return the vectors in reverse order, to check that clients use the index field.
        .end(JSON.stringify({ object: 'list', model, data: data.toReversed() }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/embeddings`;
  return Object.assign(endpoint, {
    url,
    asked,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}
