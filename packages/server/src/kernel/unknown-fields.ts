import type { z } from 'zod';
import { schemaReader } from './schema-visitor.ts';

export interface UnknownField {
  /** Path as in error messages: `columns[0].ascending`. */
  readonly path: string;
  readonly name: string;
  readonly known: readonly string[];
}

/** Maximum number of values to examine. One error is enough, even if thousands of values have it. */
const maxExamined = 10_000;

/** Returns up to `most` fields of `raw`, at any depth, that the schema does not have. */
export function findUnknownFields(schema: z.ZodType, raw: unknown, most: number): UnknownField[] {
  const look: FieldScan = { found: [], most, left: maxExamined };
  scannerOf(schema)?.(raw, '', look);
  return look.found;
}

/** Returns a hint for an error message: the field that was probably meant, or all fields. */
export function suggestField({ name, known }: UnknownField): string {
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return `did you mean ${nearest}?`;
  return known.length === 0 ? 'there are none here' : `there are ${known.slice(0, 30).join(', ')}`;
}

/** Returns the most similar name in `known`, or undefined if none is similar enough. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = normalizeName(name);
  let best: string | undefined;
  let least = Infinity;
  for (const one of known) {
    const other = normalizeName(one);
    const isPart = wanted.length >= 4 && other.length >= 4 && (other.includes(wanted) || wanted.includes(other));
    const distance = isPart ? 1 : distanceOf(wanted, other);
    if (distance < least && distance <= Math.max(1, Math.floor(wanted.length / 3))) {
      best = one;
      least = distance;
    }
  }
  return best ?? known.find((one) => lastWord(one) === lastWord(name));
}

function normalizeName(name: string): string {
  return name
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[_\s-]/g, '');
}

function lastWord(name: string): string {
  return (
    name
      .slice(-64)
      .toLowerCase()
      .split(/[_\s-]/)
      .at(-1) ?? name
  );
}

/** Returns the edit distance with insertion, deletion, substitution and transposition of adjacent letters. */
function distanceOf(one: string, other: string): number {
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let col = 1; col <= other.length; col++) {
      const same = one[row - 1] === other[col - 1] ? 0 : 1;
      const isExchanged = row > 1 && col > 1 && one[row - 1] === other[col - 2] && one[row - 2] === other[col - 1];
      const exchanged = isExchanged ? before[col - 2]! + 1 : Infinity;
      line.push(Math.min(line[col - 1]! + 1, above[col]! + 1, above[col - 1]! + same, exchanged));
    }
    before = above;
    above = line;
  }
  return above.at(-1)!;
}

interface FieldScan {
  readonly found: UnknownField[];
  readonly most: number;
  left: number;
}

type FieldScanner = (value: unknown, path: string, look: FieldScan) => void;

/** Returns the function that finds unknown fields, or undefined for a schema that contains no object. */
const scannerOf = schemaReader<FieldScanner>({
  object(fields, acceptsOthers) {
    const names = new Set(fields.map(([name]) => name));
    const known = fields
      .filter(([, field]) => (field as z.ZodType).meta()?.['deprecated'] !== true)
      .map(([name]) => name);
    const nested = fields.flatMap(([name, field]) => {
      const look = scannerOf(field);
      return look ? [{ name, look }] : [];
    });
    return (value, path, look) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
      const given = value as Record<string, unknown>;
      if (!acceptsOthers)
        for (const name of Object.keys(given)) {
          if (look.found.length >= look.most || look.left-- <= 0) return;
          if (!names.has(name) && given[name] !== undefined)
            look.found.push({ path: `${path}${name.slice(0, 64)}`, name, known });
        }
      for (const { name, look: inside } of nested)
        if (Object.hasOwn(given, name)) inside(given[name], `${path}${name}.`, look);
    };
  },
  list: (entry) => (value, path, look) => {
    if (!Array.isArray(value)) return;
    const list = path.slice(0, -1);
    for (let index = 0; index < value.length && look.left > 0 && look.found.length < look.most; index++)
      entry(value[index], `${list}[${index}].`, look);
  },
  /** Reports the unknown fields of that option of the union which has the fewest of them. */
  union: (options) => (value, path, look) => {
    let best: UnknownField[] | undefined;
    for (const one of options) {
      const inside: FieldScan = { found: [], most: look.most - look.found.length, left: look.left };
      one(value, path, inside);
      look.left = Math.min(look.left, inside.left);
      if (!best || inside.found.length < best.length) best = inside.found;
    }
    look.found.push(...(best ?? []));
  },
});
