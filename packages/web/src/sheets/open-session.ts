import { queries, sheaf } from '../lib/client.ts';
import { meQuery } from '../shell/me.ts';
import { People } from './people.ts';
import { readTabs } from './read-tabs.ts';
import { SheetSession } from './session.ts';
import { outboxOf } from './sheet-outbox.ts';

export async function openSession(fileId: string, tab: string | undefined): Promise<SheetSession> {
  const [{ file, members }, tabs, me] = await Promise.all([
    sheaf.manage.query_file_info({ file_id: fileId }),
    readTabs(fileId),
    queries.fetchQuery(meQuery),
  ]);
  const current = tabs.find((one) => one.id === tab) ?? tabs.find((one) => !one.isHidden) ?? tabs[0]!;
  return new SheetSession(
    fileId,
    { title: file.title, role: file.role },
    file.version,
    tabs,
    current.id,
    new People(fileId, me.user_id, members),
    outboxOf(me.user_id, fileId),
  );
}
