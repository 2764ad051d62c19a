import { z } from 'zod';
import { cleanTag } from '../lib/tag-key.ts';
import { TagsRefused, type ObjectTag } from '../ports/tag-store.ts';
import { fail } from './errors.ts';
import { flag, list, text } from './field-schemas.ts';

/** Maximum number of tags of an object such as a note. Tags written in the object's text do not count. */
const maxTags = 50;

export const tagList = (description: string) =>
  list(description, text('A tag.', { min: 1, max: 100 }), { max: maxTags }).optional();

/** Input fields of operations that tag an object. */
export const tagChangeFields = { add: tagList('Tags to add.'), remove: tagList('Tags to remove.') };

/** Output field: all tags of the object after the change. */
export const tagsAfter = () =>
  list(
    'All tags of it.',
    z.object({ tag: text('The tag.'), in_text: flag('Whether it stands in the text, and goes only with it.') }),
  );

/** Validates the tags of a call. Returns the change in the form that the store expects. */
export function parseTagChange(input: { add?: string[] | undefined; remove?: string[] | undefined }): {
  add: string[];
  remove: string[];
  max: number;
} {
  const { add = [], remove = [] } = input;
  if (add.length + remove.length === 0) throw fail('invalid_parameter', 'add: send add, remove or both');
  for (const tag of add)
    if (cleanTag(tag) === '' || /[\p{Cc}\p{Surrogate}]/u.test(tag))
      throw fail('invalid_parameter', `add: ${JSON.stringify(tag)} is no tag: it needs letters or digits on one line`);
  return { add, remove, max: maxTags };
}

export function toTagInfos(tags: readonly ObjectTag[]): { tag: string; in_text: boolean }[] {
  return tags.map(({ tag, isText }) => ({ tag, in_text: isText }));
}

/** Converts the store's error about too many tags to a failure for the caller. Returns other errors unchanged. */
export function toTagFailure(error: unknown): unknown {
  if (!(error instanceof TagsRefused)) return error;
  return fail(
    'invalid_parameter',
    `add: there can be at most ${error.why.limit} tags, and there would be ${error.why.count}`,
  );
}
