/** Where the cloud's HTTPS server (port 10002) answers what. Bodies of certificates are DER, not PEM. */
export const CERTIFICATE_PATHS = {
  /** GET: the CA certificate. */
  ca: '/ca.crt',
  /** GET with a body: a certificate for the request in it. */
  nodeCertificate: '/edge.crt',
  /** GET: whether a node exists. DELETE, by the node's certificate: the machine is this node no longer. */
  node: '/node/',
  /** POST: how an upgrade of the first version of node tasks went. */
  nodeUpgrade: '/nodeupgrade',
} as const;

/** What `/node/<name>` says when there is one. Old tools compare it. */
export const NODE_FOUND_TEXT = 'Node founded';

/** What a request to the HTTPS server asks for. */
export type CloudRequest =
  | { readonly request: 'ca' }
  | { readonly request: 'node-certificate' }
  | { readonly request: 'node'; readonly nodeName: string }
  | { readonly request: 'leave'; readonly nodeName: string }
  | { readonly request: 'node-upgrade-report' }
  | { readonly request: 'task-report'; readonly taskType: string; readonly task: string; readonly node: string };

/** Cloud side: reads method and path (a query is ignored); undefined for anything else, to be answered with 404. */
export function parseCloudRequest(method: string, url: string): CloudRequest | undefined {
  const path = url.split('?', 1)[0] ?? '';
  if (method === 'GET') return parseGet(path);
  if (method === 'DELETE') return parseDelete(path);
  return method === 'POST' ? parsePost(path) : undefined;
}

/** Node side: the path that shows whether a node exists. */
export function nodePath(nodeName: string): string {
  return `${CERTIFICATE_PATHS.node}${encodeURIComponent(nodeName)}`;
}

function parseGet(path: string): CloudRequest | undefined {
  if (path === CERTIFICATE_PATHS.ca) return { request: 'ca' };
  if (path === CERTIFICATE_PATHS.nodeCertificate) return { request: 'node-certificate' };
  const nodeName = nodeIn(path);
  return nodeName === undefined ? undefined : { request: 'node', nodeName };
}

function parseDelete(path: string): CloudRequest | undefined {
  const nodeName = nodeIn(path);
  return nodeName === undefined ? undefined : { request: 'leave', nodeName };
}

function nodeIn(path: string): string | undefined {
  return decodeToken(/^\/node\/([^/]+)$/.exec(path)?.[1]);
}

function parsePost(path: string): CloudRequest | undefined {
  if (path === CERTIFICATE_PATHS.nodeUpgrade) return { request: 'node-upgrade-report' };
  const tokens = /^\/task\/([^/]+)\/name\/([^/]+)\/node\/([^/]+)\/status$/.exec(path)?.slice(1).map(decodeToken);
  const [taskType, task, node] = tokens ?? [];
  if (taskType === undefined || task === undefined || node === undefined) return undefined;
  return { request: 'task-report', taskType, task, node };
}

function decodeToken(token: string | undefined): string | undefined {
  try {
    return token === undefined ? undefined : decodeURIComponent(token);
  } catch {
    // A stray percent sign: no path of ours.
    return undefined;
  }
}
