/** Builds a PDF of one page with one line of Latin text. */
export function oneLinePdf(text: string): Buffer {
  return pagesPdf([text]);
}

const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

/**
 * Builds a PDF with one line of text per page. The caller must encode the texts for the font, one character per byte.
 */
export function pagesPdf(texts: readonly string[], fontObject = helvetica): Buffer {
  const font = 3;
  const pages = texts.map((_text, index) => font + 1 + 2 * index);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((page) => `${page} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    fontObject,
    ...texts.flatMap((text, index) => {
      const stream = `BT /F1 24 Tf 72 700 Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`;
      return [
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ' +
          `/Contents ${pages[index]! + 1} 0 R /Resources << /Font << /F1 ${font} 0 R >> >> >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ];
    }),
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
