import { queryClient, sheaf } from '../../lib/api-client.ts';
import { documentInput } from '../../lib/first-request-inputs.ts';
import { currentUserQuery } from '../../shell/current-user.ts';
import { AuthorNames } from './author-names.ts';
import { SheetSession, readTabs } from './sheet-session.ts';
import { outboxOf } from './sheet-outbox.ts';

export async function openSession(fileId: string, tab: string | undefined): Promise<SheetSession> {
  const [{ file, members }, tabs, me] = await Promise.all([
    sheaf.manage.query_file_info(documentInput(fileId)),
    readTabs(fileId, sheaf),
    queryClient.fetchQuery(currentUserQuery),
  ]);
  const current = tabs.find((one) => one.id === tab) ?? tabs.find((one) => !one.isHidden) ?? tabs[0]!;
  return new SheetSession(
    fileId,
    { title: file.title, role: file.role },
    file.version,
    tabs,
    current.id,
    new AuthorNames(fileId, me.user_id, members),
    outboxOf(me.user_id, fileId),
  );
}
