import type { AgentTarget } from '../agent-source.ts';
import type { ProgramName } from './program-source.ts';

/** Kubernetes' names of the processors it publishes for. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64', x86: '386', arm: 'arm' };

/** What a program's file is called on a system. */
function programFileName(name: ProgramName, os: AgentTarget['os']): string {
  return os === 'windows' ? `${name}.exe` : name;
}

/**
 * Where a program of a version may be below what the operator named, each as a relative path with `/`: as Kubernetes
 * publishes it, the same without the version's folder, and the program alone.
 */
export function publishedPlaces(name: ProgramName, version: string, { os, arch }: AgentTarget): readonly string[] {
  const file = programFileName(name, os);
  const published = `bin/${os}/${ARCHITECTURES[arch] ?? arch}/${file}`;
  return [`${version}/${published}`, published, `${version}/${file}`, file];
}
