/**
 * Matches characters that must be escaped in a cell's text, and text that looks like the escape `_xHHHH_`. Control
 * characters and lone surrogates are escaped in that form. Characters 127 to 159 are not escaped, as in files of Excel.
 */

const special = /[&<>"\ufffe\uffff]|\p{Cs}|(?![\t\n\u007f-\u009f])\p{Cc}|_x[0-9A-Fa-f]{4}_/u;
const eachSpecial = new RegExp(special.source, 'gu');

export function escapeCellText(text: string): string {
  if (!special.test(text)) return text;
  return text.replace(eachSpecial, (found) => {
    switch (found) {
      case '&':
        return '&amp;';
      case '<':
        return '&lt;';
      case '>':
        return '&gt;';
      case '"':
        return '&quot;';
      default:
        if (found.length > 1) return `_x005F${found}`;
        return `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
    }
  });
}

/**
 * Escapes text outside cells. The escape `_xHHHH_` is not supported outside cells, so control characters that XML does
 * not allow are removed.
 */
export function xmlEscape(text: string): string {
  return text
    .replace(/[\ufffe\uffff]|(?![\t\n\r\u007f-\u009f])\p{Cc}/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;')
    .replaceAll('\r', '&#13;');
}

/** Returns the XML of the attributes, except prefixed ones, namespace declarations and those in `without`. */
export function unprefixedAttributesXml(
  attributes: ReadonlyMap<string, string>,
  without: readonly string[] = [],
): string {
  return [...attributes]
    .filter(([name]) => !name.includes(':') && name !== 'xmlns' && !without.includes(name))
    .map(([name, value]) => ` ${name}="${xmlEscape(value)}"`)
    .join('');
}

export function unescapeCellText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Returns the `xml:space` attribute if the text needs it to preserve white space, otherwise an empty string. */
export function preserveSpace(text: string): string {
  return /^\s|\s$|\n/.test(text) ? ' xml:space="preserve"' : '';
}

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const mainNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
export const relationshipsNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/**
 * Returns the `v` element with a formula's text result. LibreOffice drops leading and trailing white space without
 * `xml:space`.
 */
export function textValueElement(text: string): string {
  return `<v${preserveSpace(text)}>${escapeCellText(text)}</v>`;
}
