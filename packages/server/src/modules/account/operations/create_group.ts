import { newId } from '../../../lib/ids.ts';
import { fail } from '../../../kernel/errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { groupInfo, toGroupInfo, writeGroup } from '../groups.ts';

export const create_group = operation({
  summary:
    'Creates a group of users to share with. With claim, its members are those whose groups claim from the identity ' +
    'provider contains that value.\nExample: {"name":"Editors"}',
  effect: 'write',
  ownerOnly: true,
  input: {
    name: text('Its name.', { min: 1, max: 100 }).refine(
      (name) => name.trim() === name && !/[\p{Cc}\p{Surrogate}]/u.test(name),
      'must not begin or end with a space or contain control characters',
    ),
    claim: text("Value of the identity provider's groups claim.", { min: 1, max: 255 }).optional(),
  },
  output: { group: groupInfo.meta({ description: 'The new group.' }) },
  async run({ name, claim }, context) {
    const { SHEAF_OIDC_ISSUER: issuer } = context.config;
    if (claim !== undefined && issuer === undefined)
      throw fail('invalid_parameter', 'claim: there is no identity provider (SHEAF_OIDC_ISSUER)');
    const group = { id: newId('group'), name, issuer: claim === undefined ? '' : issuer!, claim: claim ?? '' };
    return writeGroup(
      context,
      () => context.groups.createGroup(context.stamp, group),
      (made) => ({ group: toGroupInfo(made) }),
    );
  },
});
