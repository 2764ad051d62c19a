import { expect, test } from 'vitest';
import { vectorsFromBytes, findNearest, quantizeVectors, vectorsToBytes } from '../src/index/quantized-vectors.ts';

const vectors = [Float32Array.of(3, 4, 0), Float32Array.of(0, 0, 2), Float32Array.of(0, 0, 0)];

test('packed vectors keep the angles, whatever the lengths', () => {
  const packed = quantizeVectors(vectors);
  expect(packed.numbers.slice(0, 3)).toEqual(Int8Array.of(95, 127, 0));
  const near = findNearest(quantizeVectors([Float32Array.of(0.6, 0.8, 0)]), packed)!;
  expect(near.place).toBe(0);
  expect(near.score).toBeCloseTo(1, 2);
  expect(findNearest(quantizeVectors([Float32Array.of(0, 0, 5)]), packed)).toMatchObject({ place: 1 });
});

test('bytes come back as the same vectors', () => {
  const packed = quantizeVectors(vectors);
  expect(vectorsFromBytes(vectorsToBytes(packed), 3)).toEqual(packed);
});

test('vectors of another length are compared with nothing', () => {
  expect(findNearest(quantizeVectors([Float32Array.of(1, 2)]), quantizeVectors(vectors))).toBeUndefined();
});
