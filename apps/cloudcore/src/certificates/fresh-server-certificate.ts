import type { CloudBase } from '../cloud-base.ts';
import { alternativeNames } from './sign-certificate.ts';
import { isDueForRenewal, openServerCertificate, type ServerCertificate } from './server-certificate.ts';

/** Someone who shows the certificate to nodes. */
export interface CertificateUser {
  renew(certificate: ServerCertificate): void;
}

/** Replaces the servers' certificate when it is time. */
export interface FreshCertificate {
  /** Does it now if files, names or CA have changed, or if it is due. */
  renew(signal: AbortSignal): Promise<void>;
  stop(): void;
}

const HOUR_MS = 60 * 60 * 1000;

/** Opens the certificate that the configuration asks for. */
export async function currentServerCertificate(
  { config, authority, store, now }: CloudBase,
  signal: AbortSignal,
): Promise<ServerCertificate> {
  const { tlsCertFile, tlsPrivateKeyFile, advertiseAddress, dnsNames } = config().modules.cloudHub;
  const files = { certificate: tlsCertFile, key: tlsPrivateKeyFile };
  const names = alternativeNames([...advertiseAddress, ...dnsNames]);
  return openServerCertificate({ authority, files, names }, store, now(), signal);
}

/** Looks every hour whether the servers' certificate has to be replaced. */
export function keepCertificateFresh(
  base: CloudBase,
  users: readonly CertificateUser[],
  first: ServerCertificate,
): FreshCertificate {
  let current = first;
  const renew = async (signal: AbortSignal): Promise<void> => {
    const opened = await currentServerCertificate(base, signal);
    if (opened.cert === current.cert) return;
    current = opened;
    for (const user of users) user.renew(opened);
    base.log.info("Replaced the servers' certificate", { notAfter: opened.notAfter.toISOString() });
  };
  const look = async (): Promise<void> => {
    try {
      if (isDueForRenewal(current, base.now())) await renew(base.life.signal);
    } catch (error) {
      base.log.error("Cannot renew the servers' certificate", { error: String(error) });
    }
  };
  const timer = setInterval(() => void look(), HOUR_MS);
  timer.unref();
  return { renew, stop: () => clearInterval(timer) };
}
