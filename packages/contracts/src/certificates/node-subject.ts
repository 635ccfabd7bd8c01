/** The organization of every node's certificate. */
export const NODE_ORGANIZATION = 'system:nodes';

/** The identity certificates of old carry, whichever node they are on. */
export const LEGACY_SUBJECT = { organization: 'KubeEdge', commonName: 'kubeedge.io' } as const;

const NODE_USER_PREFIX = 'system:node:';

/** Who a certificate is for. A name with several organizations is no node's. */
export interface CertificateSubject {
  readonly organization: string;
  readonly commonName: string;
}

/** The distinguished name upstream's agent asks for, in its order. Only O and CN mean something. */
export function nodeRequestSubject(nodeName: string): readonly (readonly [attribute: string, value: string])[] {
  return [
    ['C', 'CN'],
    ['O', NODE_ORGANIZATION],
    ['L', 'Hangzhou'],
    ['ST', 'Zhejiang'],
    ['CN', nodeCommonName(nodeName)],
  ];
}

/** The common name of a node's certificate. */
export function nodeCommonName(nodeName: string): string {
  return `${NODE_USER_PREFIX}${nodeName}`;
}

/** The node a certificate speaks for; undefined if it is no node's. */
export function nodeNameOf({ organization, commonName }: CertificateSubject): string | undefined {
  if (organization !== NODE_ORGANIZATION || !commonName.startsWith(NODE_USER_PREFIX)) return undefined;
  return commonName.slice(NODE_USER_PREFIX.length) || undefined;
}
