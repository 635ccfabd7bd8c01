/**
 * The process that the harness kills: `upgrade.ts run|recover|status|remove FOLDER PROGRAM`.
 * It installs PROGRAM as a service under the real supervisor, with the real workflow, steps and journal.
 */
import { join } from 'node:path';
import { failpoint, planWorkflow, type Plan } from '@fenestra/kernel';
import {
  changeNode,
  gatherServiceFacts,
  INSTALL_SERVICE,
  type NodeSession,
  type ProgramService,
  recoverOnly,
} from '@fenestra/lifecycle';
import { RECOVERY_POLICY } from '@fenestra/platform';
import {
  linuxHost,
  posixAccessControl,
  posixFileStore,
  supervisedServices,
  superviseService,
} from '@fenestra/platform-linux';

const [verb, folder = '', program = ''] = process.argv.slice(2);
const at = (path: string): string => join(folder, path);
const services = supervisedServices({
  stateFolder: at('bookkeeping/supervisor'),
  supervisorCommand: [process.execPath, process.argv[1] ?? '', 'supervise'],
});

const session: NodeSession = {
  host: linuxHost(),
  layout: {
    configFolder: at('etc'),
    stateFolder: at('state'),
    programFolder: at('bin'),
    agentExecutable: at('bin/agent'),
    cloudExecutable: at('bin/cloud'),
    cloudFolder: at('cloud'),
    bookkeepingFolder: at('bookkeeping'),
    journalFolder: at('bookkeeping/journal'),
    lockFolder: at('bookkeeping/lock'),
    supervisorFolder: at('bookkeeping/supervisor'),
  },
  ports: { files: posixFileStore(), access: posixAccessControl(), services },
  programVersion: 'test',
  now: () => new Date(),
  onEvent: failpoint(process.env),
};

const wanted: ProgramService = {
  spec: {
    name: 'agent',
    displayName: 'Agent',
    description: 'An agent of which there are several versions',
    executable: at('bin/agent'),
    args: [],
    startType: 'manual',
    dependencies: [],
    recovery: RECOVERY_POLICY,
    writableFolders: [],
  },
  programFolder: at('bin'),
  folders: [],
  files: [],
};

async function makePlan(): Promise<Plan> {
  return planWorkflow(INSTALL_SERVICE, await gatherServiceFacts(wanted, services, program));
}

async function install(): Promise<void> {
  const { outcome } = await changeNode(session, 'upgrade', makePlan, new AbortController().signal);
  process.stdout.write(outcome);
}

if (verb === 'supervise') process.exit(await superviseService(folder));
if (verb === 'run') await install();
if (verb === 'recover') await recoverOnly(session);
if (verb === 'status') process.stdout.write(JSON.stringify(await services.status('agent')));
if (verb === 'remove') await services.remove('agent', AbortSignal.timeout(30_000));
