import type { WorkerHostFacts } from '@fenestra/platform';
import { asWarning, type Check, fail, pass, skip, warn } from '@fenestra/session';
import { containerRuntime, features, type FoundRuntime, forwarding, swap } from '@fenestra/session/checks';
import type { RuntimeDetails } from '@fenestra/steps';

/** What the checks of a machine that runs pods need. */
export interface PodFacts {
  /** Whether the configuration has the agent run pods: `modules.edged.enable`. */
  readonly runsPods: boolean;
  readonly worker: WorkerHostFacts;
  readonly runtime: FoundRuntime;
  /** `undefined` if the runtime does not answer. */
  readonly details: RuntimeDetails | undefined;
  /** The setting of the agent; empty on Windows. */
  readonly cgroupDriver: string;
  readonly swapTolerated: boolean;
  /** A node that has joined gets its settings from another command than one that is to join. */
  readonly isJoined: boolean;
}

const READ_ITS_CONFIG = 'Look at the configuration of the container runtime.';
const DRIVER_SETTING = 'modules.edged.tailoredKubeletConfig.cgroupDriver';

const cgroupDriver: Check<PodFacts> = {
  name: 'cgroup-driver',
  about: 'the container runtime and the agent use the same driver of control groups (Linux)',
  judge({ worker, details, cgroupDriver: configured, isJoined }) {
    if (worker.os === 'windows') return pass('Windows has no control groups');
    const found = details?.cgroupDriver;
    if (found === undefined) return skip('The container runtime does not say which driver it uses', READ_ITS_CONFIG);
    if (found === configured) return pass(`Both use ${found}`);
    return fail(
      `The container runtime uses the cgroup driver "${found}" and the agent "${configured}", so no container can start`,
      isJoined
        ? `Run "keadm config set ${DRIVER_SETTING}=${found}".`
        : `Give "--cgroupdriver ${found}" to "keadm join".`,
    );
  },
};
const podNetwork: Check<PodFacts> = {
  name: 'pod-network',
  about: 'there is a CNI configuration, and the plugins that it names',
  judge({ runtime: { problem }, details }) {
    const network = details?.network;
    const folder = network?.configFolder ?? '';
    const place = folder === '' ? '' : ` in "${folder}"`;
    if (problem !== undefined)
      return warn(
        `The container runtime ${problem}; only pods with "hostNetwork: true" can run`,
        `Install a network plugin, which puts its configuration${place}.`,
      );
    if (network === undefined) return pass('The container runtime has a network for pods');
    const missing = network.missing.map((name) => `"${name}"`).join(', ');
    if (missing !== '')
      return warn(
        `The CNI configuration${place} names plugins that are not there: ${missing}; only pods with "hostNetwork: true" can run`,
        `Install them in "${network.pluginFolders[0] ?? ''}".`,
      );
    return pass(`The configuration${place} and its plugins are there: ${network.plugins.join(', ')}`);
  },
};

const pauseImage: Check<PodFacts> = {
  name: 'pause-image',
  about: 'the image that holds the network of each pod is on the machine',
  judge({ details }) {
    if (details === undefined) return skip('The container runtime does not answer');
    const { name, isPresent } = details.sandboxImage;
    const called = name === undefined ? 'The pause image' : `The pause image "${name}"`;
    if (isPresent) return pass(`${called} is there`);
    return warn(
      `${called} is not there yet; the first pod needs a registry that has it`,
      name === undefined
        ? 'Import it with "ctr --namespace k8s.io images import FILE" if this machine cannot reach a registry.'
        : `Run "ctr --namespace k8s.io images pull ${name}".`,
    );
  },
};

const oomScores: Check<PodFacts> = {
  name: 'oom-scores',
  about: 'the container runtime may set the out-of-memory scores that containers need (Linux)',
  judge({ worker, details }) {
    if (worker.os === 'windows') return pass('Windows has no out-of-memory scores');
    if (worker.allowsLowerOomScores) return pass('Programs on this machine can get CAP_SYS_RESOURCE');
    if (details?.restrictsOomScores === true) return pass('The container runtime keeps scores in its limits');
    if (details?.restrictsOomScores === undefined)
      return skip('The container runtime does not say it', READ_ITS_CONFIG);
    return fail(
      'This machine does not allow CAP_SYS_RESOURCE, so no pod can start',
      'Set "restrict_oom_score_adj = true" for the CRI plugin in config.toml of containerd, and restart it.',
    );
  },
};

/** A node that is to run no pods passes. */
function ifRunsPods<Facts extends PodFacts>(check: Check<Facts>): Check<Facts> {
  return {
    ...check,
    judge: (facts) =>
      facts.runsPods ? check.judge(facts) : pass('This node runs no pods: "modules.edged.enable" is false'),
  };
}

/** Without a runtime there is nothing else to look at. */
function withRuntime<Facts extends PodFacts>(check: Check<Facts>): Check<Facts> {
  return {
    ...check,
    judge: (facts) => (facts.runtime.usable ? check.judge(facts) : skip('The container runtime cannot be used')),
  };
}

const NEEDS: readonly Check<PodFacts>[] = [
  features,
  cgroupDriver,
  oomScores,
  pauseImage,
  podNetwork,
  asWarning(forwarding),
  swap,
];

/** The checks of what pods need. What keeps every pod from starting is a failure, anything else a warning. */
export const POD_CHECKS: readonly Check<PodFacts>[] = [containerRuntime, ...NEEDS.map(withRuntime)].map(ifRunsPods);
