/**
 * Removes the document type declaration, which SVG drawings and EPUB books may contain but `XmlReader` rejects.
 * Entities declared in it are not expanded.
 */
export function withoutDoctype(xml: string): string {
  const start = /<!DOCTYPE/i.exec(xml)?.index;
  if (start === undefined) return xml;
  let brackets = 0;
  let quote = '';
  for (let at = start; at < xml.length; at++) {
    const char = xml[at]!;
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '[') brackets++;
    else if (char === ']') brackets--;
    else if (char === '>' && brackets <= 0) return xml.slice(0, start) + xml.slice(at + 1);
  }
  return xml.slice(0, start);
}
