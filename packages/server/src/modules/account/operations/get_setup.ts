import { z } from 'zod';
import { flag, integer, list, oneOf } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';

const parts = ['ocr', 'transcription', 'meaning', 'dictionary', 'sign_on', 'public_url', 'shared_database'] as const;

export const get_setup = operation({
  summary: 'Tells the owner which optional parts of the installation are set up.',
  effect: 'read',
  ownerOnly: true,
  input: {},
  output: {
    parts: list(
      'The optional parts.',
      z.object({
        part: oneOf('The part.', parts),
        is_set_up: flag('Whether it is set up.'),
      }),
    ),
    user_count: integer('Number of users that are not deleted.'),
    default_quota_bytes: integer('Bytes that each user may store without a quota of their own.'),
  },
  async run(_input, { config, embeddingModel, transcriber, accounts }) {
    const isSetUp: Record<(typeof parts)[number], boolean> = {
      ocr: config.SHEAF_OCR !== undefined,
      transcription: transcriber !== undefined,
      meaning: embeddingModel !== undefined,
      dictionary: config.SHEAF_DICTIONARY !== undefined,
      sign_on: config.SHEAF_OIDC_ISSUER !== undefined,
      public_url: config.SHEAF_PUBLIC_URL !== undefined,
      shared_database: config.SHEAF_DATABASE_URL !== undefined,
    };
    const users = await accounts.listUsers();
    return {
      parts: parts.map((part) => ({ part, is_set_up: isSetUp[part] })),
      user_count: users.filter(({ state }) => state !== 'deleted').length,
      default_quota_bytes: config.SHEAF_QUOTA_BYTES,
    };
  },
});
