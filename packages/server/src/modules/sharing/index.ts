import { defineModule } from '../../kernel/module.ts';
import { sharingErrors } from './errors.ts';
import { list_people } from './operations/list_people.ts';
import { list_published } from './operations/list_published.ts';
import { list_shared_with_me } from './operations/list_shared_with_me.ts';
import { list_shares } from './operations/list_shares.ts';
import { publish } from './operations/publish.ts';
import { share } from './operations/share.ts';
import { unpublish } from './operations/unpublish.ts';
import { unshare } from './operations/unshare.ts';

export const sharing = defineModule({
  name: 'sharing',
  title: 'Sharing',
  chineseTitle: '共享',
  summary:
    'Who may read, comment on and edit notes, notebooks, knowledge bases and spreadsheets: shares with users, groups and ' +
    'everyone, and public links.',
  errors: sharingErrors,
  operations: { share, unshare, list_shares, list_shared_with_me, list_people, publish, list_published, unpublish },
});
