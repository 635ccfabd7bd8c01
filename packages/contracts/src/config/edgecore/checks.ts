import type { FieldProblem } from '../reading/problem.ts';
import type { NodeOs } from './edge-paths.ts';
import type { EdgecoreConfig } from './schema.ts';

/** What is wrong with the fields of an `edgecore.yaml` taken together. */
export function checkEdgecore({ modules }: EdgecoreConfig, os: NodeOs): readonly FieldProblem[] {
  return [...checkTransport(modules.edgeHub), ...checkEdged(modules.edged, os)];
}

function checkTransport({ enable, websocket, quic }: EdgecoreConfig['modules']['edgeHub']): readonly FieldProblem[] {
  if (!enable) return [];
  const path = 'modules.edgeHub.quic.enable';
  if (quic.enable && websocket.enable) return [{ path, message: 'must be false where websocket.enable is true' }];
  if (quic.enable) return [{ path, message: 'QUIC is not supported yet; enable websocket instead' }];
  return websocket.enable ? [] : [{ path: 'modules.edgeHub.websocket.enable', message: 'must be true' }];
}

function checkEdged(edged: EdgecoreConfig['modules']['edged'], os: NodeOs): readonly FieldProblem[] {
  if (!edged.enable) return [];
  const path = 'modules.edged.tailoredKubeletConfig';
  const { cgroupDriver, imageGCHighThresholdPercent, imageGCLowThresholdPercent } = edged.tailoredKubeletConfig;
  const problems: FieldProblem[] = [];
  if (os === 'linux' && !['cgroupfs', 'systemd'].includes(cgroupDriver)) {
    problems.push({ path: `${path}.cgroupDriver`, message: 'must be "cgroupfs" or "systemd"' });
  }
  if (imageGCLowThresholdPercent >= imageGCHighThresholdPercent) {
    problems.push({
      path: `${path}.imageGCLowThresholdPercent`,
      message: 'must be less than imageGCHighThresholdPercent',
    });
  }
  return problems;
}
