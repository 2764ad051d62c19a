import { defineModule } from '../../kernel/module.ts';
import { changesResource } from './changes/mcp-resource.ts';
import { accountErrors } from './errors.ts';
import { add_group_members } from './operations/add_group_members.ts';
import { create_group } from './operations/create_group.ts';
import { create_key } from './operations/create_key.ts';
import { create_sign_in_link } from './operations/create_sign_in_link.ts';
import { create_user } from './operations/create_user.ts';
import { create_webhook } from './operations/create_webhook.ts';
import { delete_group } from './operations/delete_group.ts';
import { delete_user } from './operations/delete_user.ts';
import { delete_webhook } from './operations/delete_webhook.ts';
import { end_session } from './operations/end_session.ts';
import { get_me } from './operations/get_me.ts';
import { get_profile } from './operations/get_profile.ts';
import { get_setup } from './operations/get_setup.ts';
import { list_audit } from './operations/list_audit.ts';
import { list_changes } from './operations/list_changes.ts';
import { list_connections } from './operations/list_connections.ts';
import { list_deliveries } from './operations/list_deliveries.ts';
import { list_group_members } from './operations/list_group_members.ts';
import { list_groups } from './operations/list_groups.ts';
import { list_keys } from './operations/list_keys.ts';
import { list_sessions } from './operations/list_sessions.ts';
import { list_users } from './operations/list_users.ts';
import { list_webhooks } from './operations/list_webhooks.ts';
import { remove_group_members } from './operations/remove_group_members.ts';
import { resume_user } from './operations/resume_user.ts';
import { revoke_connection } from './operations/revoke_connection.ts';
import { revoke_key } from './operations/revoke_key.ts';
import { set_password } from './operations/set_password.ts';
import { suspend_user } from './operations/suspend_user.ts';
import { test_webhook } from './operations/test_webhook.ts';
import { update_profile } from './operations/update_profile.ts';
import { update_user } from './operations/update_user.ts';
import { update_webhook } from './operations/update_webhook.ts';

export const account = defineModule({
  name: 'account',
  title: 'Accounts',
  chineseTitle: '账户',
  summary: 'Users, API keys, connected apps, browser sessions, webhooks, and the audit log of every write.',
  errors: accountErrors,
  answersForServer: true,
  appsMayOnlyRead: true,
  resources: [changesResource],
  essential: ['get_me'],
  core: ['get_me', 'list_changes'],
  operations: {
    get_me,
    create_key,
    list_keys,
    revoke_key,
    list_connections,
    revoke_connection,
    set_password,
    get_profile,
    update_profile,
    list_sessions,
    end_session,
    create_sign_in_link,
    list_audit,
    list_changes,
    create_webhook,
    list_webhooks,
    update_webhook,
    delete_webhook,
    test_webhook,
    list_deliveries,
    create_user,
    list_users,
    update_user,
    get_setup,
    suspend_user,
    resume_user,
    delete_user,
    create_group,
    delete_group,
    list_groups,
    list_group_members,
    add_group_members,
    remove_group_members,
  },
});
