import type { RE2JS } from 're2js';
import { BudgetExceeded } from '../../base/budget.ts';
import { maxPattern, compileRegex, matcherFor } from '../../base/regex.ts';
import { type CellError, cellErrors, Matrix } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';
import { maxText } from '../../base/operators.ts';
import { checkTextLength } from './text-length-limit.ts';

/**
 * Cache of compiled patterns. Patterns that RE2 does not support, such as those with look-around or back references,
 * are not cached and give #VALUE!.
 */
const compiled = new Map<string, RE2JS>();
const maxCompiled = 64;

function compile(pattern: string, sensitivity: number | undefined): RE2JS {
  const mode = sensitivity === undefined ? 0 : Math.trunc(sensitivity);
  if ((mode !== 0 && mode !== 1) || pattern.length > maxPattern) throw cellErrors.value;
  const key = `${mode}${pattern}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  let fresh: RE2JS;
  try {
    fresh = compileRegex(pattern, mode === 1);
  } catch (error) {
    if (error instanceof Error && !(error instanceof BudgetExceeded)) throw cellErrors.value;
    throw error;
  }
  if (compiled.size >= maxCompiled) compiled.clear();
  compiled.set(key, fresh);
  return fresh;
}

interface Match {
  readonly start: number;
  readonly end: number;
  /** The whole match, followed by its capture groups. A group that did not take part in the match is null. */
  readonly groups: readonly (string | null)[];
  named(name: string): string | undefined;
}

function* matches(regex: RE2JS, text: string): Generator<Match> {
  const found = matcherFor(regex, text);
  const names = regex.namedGroups();
  while (found.find()) {
    const groups: (string | null)[] = [];
    for (let i = 0; i <= found.groupCount(); i++) groups.push(found.group(i) ?? null);
    yield {
      start: found.start(),
      end: found.end(),
      groups,
      named: (name) => {
        const index = names[name];
        return index === undefined ? undefined : (groups[index] ?? '');
      },
    };
  }
}

/**
 * Expands the group references `$0`, `$1`, `${1}` and `${name}`, and the escape `$$`, in a replacement text. Throws
 * #VALUE! for an unknown group.
 */
function expand(replacement: string, match: Match): string {
  return replacement.replace(/\$(?:\$|(\d{1,2})|\{(\w+)\})/g, (_, digits?: string, name?: string) => {
    const key = digits ?? name;
    if (key === undefined) return '$';
    if (!/^\d+$/.test(key)) {
      const value = match.named(key);
      if (value === undefined) throw cellErrors.value;
      return value;
    }
    let index = Number(key);
    let rest = '';
    if (digits?.length === 2 && index >= match.groups.length) {
      index = Number(digits[0]);
      rest = digits[1] ?? '';
    }
    if (index >= match.groups.length) throw cellErrors.value;
    return (match.groups[index] ?? '') + rest;
  });
}

function replaceAll(regex: RE2JS, text: string, replacement: string, occurrence: number): string {
  const found = [...matches(regex, text)];
  const chosen = occurrence === 0 ? found : found.slice(occurrence < 0 ? occurrence : occurrence - 1).slice(0, 1);
  if (occurrence < 0 && -occurrence > found.length) return text;
  let out = '';
  let from = 0;
  for (const match of chosen) {
    out += text.slice(from, match.start) + expand(replacement, match);
    if (out.length > maxText) throw cellErrors.value;
    from = match.end;
  }
  return checkTextLength(out + text.slice(from));
}

function extract(regex: RE2JS, text: string, mode: number): Matrix | string | CellError {
  if (mode === 1) {
    const all = [...matches(regex, text)].map((match) => match.groups[0] ?? '');
    return all.length === 0 ? cellErrors.na : Matrix.row(all);
  }
  const first = matches(regex, text).next().value;
  if (first === undefined) return cellErrors.na;
  if (mode === 0) return first.groups[0] ?? '';
  if (mode !== 2) return cellErrors.value;
  const groups = first.groups.slice(1).map((group: string | null) => group ?? '');
  return groups.length === 0 ? cellErrors.na : Matrix.row(groups);
}

export const regexFunctions: readonly Definition[] = [
  define('REGEXTEST', 'text text number?', (_call, text, pattern, sensitivity) => {
    const regex = compile(pattern, sensitivity);
    return !matches(regex, text).next().done;
  }),
  define('REGEXEXTRACT', 'text text number? number?', (_call, text, pattern, mode, sensitivity) =>
    extract(compile(pattern, sensitivity), text, mode === undefined ? 0 : Math.trunc(mode)),
  ),
  define(
    'REGEXREPLACE',
    'text text text number? number?',
    (_call, text, pattern, replacement, occurrence, sensitivity) =>
      replaceAll(
        compile(pattern, sensitivity),
        text,
        replacement,
        occurrence === undefined ? 0 : Math.trunc(occurrence),
      ),
  ),
];
