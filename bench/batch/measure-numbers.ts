import { median, type Ratio } from '../ratio.ts';
import { keadmAgain, keadmBatch } from './keadm-run.ts';
import { deliveryTo, type Delivery, type Taken } from './methods.ts';
import { ansible } from './peers/ansible.ts';
import { httpPull } from './peers/http-pull.ts';
import { opensshTar } from './peers/openssh-tar.ts';
import { upstreamSftp } from './peers/upstream-sftp.ts';
import type { Site } from './targets.ts';

/** The number of targets that most bars are for; up to this one, the executables of all targets fit into the memory. */
const MAIN_NUMBER = 50;
/** What takes long is steadier. */
const ROUNDS = { fewer: 7, main: 3, more: 1 };
const MEMORY_LIMIT_MB = 200;

const OPENSSH = 'OpenSSH, one tar and the command';
const HTTP = 'plain HTTP, command over SSH';

type Method = (delivery: Delivery) => Promise<Taken>;

/** The ways that are compared at every number of targets; a run on targets that have everything comes right after another. */
const METHODS = {
  push: async (delivery: Delivery) => keadmBatch('push', delivery),
  again: async (delivery: Delivery) => keadmAgain('push', delivery),
  openssh: opensshTar,
  pull: async (delivery: Delivery) => keadmBatch('pull', delivery),
  http: httpPull,
  upstream: async (delivery: Delivery) => upstreamSftp(delivery),
  ansible,
} satisfies Record<string, Method>;
type Name = keyof typeof METHODS;

const EVERYWHERE: readonly Name[] = ['push', 'openssh', 'pull', 'http'];
const AT_MAIN_NUMBER: readonly Name[] = ['push', 'again', 'again', 'again', 'openssh', 'pull', 'http'];
/** These take long, and their bars are far away. */
const ONCE_AT_MAIN_NUMBER: readonly Name[] = ['upstream', 'ansible'];

/** What the methods took at one number of targets. */
type Figures = Partial<Readonly<Record<Name, Taken>>>;
type Sample = readonly [name: Name, taken: Taken];

/** Every method at every number of targets, without delay. */
export async function measureNumbers(site: Site, numbers: readonly number[]): Promise<readonly Ratio[]> {
  const figures = new Map<number, Figures>();
  for (const number of numbers) figures.set(number, await measureAt(site, number));
  return [
    ...numbers.flatMap((number) => limitRatios(number, figures.get(number) ?? {})),
    ...mainRatios(figures.get(MAIN_NUMBER) ?? {}),
    memoryRatio(numbers, figures),
  ];
}

async function measureAt(site: Site, number: number): Promise<Figures> {
  const isMain = number === MAIN_NUMBER;
  const delivery = deliveryTo(site, site.machines.slice(0, number), { discard: number > MAIN_NUMBER });
  const samples: Sample[] = [];
  // Alternating, so that all of them meet the machine in the same moods.
  for (let round = 0; round < roundsAt(number); round += 1)
    samples.push(...(await measureRound(delivery, isMain ? AT_MAIN_NUMBER : EVERYWHERE)));
  if (isMain) samples.push(...(await measureRound(delivery, ONCE_AT_MAIN_NUMBER)));
  return middleOf(samples);
}

function roundsAt(number: number): number {
  if (number === MAIN_NUMBER) return ROUNDS.main;
  return number < MAIN_NUMBER ? ROUNDS.fewer : ROUNDS.more;
}

async function measureRound(delivery: Delivery, names: readonly Name[]): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (const name of names) {
    if (name !== 'again') delivery.site.clear(delivery);
    const taken = await METHODS[name](delivery);
    console.log(`${delivery.targets.length} targets, ${name}: ${takenText(taken)}`);
    samples.push([name, taken]);
  }
  return samples;
}

function takenText({ seconds, megabytes, processorSeconds }: Taken): string {
  return `${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB, ${processorSeconds.toFixed(1)} s of processor time`;
}

function middleOf(samples: readonly Sample[]): Figures {
  const byName = Map.groupBy(samples, ([name]) => name);
  return Object.fromEntries([...byName].map(([name, its]) => [name, middle(its.map(([, taken]) => taken))]));
}

function middle(taken: readonly Taken[]): Taken {
  return {
    seconds: median(taken.map(({ seconds }) => seconds)),
    megabytes: median(taken.map(({ megabytes }) => megabytes)),
    processorSeconds: median(taken.map(({ processorSeconds }) => processorSeconds)),
  };
}

/** Against what is possible at all. */
function limitRatios(number: number, { push, pull, openssh, http }: Figures): readonly Ratio[] {
  return [ratio(`push to ${number}`, push, OPENSSH, openssh, 1.3), ratio(`pull by ${number}`, pull, HTTP, http, 1.6)];
}

function mainRatios(figures: Figures): readonly Ratio[] {
  const { push, pull, again, upstream, ansible: playbook } = figures;
  if (push === undefined) return [];
  return [
    ratio(`push to ${MAIN_NUMBER}`, push, 'Ansible', playbook, 1 / 3),
    ratio(`pull by ${MAIN_NUMBER}`, pull, 'Ansible', playbook, 1 / 5),
    ratio(`push to ${MAIN_NUMBER}`, push, "upstream's way", upstream, 1 / 1.3),
    ratio(`second run on ${MAIN_NUMBER}`, again, 'the first', push, 0.2),
  ];
}

/** Of the largest number of targets; the larger of the two ways' figures counts. */
function memoryRatio(numbers: readonly number[], figures: ReadonlyMap<number, Figures>): Ratio {
  const most = Math.max(...numbers);
  const { push, pull } = figures.get(most) ?? {};
  return {
    name: `controller's memory at ${most}`,
    unit: 'MB of PSS at most',
    ours: Math.max(push?.megabytes ?? Number.NaN, pull?.megabytes ?? Number.NaN),
    peer: 'the limit',
    theirs: MEMORY_LIMIT_MB,
    bar: 1,
  };
}

function ratio(name: string, ours: Taken | undefined, peer: string, theirs: Taken | undefined, bar: number): Ratio {
  return { name, unit: 's', ours: ours?.seconds ?? Number.NaN, peer, theirs: theirs?.seconds ?? Number.NaN, bar };
}
