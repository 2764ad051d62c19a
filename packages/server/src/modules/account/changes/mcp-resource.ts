import type { ResourceKind } from '../../../kernel/mcp-resource.ts';
import { changesTopic } from '../../../kernel/change-signal.ts';
import { readVisibleChanges } from './visible-changes.ts';

/**
 * MCP resource with the latest changes. A subscribed client is notified of changes that it may see, and reads them with
 * list_changes.
 */
export const changesResource: ResourceKind = {
  template: 'sheaf://changes',
  name: 'changes',
  title: 'What changed',
  description: 'Changes of the last 24 hours that the caller may see, as list_changes gives them.',
  mimeType: 'application/json',
  anyKey: true,
  async read(_values, reach) {
    return { text: JSON.stringify(await reach.call('account.list_changes', { limit: 200 })) };
  },
  async watch(_values, { caller, services }) {
    let position = await services.changeLog.end();
    let looking: Promise<boolean> | undefined;
    const look = async (): Promise<boolean> => {
      const { changes, next } = await readVisibleChanges(services, caller, position, {}, 1);
      position = changes.length === 0 ? next : await services.changeLog.end();
      return changes.length > 0;
    };
    return {
      topic: changesTopic,
      // All event streams of the caller share this function (`concerns`). An event reaches all of them in the same turn
      // of the event loop, so their calls share one query.
      concerns: () =>
        (looking ??= look().finally(() => {
          looking = undefined;
        })),
    };
  },
};
