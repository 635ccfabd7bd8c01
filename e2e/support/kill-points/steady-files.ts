import type { Tree } from '../crash/tree.ts';

/** What a running agent writes as it likes, and keadm's memory, which only ever grows. */
const LEFT_OUT = [
  /agent-status\.json/,
  /(^|\/)log\//,
  /\.db-(wal|shm)$/,
  /(^|\/)(journal|lock|downloads|guard|scripts)\//,
];

/** Files that are there or not, but never twice the same: databases, certificates, what carries a time. */
const ANY_CONTENT = [/\.db$/, /(^|\/)(ca|certs)\/[^/]+$/, /(^|\/)backup\.json$/];

/** The time that the folder of a version's backup has in its name where there was one of the same version before. */
const BACKUP_TIME = /(?<=(^|\/)backups\/[^/]+)-\d{8}T\d{9}Z/;

/** The files of a node as far as two runs of the same command make them alike. */
export function steadyFiles(tree: Tree): Tree {
  const kept = Object.entries(tree).filter(([path]) => !LEFT_OUT.some((pattern) => pattern.test(path)));
  const steady: Record<string, string> = {};
  for (const [path, text] of kept) {
    const timeless = path.replace(BACKUP_TIME, '');
    // Two backups of one version are one too many, and must not pass for one.
    steady[timeless in steady ? path : timeless] = ANY_CONTENT.some((p) => p.test(path)) ? withoutDigest(text) : text;
  }
  return steady;
}

/** `file MODE DIGEST` without its last word. */
function withoutDigest(text: string): string {
  return text.startsWith('file ') ? text.split(' ').slice(0, 2).join(' ') : text;
}
