import { parseAllDocuments } from 'yaml';
import * as z from 'zod/mini';
import { found, type Finding, type Place } from '../finding.ts';

/** Where a configuration stands, and what is done around it. */
export interface JoinSurroundings {
  /** Where a word of it is. */
  readonly placeOf: (word: string) => Place;
  /** Whether the kubelet's service is made anew after the join. */
  readonly restartsKubelet: boolean;
}

const Arguments = z.union([
  z.pipe(
    z.record(z.string(), z.unknown()),
    z.transform((map) => Object.keys(map)),
  ),
  z.pipe(
    z.array(z.object({ name: z.string() })),
    z.transform((list) => list.map(({ name }) => name)),
  ),
]);

const Configuration = z.object({
  kind: z.enum(['JoinConfiguration', 'InitConfiguration']),
  nodeRegistration: z.object({
    criSocket: z.optional(z.string()),
    kubeletExtraArgs: z.optional(Arguments),
  }),
});

/** What a configuration of kubeadm asks for that does not come about on Windows; nothing if the text is none. */
export function checkJoinConfiguration(text: string, surroundings: JoinSurroundings): readonly Finding[] {
  if (!/^kind:/m.test(text)) return [];
  return documentsOf(text).flatMap((document) => {
    const parsed = Configuration.safeParse(document);
    return parsed.success ? checkRegistration(parsed.data.nodeRegistration, surroundings) : [];
  });
}

/** A command that makes the kubelet's service anew. One of nssm does not: it fails where that is needed. */
export function restartsKubelet(command: string): boolean {
  return /RestartKubelet/i.test(command);
}

type Registration = z.infer<typeof Configuration>['nodeRegistration'];

function checkRegistration(
  { criSocket = '', kubeletExtraArgs = [] }: Registration,
  { placeOf, restartsKubelet: restarts }: JoinSurroundings,
): readonly Finding[] {
  return [
    ...(kubeletExtraArgs.includes('register-with-taints')
      ? [
          found(
            'taint-lost',
            placeOf('register-with-taints'),
            '"register-with-taints" takes the place of all other taints',
          ),
        ]
      : []),
    ...(kubeletExtraArgs.length > 0 && !restarts
      ? [
          found(
            'kubelet-args-lost',
            placeOf('kubeletExtraArgs'),
            `the kubelet may not see "${kubeletExtraArgs.join('", "')}"`,
          ),
        ]
      : []),
    ...(/^(unix:|\/)/.test(criSocket)
      ? [found('cri-socket', placeOf('criSocket'), `"${criSocket}" is not a named pipe of Windows`)]
      : []),
  ];
}

function documentsOf(text: string): readonly unknown[] {
  try {
    return parseAllDocuments(text, { logLevel: 'silent' }).map((document): unknown => document.toJS());
  } catch {
    // What is no YAML is no configuration of kubeadm either.
    return [];
  }
}
