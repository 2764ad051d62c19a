import { connect } from 'node:tls';
import type { GaugeSource } from '../adapters/metrics/prometheus.ts';

const timeoutMs = 5_000;
/** How long an answer is kept, in milliseconds: certificates are renewed days before they end. */
const keptMs = 600_000;

/**
 * Returns a gauge that tells when the certificate of the public address ends. There is none without HTTPS, because
 * nobody has a certificate then.
 */
export function certificateGauge(publicUrl: string | undefined): GaugeSource[] {
  const url = publicUrl === undefined ? undefined : new URL(publicUrl);
  if (url?.protocol !== 'https:') return [];
  let kept: { at: number; seconds: number } | undefined;
  return [
    {
      name: 'sheaf_certificate_expiry_seconds',
      help: 'When the certificate at SHEAF_PUBLIC_URL ends, in seconds since 1970; 0 until the server has seen it.',
      async query() {
        if (!kept || performance.now() - kept.at > keptMs)
          kept = { at: performance.now(), seconds: await readExpiry(url) };
        return kept.seconds;
      },
    },
  ];
}

/** Reads the end of the certificate's validity. The certificate is not verified, so that an expired one is told too. */
function readExpiry({ hostname, port }: URL): Promise<number> {
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const isName = /[a-z]/i.test(host) && !host.includes(':');
    const socket = connect({
      host,
      port: port === '' ? 443 : Number(port),
      rejectUnauthorized: false,
      ...(isName && { servername: host }),
    });
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no answer')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to) / 1000);
      socket.destroy();
    });
  });
}
