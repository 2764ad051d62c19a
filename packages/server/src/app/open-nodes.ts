import { HttpNodeCalls } from '../adapters/nodes/http-node-calls.ts';
import { SqlDocumentLeaseManager } from '../adapters/sql/document-leases.ts';
import { newId } from '../lib/ids.ts';
import type { NodeAddress } from '../lib/node-address.ts';
import type { StorageServices } from './open-storage.ts';

export type NodeServices = ReturnType<typeof openNodes>;

/**
 * Opens the services with which this node (server process) shares open documents with the other nodes: leases, which
 * say which node holds a document, and calls between nodes.
 */
export function openNodes({ database, leaseClock, secret, nodes, calls }: StorageServices, address: NodeAddress) {
  // Use a fixed node name with SQLite, so that a restarted server takes over the leases of its previous process. Only
  // one process at a time uses a data folder.
  const node = database.dialect.name === 'sqlite' ? 'local' : newId('node');
  return {
    node,
    nodes,
    nodeCalls: new HttpNodeCalls(secret, leaseClock, address),
    leases: new SqlDocumentLeaseManager(database, leaseClock, node, () => address.url),
    answers: calls,
    isReachable: () => address.url !== '',
  };
}
