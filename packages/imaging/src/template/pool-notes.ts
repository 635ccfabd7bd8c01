import type { NodePoolConfig } from './pool/schema.ts';

/** Of a machine's name, five letters tell the set of machines, and five the machine; a dash before each. */
const SUFFIX_LENGTH = 12;
const NETBIOS_LENGTH = 15;

/** What an administrator has to know of a pool. */
export function poolNotes(config: NodePoolConfig): readonly string[] {
  return [...nameNotes(config), ...PROVIDER_NOTES[config.provider], ...trustNotes(config), ...keyNotes(config)];
}

/** Cluster API's provider asks no authority. */
function trustNotes({ vsphere }: NodePoolConfig): readonly string[] {
  if (vsphere === undefined || vsphere.thumbprint !== undefined) return [];
  return ['Without "thumbprint" the provider takes anybody for vCenter who answers at its address.'];
}

/** Windows keeps 15 letters of a name. */
function nameNotes({ name, provider }: NodePoolConfig): readonly string[] {
  if (name.length + SUFFIX_LENGTH <= NETBIOS_LENGTH || provider === 'aws') return [];
  const kept = name.slice(0, 9).replace(/-$/, '');
  return [
    `Names of machines are cut to 15 letters: "${kept}-" and the last five. Pools need names whose first nine letters differ.`,
  ];
}

function keyNotes({ sshKeys = [] }: NodePoolConfig): readonly string[] {
  if (sshKeys.length === 0) return [];
  return [
    'SSH keys go to the profile of "capi": the image must run OpenSSH, and have it look for keys of administrators there.',
  ];
}

const PROVIDER_NOTES: Readonly<Record<NodePoolConfig['provider'], readonly string[]>> = {
  azure: ['Images must name the host before user-data is run; Azure itself does so.'],
  aws: [
    'User-data holds the bootstrap token of 15 minutes: the provider can hide it from Linux only.',
    'Hosts are named after their address; nodes have the whole name.',
  ],
  vsphere: [
    'The template must have cloudbase-init with the service of VMware, which names the host before user-data is run.',
  ],
};
