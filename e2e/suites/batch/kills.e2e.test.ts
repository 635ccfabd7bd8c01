/** The controller is killed again and again in the middle of a run; anyone who resumes it does nothing twice. */
import { setTimeout as delay } from 'node:timers/promises';
import { KINDS } from '@fenestra/kube-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unlimited } from '../../support/cloud/patience.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';
import { textTable } from '../../support/reporting/text-table.ts';
import { type BatchAnswer, problemsIn, statesIn } from './controller.ts';
import { joinsOf, leftBelow, type PlainSite, startPlainSite } from './plain-site.ts';
import { seededRandom } from './seeded-random.ts';

const COUNTS = isShortRun() ? { nodes: 8, kills: 3 } : { nodes: 50, kills: 20 };
/** With another number the kills come at other moments. */
const SEED = Number(process.env['FENESTRA_SEED'] ?? 5);
const LONGEST_LIFE_MS = 5000;
const KILLED = 137;
const rows: (readonly (string | number)[])[] = [];
let site: PlainSite;

beforeAll(async () => {
  site = await startPlainSite(COUNTS.nodes);
});
afterAll(async () => {
  process.stdout.write(`${textTable(['process', 'killed after (s)', 'nodes done', 'nodes in hand'], rows)}\n`);
  await site.stop();
});

test(
  `a run that is killed ${COUNTS.kills} times ends with every node joined exactly once`,
  { timeout: 30 * 60_000 },
  async () => {
    const random = seededRandom(SEED);
    const file = await site.controller.write('join.yaml', site.fileFor(site.nodes));
    for (let kill = 1; kill <= COUNTS.kills; kill += 1) {
      const words = kill === 1 ? ['run', '-c', file] : ['resume'];
      const answer = await killed([...words, ...site.flags], random() * LONGEST_LIFE_MS);
      expect(answer.exitCode).toBe(KILLED);
      rows.push([kill, Number(answer.seconds.toFixed(1)), ...progressOf(answer)]);
    }
    const answer = await site.controller.start(['resume', ...site.flags]).ended;
    rows.push(['last', Number(answer.seconds.toFixed(1)), ...progressOf(answer)]);
    expect(problemsIn(answer)).toEqual([]);
    expect(await Promise.all(site.nodes.map(joinsOf))).toEqual(site.nodes.map(() => 1));
    expect((await Promise.all(site.nodes.map(leftBelow))).flat()).toEqual([]);
    const known = await site.cloud.api.list(KINDS.node, {}, unlimited());
    expect(known.map(({ metadata }) => metadata.name).toSorted()).toEqual(site.nodes.map(({ name }) => name));
  },
);

/** Lets it exist for a while from the moment it has begun, then kills it. */
async function killed(args: readonly string[], afterMs: number): Promise<BatchAnswer> {
  const running = site.controller.start(args);
  await running.until(({ type }) => type === 'run-begun');
  await delay(afterMs);
  running.signal('SIGKILL');
  return running.ended;
}

function progressOf(answer: BatchAnswer): readonly [number, number] {
  const states = Object.values(statesIn(answer));
  const count = (...wanted: readonly string[]): number => states.filter((state) => wanted.includes(state)).length;
  return [count('done', 'unchanged'), count('delivering', 'executing', 'proving', 'retrying')];
}
