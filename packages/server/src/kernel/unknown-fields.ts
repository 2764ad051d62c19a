import type { z } from 'zod';
import { editDistance } from '../lib/edit-distance.ts';
import { createSchemaConverter } from './schema-visitor.ts';

export interface UnknownField {
  /** Path of the field as shown in error messages, such as `columns[0].ascending`. */
  readonly path: string;
  readonly name: string;
  readonly known: readonly string[];
  /** Accepted fields, such as aliases, that are suggested only if no field in `known` fits. */
  readonly others?: readonly string[];
  /**
   * All fields that the caller sent in the same object. A known field among them is not suggested as a synonym of the
   * unknown field, because the caller has already sent it.
   */
  readonly given?: readonly string[];
  /** Accepted field that declares the unknown field's name as its synonym. */
  readonly named?: string | undefined;
  /** Path of a nested field that has the unknown field's name, such as `format.bold` for the unknown field `bold`. */
  readonly inside?: string | undefined;
}

/**
 * Maximum number of input fields that one call of `findUnknownFields` examines, to limit the work. In a list of
 * thousands of entries with the same wrong field, reporting one of them is enough.
 */
const maxExamined = 10_000;

/** Returns up to `most` fields of the input `raw`, at any depth, that the schema does not have. */
export function findUnknownFields(schema: z.ZodType, raw: unknown, most: number): UnknownField[] {
  const look: FieldScan = { found: [], most, left: maxExamined };
  scannerOf(schema)?.(raw, '', look);
  return look.found;
}

/**
 * Returns a hint for the error message about an unknown field: the field that was probably meant, or else a list of the
 * accepted fields.
 */
export function suggestField({ name, known, others = [], given = [], named, inside }: UnknownField): string {
  const free = known.filter((one) => !given.includes(one));
  const declared = named !== undefined && !given.includes(named) ? named : undefined;
  const nearest =
    declared ??
    inside ??
    nearestName(name, free) ??
    synonymOf(name, free) ??
    synonymOf(name, others) ??
    nearestName(name, others);
  if (nearest !== undefined) return `did you mean ${nearest}?`;
  return known.length === 0 ? 'there are none here' : `there are ${known.slice(0, 30).join(', ')}`;
}

/**
 * Groups of names that programs use for the same thing. For an unknown name, the first known name in its group is
 * suggested.
 */
const synonyms: readonly (readonly string[])[] = [
  'range cell_range ranges source address addresses cells cell ref reference a1 a1_range area areas region selection target',
  'file_id file document document_id spreadsheet spreadsheet_id workbook workbook_id doc id',
  'rows values value data cells content contents records csv_data csv',
  'query sql select statement q',
  'where condition filter criteria predicate match',
  'query q search search_term term keyword keywords pattern find text',
  'replacement replace replace_with new_value new_text substitute with',
  'max_tokens token_limit token_budget budget max_length',
  'limit max_results page_size count top size n max',
  'offset skip start from_row',
  'cursor page next_cursor page_token',
  'formulas formula expression fx',
  'formats format number_format number_formats pattern number_format_pattern',
  'format style styles cell_style formatting',
  'sort_by order_by sort columns keys by',
  'descending desc order direction ascending asc',
  'assertions assert rules checks conditions expect',
  'show include with fields return expand',
  'action operation op mode what verb',
  'color colour fill background bg_color background_color',
  'to target destination dest to_sheet',
  'title name label heading',
  'text content body message markdown comment',
  'version revision rev base_version',
  'calls steps operations tools requests commands',
  'dimension_type dimension axis kind type',
  'index start position at row col',
  'tags tag labels label',
].map((line) => line.split(' '));

/** Returns the first name in `known` that shares a group of synonyms with `name`, or undefined if there is none. */
function synonymOf(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase().replaceAll(/[\s-]/g, '_');
  for (const group of synonyms) {
    if (!group.includes(wanted)) continue;
    const found = group.find((one) => one !== wanted && known.includes(one));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the name in `known` with the most similar spelling. If none is similar enough, returns one with the same last
 * word, or undefined.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = normalizeName(name);
  let best: string | undefined;
  let least = Infinity;
  for (const one of known) {
    const other = normalizeName(one);
    const isPart = wanted.length >= 4 && other.length >= 4 && (other.includes(wanted) || wanted.includes(other));
    const distance = isPart ? 1 : editDistance(wanted, other);
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

interface FieldScan {
  readonly found: UnknownField[];
  readonly most: number;
  left: number;
}

interface FieldScanner {
  (value: unknown, path: string, look: FieldScan): void;
  /** Names of the fields if this function scans an object; undefined for a list or a union. */
  readonly fields?: readonly string[];
}

/** Returns the metadata of a field, including that of the schema inside an optional field. */
function metaOf(field: z.core.$ZodType): Record<string, unknown> {
  const { def } = (field as z.core.$ZodTypes)._zod;
  return { ...(def.type === 'optional' ? metaOf(def.innerType) : {}), ...(field as z.ZodType).meta() };
}

/**
 * Returns the function that finds unknown fields in input that is checked against a schema, or undefined if the schema
 * contains no object.
 */
const scannerOf = createSchemaConverter<FieldScanner>({
  object(fields, acceptsOthers) {
    const names = new Set(fields.map(([name]) => name));
    const isMain = (field: z.core.$ZodType): boolean => {
      const meta = metaOf(field);
      return meta['deprecated'] !== true && meta['x-unlisted'] !== true;
    };
    const known = fields.filter(([, field]) => isMain(field)).map(([name]) => name);
    const others = fields.filter(([, field]) => !isMain(field)).map(([name]) => name);
    const synonymous = new Map(
      fields.flatMap(([name, field]) => {
        const declared = metaOf(field)['x-synonyms'];
        return Array.isArray(declared) ? declared.map((one) => [String(one), name] as const) : [];
      }),
    );
    const nested = fields.flatMap(([name, field]) => {
      const look = scannerOf(field);
      return look ? [{ name, look }] : [];
    });
    const paths = new Map(
      nested.flatMap(({ name, look }) => (look.fields ?? []).map((field) => [field, `${name}.${field}`] as const)),
    );
    const scan: FieldScanner = (value, path, look) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
      const given = value as Record<string, unknown>;
      if (!acceptsOthers)
        for (const name of Object.keys(given)) {
          if (look.found.length >= look.most || look.left-- <= 0) return;
          if (!names.has(name) && given[name] !== undefined)
            look.found.push({
              path: `${path}${name.slice(0, 64)}`,
              name,
              known,
              others,
              given: Object.keys(given),
              named: synonymous.get(name.toLowerCase()),
              inside: paths.get(name),
            });
        }
      for (const { name, look: inside } of nested)
        if (Object.hasOwn(given, name)) inside(given[name], `${path}${name}.`, look);
    };
    return Object.assign(scan, { fields: fields.map(([name]) => name) });
  },
  list: (entry) => (value, path, look) => {
    if (!Array.isArray(value)) return;
    const list = path.slice(0, -1);
    for (let index = 0; index < value.length && look.left > 0 && look.found.length < look.most; index++)
      entry(value[index], `${list}[${index}].`, look);
  },
  /**
   * For a union, reports the unknown fields of only one option: the one that has the fewest of them and thus fits best.
   */
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
