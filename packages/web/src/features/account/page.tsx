import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { useCurrentUser } from '../../shell/current-user.ts';
import { useTranslation, type MessageKey } from '../../i18n/use-translation.ts';
import { Page } from '../../ui/page-layout.tsx';
import { AuditLogSection } from './audit-log.tsx';
import { ConnectedAppsSection } from './connected-apps.tsx';
import { ConnectAgentSection } from './connect-agent.tsx';
import { ApiKeysSection } from './api-keys.tsx';
import { GroupsSection } from './groups.tsx';
import { ProfileSection } from './profile.tsx';
import { SetupSection } from './setup.tsx';
import { UsersSection } from './users.tsx';
import { WebhooksSection } from './webhooks.tsx';

const sections: Record<string, { label: MessageKey; show: () => ReactNode; ownerOnly?: boolean }> = {
  profile: { label: 'profile', show: () => <ProfileSection /> },
  connect: { label: 'connect', show: () => <ConnectAgentSection /> },
  apps: { label: 'connectedApps', show: () => <ConnectedAppsSection /> },
  keys: { label: 'apiKeys', show: () => <ApiKeysSection /> },
  webhooks: { label: 'webhooks', show: () => <WebhooksSection /> },
  audit: { label: 'audit', show: () => <AuditLogSection /> },
  users: { label: 'users', show: () => <UsersSection />, ownerOnly: true },
  groups: { label: 'groups', show: () => <GroupsSection />, ownerOnly: true },
  setup: { label: 'setup', show: () => <SetupSection />, ownerOnly: true },
};

export function AccountPage(): ReactNode {
  const text = useTranslation();
  const me = useCurrentUser();
  const { section } = useParams({ from: '/account/$section' });
  const shown = sections[section] ?? sections['profile']!;
  const nav = useRef<HTMLElement>(null);
  // Scroll the current tab into view, because a narrow screen does not show all tabs.
  useEffect(() => {
    nav.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [section, me?.role, text]);
  return (
    <Page title={text('account')} lead={me?.name}>
      <nav
        ref={nav}
        aria-label={text('account')}
        className="scroll-thin -mx-1 flex gap-1 overflow-x-auto border-b border-line px-1"
      >
        {Object.entries(sections)
          .filter(([, each]) => !each.ownerOnly || me?.role === 'owner')
          .map(([name, each]) => (
            <Link
              key={name}
              to="/account/$section"
              params={{ section: name }}
              className="border-b-2 border-transparent px-3 py-2 whitespace-nowrap text-soft hover:text-ink"
              activeProps={{ className: 'border-accent! text-ink! font-medium' }}
            >
              {text(each.label)}
            </Link>
          ))}
      </nav>
      {shown.show()}
    </Page>
  );
}
