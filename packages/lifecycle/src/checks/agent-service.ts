import { RECOVERY_POLICY, type RecoveryPolicy, type ServiceStatus } from '@fenestra/platform';
import { type Check, fail, type Finding, pass, warn } from '@fenestra/session';

/** Whether the agent runs, and comes back after a failure and after a reboot. */
export const agentService: Check<{
  readonly agent: ServiceStatus;
  /** The policy the agent is registered with; `undefined` without an agent, or where the system does not report it. */
  readonly agentRecovery: RecoveryPolicy | undefined;
}> = {
  name: 'agent-service',
  about: 'the agent is running, and restarts after a failure and a reboot',
  judge({ agent: { state, exitCode, startType }, agentRecovery }) {
    switch (state) {
      case 'absent':
        return pass('The agent is not installed yet');
      case 'failed':
        return fail(`The agent has failed${exitText(exitCode)}`, 'Check its log with "keadm logs".');
      case 'stopped':
      case 'stopping':
        return warn(`The agent is ${state}`, 'Start it with "keadm service start".');
      case 'starting':
      case 'running':
        if (startType !== undefined && !startType.startsWith('automatic'))
          return warn(`The agent is ${state}, but not started with the system`, 'Set it to start with the system.');
        return judgeRecovery(state, agentRecovery);
    }
  },
};

function judgeRecovery(state: string, recovery: RecoveryPolicy | undefined): Finding {
  if (recovery === undefined)
    return pass(`The agent is ${state}; the service manager does not report its recovery policy`);
  const waits = waitsText(recovery);
  // Which delays are right is the operator's choice at the join; an agent that is never restarted is a mistake.
  if (recovery.restartDelaysSeconds.length > 0) return pass(`The agent is ${state}, and restarted ${waits}`);
  return warn(
    `The agent is ${state}, and restarted ${waits}`,
    `Set its recovery to be restarted ${waitsText(RECOVERY_POLICY)}.`,
  );
}

function waitsText({ restartDelaysSeconds: delays }: RecoveryPolicy): string {
  return delays.length === 0 ? 'not restarted after a failure' : `${delays.join(', ')} seconds after a failure`;
}

function exitText(exitCode: number | undefined): string {
  return exitCode === undefined ? '' : `, with exit code ${exitCode}`;
}
