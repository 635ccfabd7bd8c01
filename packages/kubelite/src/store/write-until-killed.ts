import { openObjectStore } from './object-store.ts';

/** A process for the crash test: writes objects for ever, and prints a count only after its object is acknowledged. */
async function writeUntilKilled(file: string): Promise<void> {
  const store = openObjectStore(file);
  for (let count = 1; count < 100_000; count += 1) {
    const name = `pod-${count}`;
    const metadata = { name, uid: name, resourceVersion: '', creationTimestamp: '2026-01-01T00:00:00Z' };
    await store.write((writer) =>
      writer.put({ resource: 'pods', namespace: 'default', name }, { apiVersion: 'v1', kind: 'Pod', metadata }),
    );
    process.stdout.write(`${count}\n`);
  }
}

await writeUntilKilled(process.argv[2] ?? '');
