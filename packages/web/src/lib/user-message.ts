const fieldNames = /^(?:[a-z][a-z0-9]*(?:_[a-z0-9]+)*(?:\[\d+\]|\.[a-z_]+)*: )+/;
const ids = / \((?:got )?"?[a-z]+_[0-9a-z]{24}"?\)| ?"?\b[a-z]+_[0-9a-z]{24}\b"?/g;

/** Converts a server's error message to a message for the user, without field names and ids. */
export function toUserMessage(message: string): string {
  const [field = ''] = fieldNames.exec(message) ?? [];
  let sentence = message.slice(field.length);
  // A person can do nothing with ids: for a field of ids, drop the ids that the message quotes and lists.
  if (/_ids?\b/.test(field)) sentence = sentence.replace(/ "[\w-]+"/g, '').replace(/; there are .*/s, '');
  sentence = sentence.replace(ids, '').trim();
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
