export class S3EndpointError extends Error {
  readonly code: string;
  readonly status: number;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'S3EndpointError';
    this.status = status;
    this.code = code;
  }
}

export const accessDenied = (message: string): S3EndpointError => new S3EndpointError(403, 'AccessDenied', message);
export const badSignature = (message: string): S3EndpointError =>
  new S3EndpointError(403, 'SignatureDoesNotMatch', message);
export const tooSkewed = (): S3EndpointError =>
  new S3EndpointError(
    403,
    'RequestTimeTooSkewed',
    'the request time differs from the server time by more than 5 minutes',
  );
export const badRequest = (code: string, message: string): S3EndpointError => new S3EndpointError(400, code, message);

function escapeXml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '\ufffd');
}

export type Xml = string | number | boolean | Xml[] | { [name: string]: Xml };

/** Serializes an object to XML in property order. An array becomes one XML element per item. */
export function toXml(name: string, value: Xml): string {
  if (Array.isArray(value)) return value.map((each) => toXml(name, each)).join('');
  const inside =
    typeof value === 'object'
      ? Object.entries(value)
          .map(([key, each]) => toXml(key, each))
          .join('')
      : escapeXml(String(value));
  return `<${name}>${inside}</${name}>`;
}

export const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>\n';
