import type { EdgecoreConfig } from '@fenestra/contracts';
import type { NamedNode } from '@fenestra/steps';

/** The files of a node's certificate. */
export type CertificatePaths = Pick<NamedNode, 'caFile' | 'certificateFile' | 'keyFile'>;

/** Where a node with this configuration keeps its certificate. */
export function certificatePaths({ modules: { edgeHub } }: EdgecoreConfig): CertificatePaths {
  const { tlsCaFile: caFile, tlsCertFile: certificateFile, tlsPrivateKeyFile: keyFile } = edgeHub;
  return { caFile, certificateFile, keyFile };
}
