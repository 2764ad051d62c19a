import type { Services } from '../../context.ts';
import { list, text } from '../../kernel/field-schemas.ts';
import { coverUrlField } from './cover-url.ts';
import { refuseBlocked } from './wiki-writes.ts';
import { title } from './schema.ts';

/** Input fields of a knowledge base. */
export const baseFields = {
  name: title('Its name.'),
  description: text('Description.', { max: 5000 }).optional(),
  cover_url: coverUrlField('Address of a cover picture; if empty, one is generated from the name.').optional(),
  recommended_questions: list('Recommended questions, at most 3.', text('A question.', { min: 1, max: 1000 }), {
    max: 3,
  }).optional(),
};

export function refuseBlockedWords(
  services: Pick<Services, 'config'>,
  given: { name?: string; description?: string; recommended_questions?: string[] },
): void {
  refuseBlocked(services, 'name', given.name ?? '');
  refuseBlocked(services, 'description', given.description ?? '');
  for (const question of given.recommended_questions ?? []) refuseBlocked(services, 'recommended_questions', question);
}
