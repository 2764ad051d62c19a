import CFB from 'cfb';
import { concat, u16, u32, utf16, utf8 } from './bytes.ts';

export interface MailSource {
  subject: string;
  text?: string;
  html?: string;
  attachments?: { name: string; type: string; bytes: Uint8Array; disposition?: string; id?: string }[];
}

const encoded = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;

/** Builds a MIME mail as mail programs send it. */
export function eml({ subject, text, html, attachments = [] }: MailSource): Uint8Array {
  const lines = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n');
  const bodies = [
    ...(text === undefined
      ? []
      : [`Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines(utf8(text))}`]),
    ...(html === undefined
      ? []
      : [`Content-Type: text/html; charset="utf-8"\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines(utf8(html))}`]),
  ];
  const alternative =
    bodies.length === 1
      ? bodies[0]!
      : `Content-Type: multipart/alternative; boundary=inner\r\n\r\n${bodies.map((body) => `--inner\r\n${body}\r\n`).join('')}--inner--\r\n`;
  const files = attachments.map(
    ({ name, type, bytes, disposition = 'attachment', id }) =>
      `Content-Type: ${type}; name="${encoded(name)}"\r\nContent-Transfer-Encoding: base64\r\n` +
      `${id === undefined ? '' : `Content-ID: <${id}>\r\n`}` +
      `Content-Disposition: ${disposition};\r\n filename*=utf-8''${encodeURIComponent(name)}\r\n\r\n${lines(bytes)}`,
  );
  return utf8(
    `From: ${encoded('李雷')} <li@example.com>\r\nTo: Han Meimei\r\n <han@example.com>\r\nSubject: ${encoded(subject)}\r\n` +
      'Date: Tue, 03 Mar 2026 10:00:00 +0800\r\nMIME-Version: 1.0\r\n' +
      'Content-Type: multipart/mixed;\r\n boundary="outer (1)"\r\n\r\nPreamble\r\n' +
      `${[alternative, ...files].map((part) => `--outer (1)\r\n${part}\r\n`).join('')}--outer (1)--\r\n`,
  );
}

export interface MsgSource {
  subject: string;
  body?: string;
  /** RTF body, without compression. */
  rtf?: string;
  attachments?: { name: string; bytes: Uint8Array }[];
  embedded?: MsgSource[];
}

/** Builds an Outlook mail. */
export function msg(source: MsgSource): Uint8Array {
  const file = CFB.utils.cfb_new();
  addMail(file, '/', source, 32);
  CFB.utils.cfb_del(file, '/\u0001Sh33tJ5');
  return new Uint8Array(CFB.write(file, { type: 'buffer' }) as Buffer);
}

function addMail(file: CFB.CFB$Container, at: string, source: MsgSource, header: number): void {
  const add = (name: string, bytes: Uint8Array): void => {
    CFB.utils.cfb_add(file, `${at}${name}`, Buffer.from(bytes));
  };
  const time = BigInt(Date.UTC(2026, 2, 3) + 11_644_473_600_000) * 10_000n;
  const timeEntry = concat(u16(0x40, 0x0039), u32(6, Number(time & 0xffffffffn), Number(time >> 32n)));
  add('__properties_version1.0', concat(new Uint8Array(header), timeEntry));
  add('__substg1.0_0037001F', utf16(source.subject));
  add('__substg1.0_0C1A001F', utf16('Li Lei'));
  if (source.body !== undefined) add('__substg1.0_1000001F', utf16(source.body));
  if (source.rtf !== undefined) {
    const rtf = utf8(source.rtf);
    add('__substg1.0_10090102', concat(u32(rtf.length + 12, rtf.length, 0x414c454d, 0), rtf));
  }
  (source.attachments ?? []).forEach(({ name, bytes }, index) => {
    const folder = `__attach_version1.0_#${index.toString(16).padStart(8, '0')}/`;
    add(`${folder}__properties_version1.0`, new Uint8Array(8));
    add(`${folder}__substg1.0_3707001F`, utf16(name));
    add(`${folder}__substg1.0_37010102`, bytes);
  });
  (source.embedded ?? []).forEach((inner, index) => {
    const folder = `__attach_version1.0_#${(index + 0x100).toString(16).padStart(8, '0')}/`;
    add(`${folder}__properties_version1.0`, new Uint8Array(8));
    addMail(file, `${at}${folder}__substg1.0_3701000D/`, inner, 24);
  });
}
