/** A mention: `@` and a user's name. Text before `@`, as in an e-mail address, makes it none. */
const mention = /(?<![A-Za-z0-9._-])@([\p{L}\p{N}._-]{1,64})/gu;
const maxMentions = 20;

/**
 * Returns for each mention of a text the names that it may mean, the longest first: in `@ada.` the point may end the
 * sentence, and Chinese goes on without a space.
 */
export function mentionedNames(text: string): string[][] {
  const found: string[][] = [];
  for (const [, run] of text.matchAll(mention)) {
    const letters = [...run!];
    found.push(letters.map((_, index) => letters.slice(0, letters.length - index).join('')));
    if (found.length === maxMentions) break;
  }
  return found;
}

/** Returns the user of each mention whose name is known: the one with the longest name. */
export function mentionedUsers<User>(text: string, users: ReadonlyMap<string, User>): User[] {
  const found = mentionedNames(text).flatMap((names) => {
    const name = names.find((one) => users.has(one));
    return name === undefined ? [] : [users.get(name)!];
  });
  return [...new Set(found)];
}
