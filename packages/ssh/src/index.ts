export { type HostKeySources, type NewHostKey } from './host-keys/host-key-book.ts';
export { sshRemoteHosts } from './library/library-hosts.ts';
export { remoteHosts } from './remote-hosts.ts';
export { systemSsh, type SystemSshOptions } from './system/system-hosts.ts';
