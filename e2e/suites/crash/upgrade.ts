/**
 * The process that the harness kills: `upgrade.ts run|recover|status|remove FOLDER PROGRAM`.
 * It installs PROGRAM as a service under the real supervisor, with the real workflow, steps and journal.
 */
import { join } from 'node:path';
import { planWorkflow, type Plan } from '@fenestra/kernel';
import { gatherServiceFacts, INSTALL_SERVICE, type ProgramService } from '@fenestra/lifecycle';
import { RECOVERY_POLICY } from '@fenestra/platform';
import { superviseService } from '@fenestra/platform-linux';
import { changeNode, recoverOnly } from '@fenestra/session';
import { sessionBelow } from '../../support/crash/session-below.ts';

const [verb, folder = '', program = ''] = process.argv.slice(2);
const at = (path: string): string => join(folder, path);
const session = sessionBelow(folder, [process.execPath, process.argv[1] ?? '', 'supervise']);
const { services } = session.ports;

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
  stateFolder: at('state'),
  files: [],
};

async function makePlan(): Promise<{ readonly plan: Plan }> {
  return { plan: planWorkflow(INSTALL_SERVICE, await gatherServiceFacts(wanted, services, program)) };
}

async function install(): Promise<void> {
  const { change } = await changeNode(session, 'upgrade', makePlan, new AbortController().signal);
  process.stdout.write(change.outcome);
}

if (verb === 'supervise') process.exit(await superviseService(folder));
if (verb === 'run') await install();
if (verb === 'recover') await recoverOnly(session);
if (verb === 'status') process.stdout.write(JSON.stringify(await services.status('agent')));
if (verb === 'remove') await services.remove('agent', AbortSignal.timeout(30_000));
