import type { Caller } from '../context.ts';
import { resourceKinds } from '../ports/permission-store.ts';
import {
  modulesOfTitled,
  titledFields,
  titledNouns,
  type TitledKind,
  type TitledObject,
  type TitleLookup,
} from '../ports/title-lookup.ts';
import { inputSchema } from './describe-operation.ts';
import { fail } from './errors.ts';
import { ignoresUnknownFields, type OperationEntry } from './module.ts';
import { formatValue } from './parse-input.ts';

const id = /^(?:note|kb|folder|doc|media|user_list|user_uncategorized)_[\w-]+$/;
const maxTitleLength = 1024;
const maxNamed = 5;
/** Maximum number of titles in one call. It is low, because each title needs a database lookup of its own. */
const maxTitles = 50;

type Raw = Readonly<Record<string, unknown>>;

export interface TitleReference {
  readonly field: string;
  readonly kind: TitledKind;
}

/**
 * Returns the input fields that hold a title where the operation expects the id of a note, notebook, knowledge base,
 * spreadsheet or item. Operations of the published specifications take ids only.
 */
export function titleReferences(entry: OperationEntry, raw: unknown): TitleReference[] {
  if (typeof raw !== 'object' || raw === null || ignoresUnknownFields(entry)) return [];
  const given = raw as Raw;
  const found: TitleReference[] = [];
  for (const field of Object.keys(given)) {
    const kind = kindOf(entry, field, given);
    if (kind && [given[field]].flat().some(isTitle) && isFieldOf(entry, field)) found.push({ field, kind });
  }
  return found;
}

function kindOf({ module }: OperationEntry, field: string, { kind }: Raw): TitledKind | undefined {
  if (field === 'id') return resourceKinds.find((one) => one === kind);
  return module.titledFields?.[field] ?? (Object.hasOwn(titledFields, field) ? titledFields[field] : undefined);
}

function isFieldOf({ operation }: OperationEntry, field: string): boolean {
  return Object.hasOwn(inputSchema(operation).properties ?? {}, field) || operation.aliases?.[field] !== undefined;
}

function isTitle(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= maxTitleLength && !id.test(value);
}

/**
 * Returns the input with ids in place of titles, and a sentence that says which object each title stands for. A title
 * that no object has is not replaced, so that the operation refuses it like an unknown id. Throws if several objects
 * have the title.
 */
export async function replaceTitles(
  references: readonly TitleReference[],
  raw: Raw,
  { caller, titles }: { readonly caller: Caller; readonly titles: TitleLookup },
): Promise<{ input: Raw; taken: string }> {
  const input: Record<string, unknown> = { ...raw };
  const taken: string[] = [];
  const count = references.flatMap(({ field }) => [raw[field]].flat().filter(isTitle)).length;
  if (count > maxTitles)
    throw fail(
      'invalid_parameter',
      `${references[0]!.field}: at most ${maxTitles} titles; send ids (got ${count} titles)`,
    );
  for (const { field, kind } of references) {
    const isAllowed = caller.modules.includes('*') || modulesOfTitled[kind].some((one) => caller.modules.includes(one));
    if (!isAllowed) continue;
    const resolve = async (value: unknown): Promise<unknown> => {
      if (!isTitle(value)) return value;
      const object = only(await titles.find(caller.userId, kind, value, maxNamed + 1), value, { field, kind });
      if (!object) return value;
      taken.push(`${field}: ${JSON.stringify(object.title)} is ${object.id}`);
      return object.id;
    };
    const value = raw[field];
    input[field] = Array.isArray(value) ? await inOrder(value, resolve) : await resolve(value);
  }
  return { input, taken: taken.join('; ') };
}

/**
 * Returns the object with the title; undefined if there is none. If several titles differ only in case or accents, the
 * one spelled exactly as sent is meant. Throws if several objects remain.
 */
function only(
  found: readonly TitledObject[],
  title: string,
  { field, kind }: TitleReference,
): TitledObject | undefined {
  const exact = found.filter((one) => one.title === title);
  const fitting = exact.length > 0 ? exact : found;
  if (fitting.length <= 1) return fitting[0];
  const named = fitting.slice(0, maxNamed).map((one) => one.id);
  const rest = fitting.length > maxNamed ? ' and more' : '';
  throw fail(
    'invalid_parameter',
    `${field}: several ${titledNouns[kind]} have the title ${formatValue(title)}; send an id: ${named.join(', ')}${rest}`,
  );
}

async function inOrder(values: readonly unknown[], resolve: (value: unknown) => Promise<unknown>): Promise<unknown[]> {
  const resolved: unknown[] = [];
  for (const value of values) resolved.push(await resolve(value));
  return resolved;
}
