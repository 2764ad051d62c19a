/**
 * Embedding vectors of one text, quantized from 32-bit floats to 8-bit integers. Each vector is normalized to length 1
 * and scaled to integers from -127 to 127 with a factor of its own. Dot products are computed in integers, so every
 * machine gets the same result.
 */
export interface QuantizedVectors {
  dimensions: number;
  /** For each vector, the factor by which its integers are multiplied to get the normalized vector. */
  factors: Float32Array;
  /** The quantized components of all vectors, concatenated. */
  numbers: Int8Array;
}

const maxQuantized = 127;

export function quantizeVectors(vectors: readonly Float32Array[]): QuantizedVectors {
  const dimensions = vectors[0]?.length ?? 0;
  const factors = new Float32Array(vectors.length);
  const numbers = new Int8Array(vectors.length * dimensions);
  vectors.forEach((vector, at) => {
    let square = 0;
    let largest = 0;
    for (const number of vector) {
      square += number * number;
      largest = Math.max(largest, Math.abs(number));
    }
    // A zero vector keeps the factor 0, so its similarity to every vector is 0.
    if (largest === 0) return;
    factors[at] = largest / maxQuantized / Math.sqrt(square);
    for (let i = 0; i < dimensions; i++)
      numbers[at * dimensions + i] = Math.round((vector[i]! / largest) * maxQuantized);
  });
  return { dimensions, factors, numbers };
}

/** Serializes vectors: their scale factors, followed by their quantized components. */
export function vectorsToBytes({ factors, numbers }: QuantizedVectors): Uint8Array {
  const bytes = new Uint8Array(factors.length * 4 + numbers.length);
  const view = new DataView(bytes.buffer);
  factors.forEach((factor, at) => view.setFloat32(at * 4, factor, true));
  bytes.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.length), factors.length * 4);
  return bytes;
}

export function vectorsFromBytes(bytes: Uint8Array, dimensions: number): QuantizedVectors {
  const count = Math.floor(bytes.length / (dimensions + 4));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    dimensions,
    factors: Float32Array.from({ length: count }, (_, at) => view.getFloat32(at * 4, true)),
    numbers: Int8Array.from(new Int8Array(bytes.buffer, bytes.byteOffset + count * 4, count * dimensions)),
  };
}

export interface NearestVector {
  /** Cosine similarity to the query vector. */
  score: number;
  /** Index of the vector among the vectors of its text. */
  place: number;
}

/**
 * Finds the vector that is most similar to the first vector of the query. Returns undefined if there are no vectors or
 * the dimensions differ.
 */
export function findNearest(
  query: QuantizedVectors,
  { dimensions, factors, numbers }: QuantizedVectors,
): NearestVector | undefined {
  if (query.dimensions !== dimensions) return undefined;
  const wanted = query.numbers;
  let best: NearestVector | undefined;
  for (let place = 0, from = 0; place < factors.length; place++, from += dimensions) {
    let sum = 0;
    for (let i = 0; i < dimensions; i++) sum += wanted[i]! * numbers[from + i]!;
    const score = sum * factors[place]! * query.factors[0]!;
    if (best === undefined || score > best.score) best = { score, place };
  }
  return best;
}
