/**
 * The built programs under random requests of everyone who can reach them: unknown clients, a thief with a node's certificate,
 * a user of the embedded API, and a false cloud. `FENESTRA_FUZZ_REQUESTS` says how many in total; `FENESTRA_FUZZ_SEED`
 * repeats the choices of a run.
 */
import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { KINDS, stringAt } from '@fenestra/kube-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { parseJoinToken } from '@fenestra/contracts';
import { type Cloud, startEmbeddedCloud } from '../../support/cloud/cloud.ts';
import { type EdgeNode, prepareNode } from '../../support/cloud/edge-node.ts';
import { freePort } from '@fenestra/platform/testing/free-port';
import { configMap, podOn } from '../../support/cloud/manifests.ts';
import { TOKEN_SETTING } from '../../support/cloud/node-file.ts';
import { PATIENCE, unlimited, untilConnected } from '../../support/cloud/patience.ts';
import { MACHINES } from '../../support/machines/keadm-machine.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';
import { FUZZ_NAMESPACE, readingInput, writingInput } from './api-requests.ts';
import { certificateInput } from './certificate-requests.ts';
import { hubCredentials, openHostileHub } from '../../support/security/hostile-hub.ts';
import { type Credentials, fuzzHttp, type FuzzReport, type HttpInput } from '../../support/security/http-fuzz.ts';
import { fuzzHub } from './hub-fuzz.ts';
import { localApiInput } from './local-api-requests.ts';
import { joinAs, kubeletAs, type NodeIdentity } from '../../support/security/node-identity.ts';
import { processCalled } from './processes.ts';
import { type Random, seededRandom } from '../../support/security/random.ts';
import { expectUnmoved } from './under-attack.ts';

const USUAL_REQUESTS = isShortRun() ? 60_000 : 1_000_000;
const REQUESTS = Number(process.env['FENESTRA_FUZZ_REQUESTS'] ?? USUAL_REQUESTS);
/** The short form repeats the same requests, so that its result depends on the code alone. */
const USUAL_SEED = isShortRun() ? 1 : Date.now() % 1_000_000;
const SEED = Number(process.env['FENESTRA_FUZZ_SEED'] ?? USUAL_SEED);
const QUARTERS = 4;
const STOLEN_NODES = 40;
const WHOLE_RUN_MS = 2 * 60 * 60_000;

/** How many requests of a quarter one target gets. */
const perQuarter = (share: number): number => Math.ceil((REQUESTS * share) / QUARTERS);

const AdminKubeconfig = z.object({
  clusters: z.tuple([z.object({ cluster: z.object({ server: z.string() }) })]),
  users: z.tuple([z.object({ user: z.record(z.string(), z.string()) })]),
});

/** Each case has its own generator, so that `-t` makes the same choices as a run of all cases. */
const randomFor = (title: string): Random => seededRandom(SEED ^ crc32(title));

let cloud: Cloud;
let token: string;
let bearer: string;
let apiOrigin: string;
let administrator: Credentials;

beforeAll(async () => {
  process.stdout.write(`FENESTRA_FUZZ_SEED=${SEED} FENESTRA_FUZZ_REQUESTS=${REQUESTS}\n`);
  cloud = await startEmbeddedCloud();
  token = await cloud.token();
  bearer = parseJoinToken(token).jwt;
  const kubeconfig = await readFile(cloud.machine.node.hostPath(cloud.kubeconfig), 'utf8');
  const { clusters, users } = AdminKubeconfig.parse(parse(kubeconfig));
  const pem = (field: string): string => Buffer.from(users[0].user[field] ?? '', 'base64').toString();
  apiOrigin = clusters[0].cluster.server;
  administrator = { cert: pem('client-certificate-data'), key: pem('client-key-data') };
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: FUZZ_NAMESPACE } };
  await cloud.api.create(KINDS.namespace, body, unlimited());
});
afterAll(async () => cloud.stop());

type Caller = (random: Random) => HttpInput;
const apiReader: Caller = (random) => (random.chance(0.7) ? readingInput(random) : writingInput(random));
const apiWriter: Caller = (random) => (random.chance(0.3) ? readingInput(random) : writingInput(random));
const stranger: Caller = (random) => certificateInput(random, bearer);

const cloudTarget = (page: string) => ({ page, pid: () => processCalled(cloud.machine, /cloudcore --config/) });
const healthz = (): string => `http://127.0.0.1:${cloud.monitorPort}/healthz`;

/** No answer blames the server for what a caller sent. */
function expectNoServerError({ answers, serverErrors }: FuzzReport): void {
  process.stdout.write(`${[JSON.stringify(answers), ...serverErrors].join('\n')}\n`);
  expect(serverErrors).toEqual([]);
}

test(
  'the certificate server withstands unknown clients',
  async ({ task }) => {
    const random = randomFor(task.name);
    const target = { origin: `https://127.0.0.1:${cloud.ports.https}`, next: () => stranger(random) };
    await expectUnmoved(cloudTarget(healthz()), async () =>
      expectNoServerError(await fuzzHttp(target, perQuarter(0.1))),
    );
  },
  WHOLE_RUN_MS,
);

describe('with certificates of nodes', () => {
  let stolen: readonly NodeIdentity[];
  let kubelet: NodeIdentity;

  beforeAll(async () => {
    const names = Array.from({ length: STOLEN_NODES }, (_, index) => `stolen-${index}`);
    kubelet = await kubeletAs('stolen-kubelet', cloud.api);
    stolen = await Promise.all(names.map(async (name) => joinAs(name, token, cloud.ports.https)));
  });

  test(
    'the hub withstands what nodes send',
    async ({ task }) => {
      const random = randomFor(task.name);
      await expectUnmoved(cloudTarget(healthz()), async () =>
        fuzzHub(cloud.ports.hub, stolen, random, perQuarter(0.35)),
      );
    },
    WHOLE_RUN_MS,
  );

  test(
    'the embedded API withstands what nodes and unknown clients ask',
    async ({ task }) => {
      const random = randomFor(task.name);
      const anyone = { origin: apiOrigin, next: () => apiReader(random) };
      await expectUnmoved(cloudTarget(`${apiOrigin}/readyz`), async () => {
        expectNoServerError(await fuzzHttp(anyone, perQuarter(0.03)));
        expectNoServerError(await fuzzHttp({ ...anyone, credentials: kubelet }, perQuarter(0.07)));
      });
    },
    WHOLE_RUN_MS,
  );
});

test(
  'the embedded API withstands what its users write',
  async ({ task }) => {
    const random = randomFor(task.name);
    const target = { origin: apiOrigin, credentials: administrator, next: () => apiWriter(random) };
    await expectUnmoved(cloudTarget(`${apiOrigin}/readyz`), async () =>
      expectNoServerError(await fuzzHttp(target, perQuarter(0.1))),
    );
  },
  WHOLE_RUN_MS,
);

describe.each(MACHINES.filter(({ title }) => title !== 'Linux with systemd'))('an agent on $title', ({ start }) => {
  let node: EdgeNode;

  const agentTarget = () => ({
    page: `http://127.0.0.1:${node.network.metaServerPort}/readyz`,
    pid: () => processCalled(node.machine, /edgecore(\.exe)?"? --config/),
  });

  const useHub = async (port: number): Promise<void> => {
    await node.configure({ 'modules.edgeHub.websocket.server': `127.0.0.1:${port}` });
    await node.keadm('service', 'reload');
  };

  beforeAll(async () => {
    const machine = await start(unlimited());
    node = await prepareNode(machine.node.name, machine, cloud);
    await node.configure({ [TOKEN_SETTING]: token });
    await node.keadm('service', 'install');
    await untilConnected(node);
    await node.configure({ [TOKEN_SETTING]: '' });
  });
  afterAll(async () => node.stop());

  test(
    'withstands what programs of its machine ask its local API',
    async ({ task }) => {
      const random = randomFor(task.name);
      const origin = `http://127.0.0.1:${node.network.metaServerPort}`;
      const target = { origin, next: () => localApiInput(random) };
      await expectUnmoved(agentTarget(), async () => expectNoServerError(await fuzzHttp(target, perQuarter(0.05))));
    },
    WHOLE_RUN_MS,
  );

  test(
    'withstands what a false cloud sends',
    async ({ task }) => {
      const random = randomFor(task.name);
      const port = await freePort();
      const hostile = await openHostileHub(port, await hubCredentials(cloud.api));
      await useHub(port);
      try {
        await expectUnmoved(agentTarget(), async () => hostile.attack(random, perQuarter(0.125)));
      } finally {
        await hostile.close();
        await useHub(node.network.cloudPorts.hub);
      }
    },
    WHOLE_RUN_MS,
  );

  test('serves its true cloud after all that', async () => {
    await untilConnected(node);
    const name = `after-${node.name}`;
    await cloud.apply([configMap(name, 'whole'), podOn(node.name, name, { configMaps: [name] })]);
    await vi.waitFor(async () => {
      expect(stringAt(await node.object(KINDS.configMap, name), 'data', 'text')).toBe('whole');
    }, PATIENCE);
  });
});
