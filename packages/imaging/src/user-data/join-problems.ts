import { joinProblems, problemsError, type Problem } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import type { Entry } from '../cloudbase/cloud-config/entry.ts';

/** What the command line adds to a configuration that Cluster API would have completed. Secret. */
export interface JoinAdditions {
  readonly endpoint: string | undefined;
  readonly caHashes: readonly string[];
  /** `undefined` if the machine fetches it. */
  readonly token: string | undefined;
}

/** Where a configuration stands in the file that the operator wrote. */
export interface JoinPlace {
  readonly source: string;
  /** What the fields of the configuration are below. */
  readonly entry: Entry;
  /** The path of the configuration there; empty if it is the document itself. */
  readonly path: string;
}

const HINT = 'Correct the lines above; "kubeadm config print join-defaults" prints an example.';

/** What can be told by an option instead, since Cluster API would have filled it in. */
const OPTIONS: Readonly<Record<string, string>> = {
  'discovery.bootstrapToken.apiServerEndpoint': '--endpoint',
  'discovery.bootstrapToken.caCertHashes': '--discovery-token-ca-cert-hash',
};

/**
 * Throws all that is wrong with a completed configuration: `USAGE` for what an option says, otherwise `CONFIG_INVALID`
 * with the lines of the operator's file, which are not those of the text that was made of it.
 */
export function requireSoundJoin(text: string, additions: JoinAdditions, placeOf: () => JoinPlace): void {
  const problems = joinProblems(text, 'windows');
  if (problems.length === 0) return;
  for (const { path, message } of problems) {
    const option = optionOf(path);
    if (option !== undefined && isGiven(option, additions)) throw wrongOption(option, message);
  }
  const place = placeOf();
  throw problemsError(
    place.source,
    problems.map((problem) => placed(problem, place)),
    HINT,
  );
}

function optionOf(path: string): string | undefined {
  return OPTIONS[path.replace(/\[\d+\]$/, '')];
}

function isGiven(option: string, { endpoint, caHashes }: JoinAdditions): boolean {
  return option === '--endpoint' ? endpoint !== undefined : caHashes.length > 0;
}

function wrongOption(option: string, message: string): OperatorError {
  return new OperatorError('USAGE', `Cannot use the value of "${option}": it ${message}`, {
    hint: 'Correct the option and run the command again.',
  });
}

function placed({ path, message }: Problem, { entry, path: above }: JoinPlace): Problem {
  const whole = [above, path].filter((part) => part !== '').join('.');
  const option = optionOf(path);
  return {
    line: lineOf(entry, whole),
    path: whole,
    message: option === undefined ? message : `${message}; "${option}" can set it, too`,
  };
}

/** The line of a field, or of the nearest part of the file around it. */
function lineOf({ members, line }: Entry, path: string): number {
  const next = members.find(
    (member) => path === member.path || (/^[.[]/.test(path.slice(member.path.length)) && path.startsWith(member.path)),
  );
  return next === undefined ? line : lineOf(next, path);
}
