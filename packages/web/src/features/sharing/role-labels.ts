import type { MessageKey } from '../../i18n/use-translation.ts';
import type { Role } from './shares.ts';

export const roleLabels: Record<Role, MessageKey> = {
  read: 'canRead',
  comment: 'canComment',
  write: 'canWrite',
  own: 'owner',
};
