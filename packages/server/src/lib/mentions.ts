/**
 * Matches a mention: `@` and a user's name. An `@` directly after a letter or digit, as in an e-mail address, is no
 * mention.
 */
const mention = /(?<![A-Za-z0-9._-])@([\p{L}\p{N}._-]{1,64})/gu;
const maxMentions = 20;

/**
 * Returns for each mention in a text the user names that it may refer to, longest first. The end of a name is
 * ambiguous, because the period in `@ada.` may end the sentence, and Chinese text continues without a space.
 */
export function mentionCandidates(text: string): string[][] {
  const found: string[][] = [];
  for (const [, run] of text.matchAll(mention)) {
    const letters = [...run!];
    found.push(letters.map((_, index) => letters.slice(0, letters.length - index).join('')));
    if (found.length === maxMentions) break;
  }
  return found;
}

/**
 * Returns the users who are mentioned in a text. `users` contains the known users by name. A mention has several
 * possible names, because text may follow the name without a space; the longest name in `users` counts. A mention of no
 * known user is ignored.
 */
export function mentionedUsers<User>(text: string, users: ReadonlyMap<string, User>): User[] {
  const found = mentionCandidates(text).flatMap((names) => {
    const name = names.find((one) => users.has(one));
    return name === undefined ? [] : [users.get(name)!];
  });
  return [...new Set(found)];
}
