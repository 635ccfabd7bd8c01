import type { NodePoolConfig } from '@fenestra/contracts';

/** Of a machine's name, five letters tell the set of machines, and five the machine; a dash before each. */
const SUFFIX_LENGTH = 12;
const NETBIOS_LENGTH = 15;

/** What an administrator has to know of a pool. */
export function poolNotes(config: NodePoolConfig): readonly string[] {
  return [...nameNotes(config), ...PROVIDER_NOTES[config.provider]];
}

/** Windows keeps 15 letters of a name. */
function nameNotes({ name, provider }: NodePoolConfig): readonly string[] {
  if (name.length + SUFFIX_LENGTH <= NETBIOS_LENGTH || provider === 'aws') return [];
  const kept = name.slice(0, 9).replace(/-$/, '');
  return [
    `Names of machines are cut to 15 letters: "${kept}-" and the last five. Pools need names whose first nine letters differ.`,
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
