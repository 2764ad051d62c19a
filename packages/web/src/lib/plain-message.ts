const fields = /^(?:[a-z][a-z0-9]*(?:_[a-z0-9]+)*(?:\[\d+\]|\.[a-z_]+)*: )+/;
const ids = / \((?:got )?"?[a-z]+_[0-9a-z]{24}"?\)| ?"?\b[a-z]+_[0-9a-z]{24}\b"?/g;

/** A sentence of the server for a person: names of fields and ids are for programs. */
export function plainMessage(message: string): string {
  const [field = ''] = fields.exec(message) ?? [];
  let sentence = message.slice(field.length);
  // Of a field with an id, what is quoted is one of any form, and so are those that it could be.
  if (/_ids?\b/.test(field)) sentence = sentence.replace(/ "[\w-]+"/g, '').replace(/; there are .*/s, '');
  sentence = sentence.replace(ids, '').trim();
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
