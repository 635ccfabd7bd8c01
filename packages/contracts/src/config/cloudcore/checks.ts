import type { FieldProblem } from '../reading/problem.ts';
import type { CloudcoreConfig } from './schema.ts';

/** What is wrong with the fields of a `cloudcore.yaml` taken together. */
export function checkCloudcore({ modules }: CloudcoreConfig): readonly FieldProblem[] {
  const { enable, websocket, https, quic } = modules.cloudHub;
  if (!enable) return [];
  const path = 'modules.cloudHub';
  const problems: FieldProblem[] = [];
  if (!websocket.enable && quic.enable) {
    problems.push({ path: `${path}.quic.enable`, message: 'QUIC is not supported yet; enable websocket instead' });
  }
  if (websocket.enable && https.enable && websocket.port === https.port) {
    problems.push({ path: `${path}.https.port`, message: 'must differ from websocket.port' });
  }
  return problems;
}
