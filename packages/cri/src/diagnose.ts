import { OperatorError, systemCodeOf } from '@fenestra/kernel';
import { ConnectionLost, GRPC_STATUS, GrpcFailure, hasStatus, NotGrpc } from './grpc/failure.ts';

/** Why a runtime is of no use, and what to do about it. */
export interface RuntimeTrouble {
  /** Whether there is no runtime at all, as opposed to one that is there and fails. */
  readonly absent: boolean;
  /** Completes "The container runtime at …": `does not answer`. */
  readonly problem: string;
  readonly remedy: string;
}

/** The errors of an endpoint that nothing listens at, in words. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  ENOENT: 'is not there: nothing listens at this endpoint',
  ECONNREFUSED: 'is not there: it left its socket behind, and nothing listens on it',
  ENOTSOCK: 'does not exist: the file of this name is not a socket',
};
const START_IT = 'Install containerd and start it, or give the endpoint of the runtime you use.';

/** Says in an operator's words what a call to a runtime met. Bugs and interruptions rise as they are. */
export function diagnose(error: unknown): RuntimeTrouble {
  const unreachable = UNREACHABLE[systemCodeOf(error)];
  if (unreachable !== undefined) return { absent: true, problem: unreachable, remedy: START_IT };
  if (error instanceof NotGrpc) return notGrpc(error);
  if (hasStatus(error, GRPC_STATUS.UNIMPLEMENTED)) return switchedOff();
  if (error instanceof GrpcFailure)
    return there(`refuses to work: ${error.message}`, 'Read its log and fix the cause.');
  if (['EACCES', 'EPERM'].includes(systemCodeOf(error)))
    return there('may not be used by this account', 'Run the command as an administrator.');
  if (error instanceof OperatorError) return fromOperatorError(error);
  if (error instanceof ConnectionLost) return there('broke the connection', 'Read its log and start it again.');
  throw error;
}

/** The same, as the error a command ends with. */
export function runtimeError(error: unknown, endpoint: string): OperatorError {
  const { problem, remedy } = diagnose(error);
  const message = `Cannot use the container runtime at "${endpoint}": it ${problem}`;
  return new OperatorError('RUNTIME_UNUSABLE', message, { hint: remedy, cause: error });
}

function switchedOff(): RuntimeTrouble {
  return {
    absent: true,
    problem: 'does not offer the interface that Kubernetes needs: its CRI plugin is switched off',
    remedy: 'Take "cri" out of "disabled_plugins" in its config.toml and restart it.',
  };
}

function notGrpc(error: NotGrpc): RuntimeTrouble {
  return {
    absent: true,
    problem: `is something else: ${error.message}`,
    remedy: 'Give the endpoint of a CRI runtime. The Docker socket does not serve CRI: use containerd or cri-dockerd.',
  };
}

function fromOperatorError(error: OperatorError): RuntimeTrouble {
  if (error.code === 'INTERRUPTED') throw error;
  if (error.code === 'TIMED_OUT') return there('does not answer in time', 'Read its log; restart it if it hangs.');
  return there(`cannot be used: ${error.message}`, error.hint);
}

function there(problem: string, remedy: string): RuntimeTrouble {
  return { absent: false, problem, remedy };
}
