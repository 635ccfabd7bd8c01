import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { mustRun, runCommand } from '../../support/beds/command.ts';
import { killNow } from '../../support/beds/process-tree.ts';
import { unpackedPackages } from '../../support/beds/unpacked-package.ts';
import { freePort } from '@fenestra/platform/testing/free-port';

/** Its own Kerberos realm, with one account, which has a ticket, and one machine called `localhost`. */
export interface KerberosRealm {
  /** For the server and for the client; the ticket is in the file that it names. */
  readonly env: Readonly<Record<'KRB5_CONFIG' | 'KRB5_KTNAME' | 'KRB5CCNAME' | 'KRB5RCACHEDIR', string>>;
  stop(): Promise<void>;
}

/** With the libraries of the same version; the machine's own may be older. */
const PACKAGES = [
  'krb5-kdc',
  'krb5-admin-server',
  'krb5-user',
  'libkadm5srv-mit12',
  'libkadm5clnt-mit12',
  'libkdb5-10',
  'libgssrpc4',
  'libverto1',
  'libverto-libev1',
  'libev4',
  'libkrb5-3',
  'libkrb5support0',
  'libk5crypto3',
  'libgssapi-krb5-2',
  'libss2',
];
const REALM = 'FENESTRA.EXAMPLE';
const PASSWORD = 'only here';
const READY_TRIES = 50;

/** Starts MIT's key distribution centre, out of Debian's packages, and gets a ticket for the account. */
export async function startKerberosRealm(user: string, signal: AbortSignal): Promise<KerberosRealm> {
  const programs = await unpackedPackages('kerberos', PACKAGES, signal);
  const libraries = await librariesIn(programs);
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-kerberos-'));
  const at = (name: string): string => join(folder, name);
  const port = await freePort();
  await writeFile(at('krb5.conf'), clientConfig(port, libraries));
  await writeFile(at('kdc.conf'), serverConfig(port, folder));
  const files = { KRB5_CONFIG: at('krb5.conf'), KRB5_KTNAME: at('keytab'), KRB5CCNAME: `FILE:${at('ticket')}` };
  const env = { ...files, KRB5RCACHEDIR: folder };
  const own = { ...env, KRB5_KDC_PROFILE: at('kdc.conf'), LD_LIBRARY_PATH: libraries };
  const run = async (program: string, ...args: readonly string[]): Promise<void> => {
    await mustRun([join(programs, 'usr/sbin', program), ...args], { env: own }, signal);
  };
  await run('kdb5_util', '-P', PASSWORD, 'create', '-s');
  await run('kadmin.local', 'addprinc', '-randkey', user);
  await run('kadmin.local', 'addprinc', '-randkey', 'host/localhost');
  await run('kadmin.local', 'ktadd', '-k', at('keytab'), 'host/localhost');
  await run('kadmin.local', 'ktadd', '-k', at('user-keytab'), user);
  const centre = spawn(join(programs, 'usr/sbin/krb5kdc'), ['-n'], { env: own, stdio: 'ignore' });
  const stop = async (): Promise<void> => stopRealm(centre, folder);
  const kinit = [join(programs, 'usr/bin/kinit'), '-k', '-t', at('user-keytab'), user];
  for (let tries = 0; (await runCommand(kinit, { env: own }, signal)).exitCode !== 0; tries += 1) {
    if (tries === READY_TRIES) await stop().then(async () => mustRun(kinit, { env: own }, signal));
    await delay(100);
  }
  return { env, stop };
}

async function librariesIn(programs: string): Promise<string> {
  const folder = (await readdir(join(programs, 'usr/lib'))).find((name) => name.endsWith('-linux-gnu'));
  return join(programs, 'usr/lib', folder ?? '');
}

async function stopRealm({ pid }: ChildProcess, folder: string): Promise<void> {
  if (pid !== undefined) killNow(pid);
  await rm(folder, { recursive: true, force: true });
}

function clientConfig(port: number, libraries: string): string {
  return `[libdefaults]
  default_realm = ${REALM}
  dns_lookup_kdc = false
  dns_canonicalize_hostname = false
  rdns = false
[realms]
  ${REALM} = {
    kdc = 127.0.0.1:${port}
  }
[domain_realm]
  localhost = ${REALM}
[dbmodules]
  db_module_dir = ${libraries}/krb5/plugins/kdb
`;
}

function serverConfig(port: number, folder: string): string {
  return `[kdcdefaults]
  kdc_listen = 127.0.0.1:${port}
  kdc_tcp_listen = 127.0.0.1:${port}
[realms]
  ${REALM} = {
    database_name = ${folder}/principal
    key_stash_file = ${folder}/stash
  }
[logging]
  kdc = FILE:${folder}/kdc.log
`;
}
