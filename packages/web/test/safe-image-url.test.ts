import { describe, expect, test } from 'vitest';
import { safeImageUrl } from '../src/lib/safe-image-url.ts';

const page = 'https://sheaf.example:8443/wiki/base_1/item/media_1?q=x';

describe('addresses of pictures', () => {
  test.each([
    '/sign-in?token=in_1',
    'sign-in?token=in_1',
    '../../../sign-in?token=in_1',
    '//sheaf.example:8443/sign-in?token=in_1',
    'https://sheaf.example:8443/sign-in?token=in_1',
    'HTTPS://SHEAF.EXAMPLE:8443/sign-in?token=in_1',
    'https://sheaf.example.:8443/sign-in?token=in_1',
    'https://user@sheaf.example:8443/sign-in?token=in_1',
    'https://sheaf.example/sign-in?token=in_1',
    'http://sheaf.example:8080/sign-in',
    ' \t/sign-\nin?token=in_1',
    '\\sign-in?token=in_1',
    '\\\\sheaf.example:8443\\sign-in',
    '/files/../sign-in?token=in_1',
    '/files/%2e%2e/sign-in?token=in_1',
    '/files/a',
    '/openapi/note/v1/events?x=1',
    '?token=in_1',
    '#x',
    '',
    'javascript:alert(1)',
    'blob:https://sheaf.example:8443/1',
    'file:///etc/passwd',
    'data:text/html,<script>',
    'http://',
  ])('[finding R4] %j is never fetched', (address) => {
    expect(safeImageUrl(address, page)).toBeUndefined();
  });

  test('[finding R4] a machine by another of its own names is the same', () => {
    for (const address of [
      'http://localhost:8787/sign-in',
      'http://127.0.0.1:9999/sign-in',
      'http://[::1]:8787/sign-in',
      'http://0x7f.1:8787/sign-in',
      'http://me.localhost:8787/sign-in',
    ]) {
      expect(safeImageUrl(address, 'http://127.0.0.1:8787/notes/note_1'), address).toBeUndefined();
    }
  });

  test('[finding R4] pictures of others, signed files of ours and pictures in the text itself are', () => {
    expect(safeImageUrl('https://example.com/a.png', page)).toBe('https://example.com/a.png');
    expect(safeImageUrl('//example.com/a.png', page)).toBe('https://example.com/a.png');
    expect(safeImageUrl('/files/media/a.png?expires=1&signature=2', page)).toBe(
      'https://sheaf.example:8443/files/media/a.png?expires=1&signature=2',
    );
    expect(safeImageUrl('data:image/png;base64,iVBORw0KGgo=', page)).toBe('data:image/png;base64,iVBORw0KGgo=');
  });
});
