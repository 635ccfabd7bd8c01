import { join } from 'node:path';
import { minimalEdgecoreYaml } from '@fenestra/contracts';
import { parseDocument } from 'yaml';
import type { DemoPorts } from './demo-settings.ts';

/** What the demo's node is told about itself and its cloud. */
export interface NodeWishes {
  readonly name: string;
  /** The folder below which the whole node lives. */
  readonly root: string;
  readonly ports: DemoPorts;
  readonly token: string;
}

/** The node's configuration, with every path below its own folder. */
export function nodeYaml({ name, root, ports, token }: NodeWishes): string {
  const document = parseDocument(minimalEdgecoreYaml('linux', { hostName: name, cloudAddress: '127.0.0.1' }));
  const set = (path: string, value: string | number | boolean): void => document.setIn(path.split('.'), value);
  set('database.dataSource', join(root, 'var/lib/kubeedge/edgecore.db'));
  set('modules.edgeHub.token', token);
  set('modules.edgeHub.httpServer', `https://127.0.0.1:${ports.https}`);
  set('modules.edgeHub.websocket.server', `127.0.0.1:${ports.hub}`);
  set('modules.edgeHub.tlsCaFile', join(root, 'etc/kubeedge/ca/rootCA.crt'));
  set('modules.edgeHub.tlsCertFile', join(root, 'etc/kubeedge/certs/server.crt'));
  set('modules.edgeHub.tlsPrivateKeyFile', join(root, 'etc/kubeedge/certs/server.key'));
  set('modules.edged.rootDirectory', join(root, 'var/lib/kubelet'));
  set('modules.metaManager.metaServer.enable', true);
  set('modules.metaManager.metaServer.server', `127.0.0.1:${ports.metaServer}`);
  return document.toString();
}
