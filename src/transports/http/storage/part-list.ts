import { algorithms, checksumElement, type Algorithm } from './checksums.ts';
import { badRequest } from './storage-error.ts';

const longestList = 4 * 2 ** 20;

export interface ListedPart {
  part: number;
  etag: string;
  /** In base64, as the client lists them; most list none or one. */
  checksums: Partial<Record<Algorithm, string>>;
}

/** The parts a client lists to complete an upload. The elements are known and flat: nothing else of XML is read. */
export async function readPartList(body: AsyncIterable<Uint8Array>): Promise<ListedPart[]> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > longestList) throw badRequest('MalformedXML', 'the list of parts is too long');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const parts = [...text.matchAll(/<(?:\w+:)?Part>([\s\S]*?)<\/(?:\w+:)?Part>/g)].map(([, inside]) => {
    const number = Number(element(inside!, 'PartNumber'));
    const etag = (element(inside!, 'ETag') ?? '').replace(/&quot;|&#34;|&#x22;|"/gi, '').toLowerCase();
    if (!Number.isInteger(number) || !/^[0-9a-f]{32}$/.test(etag)) throw badRequest('InvalidPart', `a part lacks its number or its ETag (number ${number})`);
    const checksums: ListedPart['checksums'] = {};
    for (const algorithm of inside!.includes('Checksum') ? algorithms : []) {
      const listed = element(inside!, checksumElement(algorithm));
      if (listed !== undefined) checksums[algorithm] = listed;
    }
    return { part: number, etag, checksums };
  });
  if (parts.length === 0) throw badRequest('MalformedXML', 'the body must be a CompleteMultipartUpload with at least one Part');
  return parts;
}

function element(xml: string, name: string): string | undefined {
  return new RegExp(`<(?:\\w+:)?${name}>([^<]*)</`).exec(xml)?.[1]?.trim();
}
