import { minimalEdgecoreYaml, type NodeOs } from '@fenestra/contracts';
import type { JsonObject } from '@fenestra/kube-api';
import { parseDocument } from 'yaml';
import type { NodeNetwork } from './node-network.ts';

/** Settings by dotted path. */
export type NodeSettings = JsonObject;

/** The configuration of a node and its cloud. */
export interface NodeWishes {
  readonly name: string;
  readonly network: Pick<NodeNetwork, 'cloudPorts' | 'metaServerPort'>;
  readonly settings: NodeSettings;
}

/** The setting that holds the join token. */
export const TOKEN_SETTING = 'modules.edgeHub.token';

/** Short, so that a test sees several renewals. */
const LEASE_SECONDS = 8;

/** A node's configuration file, with the system's usual paths. */
export function nodeFile(os: NodeOs, { name, network, settings }: NodeWishes): string {
  const { cloudPorts, metaServerPort } = network;
  const document = parseDocument(minimalEdgecoreYaml(os, { hostName: name, cloudAddress: '127.0.0.1' }));
  const all = {
    'modules.edgeHub.httpServer': `https://127.0.0.1:${cloudPorts.https}`,
    'modules.edgeHub.websocket.server': `127.0.0.1:${cloudPorts.hub}`,
    'modules.edged.tailoredKubeletConfig.nodeLeaseDurationSeconds': LEASE_SECONDS,
    'modules.metaManager.metaServer.enable': true,
    'modules.metaManager.metaServer.server': `127.0.0.1:${metaServerPort}`,
    ...settings,
  };
  for (const [path, value] of Object.entries(all)) document.setIn(path.split('.'), document.createNode(value));
  return document.toString();
}
