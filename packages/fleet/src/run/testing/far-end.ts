import { OperatorError, type ErrorCode } from '@fenestra/kernel';
import type { BatchNode } from '../../inventory/batch.ts';
import type { NodePart, NodeSurvey, NodeWorker, WorkContext } from '../node-worker.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** What a made-up machine does when it is worked on. */
export interface FarEndScript {
  readonly action: 'change' | 'nothing';
  readonly missingBytes: number;
  /** Whether only a dry run shows what its command would change. */
  readonly previewed: boolean;
  /** How long each part takes. */
  readonly seconds: number;
  /** How many tries at the command fail at first because of something that passes. */
  readonly passingFailures: number;
  /** Whether the command fails permanently after that. */
  readonly commandFails: boolean;
  /** What each part fails with, once each, in order; `undefined` is a success. */
  readonly faults: Readonly<Record<NodePart | 'tidy', readonly (ErrorCode | undefined)[]>>;
}

/** A machine that keeps what was done to it, whatever becomes of the controller. */
export interface FarEnd {
  readonly script: FarEndScript;
  /** How many tries at the command were started. */
  starts: number;
  /** When the one that was started last ends. */
  endsAt: number | undefined;
  /** What must not be asked of a machine, and was. */
  readonly wrongs: string[];
  /** Whether a command was stopped before its end, and by what. */
  stoppedBy: 'roll-back' | 'tidy' | undefined;
  rolledBack: boolean;
  /** Whether something of the run lies about. */
  littered: boolean;
  readonly calls: Map<NodePart | 'tidy', number>;
  /** The parts that are at work now. */
  readonly active: Set<string>;
}

/** A machine that nothing has been done to. */
export function farEnd(script: FarEndScript): FarEnd {
  return {
    script,
    starts: 0,
    endsAt: undefined,
    wrongs: [],
    stoppedBy: undefined,
    rolledBack: false,
    littered: false,
    calls: new Map(),
    active: new Set(),
  };
}

/** Whether the command is running there. */
export function isRunning({ endsAt, stoppedBy }: FarEnd, now: number): boolean {
  return endsAt !== undefined && endsAt > now && stoppedBy === undefined;
}

/** Whether the machine is changed: its command ran until it ends, and well. */
export function isChanged(end: FarEnd, now: number): boolean {
  const { endsAt, stoppedBy, rolledBack } = end;
  return endsAt !== undefined && endsAt <= now && stoppedBy === undefined && !rolledBack && !hasFailed(end);
}

/** Whether the last try at the command fails. */
function hasFailed({ starts, script: { passingFailures, commandFails } }: FarEnd): boolean {
  return commandFails || starts <= passingFailures;
}

/** Starts the command unless it is this try that was started last; an earlier one must have failed, until it ends. */
function beginTry(end: FarEnd, commandTry: number, now: number): void {
  if (commandTry === end.starts) return;
  if (commandTry !== end.starts + 1) end.wrongs.push(`try ${commandTry} after ${end.starts}`);
  if (isRunning(end, now)) end.wrongs.push(`try ${commandTry} while another one runs`);
  if (isChanged(end, now)) end.wrongs.push(`try ${commandTry} after one that went well`);
  if (end.starts > end.script.passingFailures) end.wrongs.push(`try ${commandTry} after a failure for good`);
  end.starts += 1;
  end.endsAt = now + end.script.seconds * 3000;
}

/** Works on made-up machines, in virtual time. */
export function farEndWorker(ends: ReadonlyMap<string, FarEnd>, clock: VirtualClock): NodeWorker {
  const time = (): number => clock.now().getTime();

  async function part(
    name: NodePart | 'tidy',
    node: BatchNode,
    { signal }: WorkContext,
    act: (end: FarEnd, fault: ErrorCode | undefined) => Promise<void> | void,
  ): Promise<FarEnd> {
    const end = ends.get(node.name);
    if (end === undefined) throw new Error(`there is no machine "${node.name}"`);
    const call = end.calls.get(name) ?? 0;
    const fault = end.script.faults[name][call];
    end.calls.set(name, call + 1);
    end.active.add(name);
    try {
      await clock.wait(end.script.seconds * 500, signal);
      await act(end, fault);
      await clock.wait(end.script.seconds * 500, signal);
      if (fault !== undefined) throw new OperatorError(fault, `${name} of "${node.name}"`, { hint: 'None.' });
      return end;
    } finally {
      end.active.delete(name);
    }
  }

  return {
    async survey(node, context) {
      const end = await part('survey', node, context, () => undefined);
      return surveyOf(end, time());
    },
    async deliver(node, _survey, context) {
      await part('deliver', node, context, (end) => void (end.littered = true));
    },
    async preview(node, _survey, context) {
      const end = await part('survey', node, context, () => undefined);
      return { ...surveyOf(end, time()), action: hasNothingToDo(end, time()) ? 'nothing' : 'change' };
    },
    async execute(node, _survey, context) {
      await part('execute', node, context, async (end, fault) => {
        end.littered = true;
        beginTry(end, context.commandTry, time());
        // A connection that is lost while the command runs is lost after it was started.
        if (fault !== undefined) return;
        await clock.wait(Math.max(0, (end.endsAt ?? 0) - time()), context.signal);
        if (hasFailed(end)) throw commandFailed(node, end.starts <= end.script.passingFailures);
      });
    },
    async prove(node, _survey, context) {
      await part('prove', node, context, () => undefined);
    },
    async rollBack(node, _survey, context) {
      await part('roll-back', node, context, (end, fault) => {
        if (!end.littered) throw new Error(`what the rollback needs is gone on "${node.name}"`);
        if (fault !== undefined) return;
        if (isRunning(end, time())) end.stoppedBy = 'roll-back';
        end.rolledBack = true;
      });
    },
    async tidy(node, _survey, context) {
      await part('tidy', node, context, (end, fault) => {
        if (fault !== undefined) return;
        if (isRunning(end, time())) end.stoppedBy = 'tidy';
        end.littered = false;
      });
    },
  };
}

function commandFailed({ name }: BatchNode, mayPass: boolean): OperatorError {
  const message = `the command failed on "${name}"`;
  return new OperatorError('REMOTE_COMMAND_FAILED', message, { hint: 'None.', details: { mayPass } });
}

function hasNothingToDo(end: FarEnd, now: number): boolean {
  return isChanged(end, now) || end.script.action === 'nothing';
}

function surveyOf(end: FarEnd, now: number): NodeSurvey {
  return {
    os: 'linux',
    arch: 'x64',
    shell: 'posix',
    installedVersion: undefined,
    state: 'absent',
    action: !end.script.previewed && hasNothingToDo(end, now) ? 'nothing' : 'change',
    previewed: end.script.previewed,
    summary: 'join',
    missingBytes: end.script.missingBytes,
    clockAheadSeconds: 0,
    notes: {},
  };
}
