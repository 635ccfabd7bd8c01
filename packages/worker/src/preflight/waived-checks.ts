import { OperatorError } from '@fenestra/kernel';
import { requireCheckNames } from '@fenestra/session';

const EVERY_CHECK = 'all';

/**
 * The checks that an operator waives, by their names here or by kubeadm's. `all` stands for every one and must stand
 * alone, as kubeadm has it; a name that is no check's is refused.
 */
export function waivedChecks(asked: readonly string[], known: readonly string[]): readonly string[] {
  const names = asked.map((name) => name.toLowerCase());
  if (!names.includes(EVERY_CHECK)) {
    const ours = names.map((name) => KUBEADM_NAMES.find(([theirs]) => theirs.test(name))?.[1] ?? name);
    requireCheckNames(
      ours.filter((name) => name !== NOT_MADE_HERE),
      known,
    );
    return ours;
  }
  if (names.length === 1) return known;
  throw new OperatorError('USAGE', 'Cannot skip "all" and others beside it', {
    hint: 'Give either "all" alone, or the names of checks.',
  });
}

/** For what kubeadm checks and keadm has no need to, or looks at in a way that nobody can waive. */
const NOT_MADE_HERE = '';

/** kubeadm's names of checks, as scripts have them. */
const KUBEADM_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^isprivilegeduser$/, 'elevated'],
  [/^systemverification$/, 'os-version'],
  [/^(cri|containerruntimeversion)$/, 'runtime'],
  [/^fileavailable-/, 'leftover-state'],
  [/^fileexisting-/, 'programs'],
  [/^hostname$/, 'node-name'],
  [/^kubeletversion$/, 'kubelet-version'],
  [/^filecontent-.*forward/, 'forwarding'],
  [/^(httpproxy|httpproxycidr|imagepull|numcpu|mem|service-kubelet|dirnotempty.*|port-(?!10250).*)$/, NOT_MADE_HERE],
];
