import { expect, test } from 'vitest';
import { metadataService } from '../cloudbase/service.ts';
import type { Finding } from './finding.ts';
import { lintFile } from './lint-file.ts';
import { RULE_IDS } from './rules.ts';
import { SAMPLES, type Sample } from './testing/samples.ts';

function findings(document: string | Uint8Array, { version = '1.1.4', service }: Partial<Sample>): readonly Finding[] {
  const context = { version, service: service === undefined ? undefined : metadataService(service) };
  const bytes = typeof document === 'string' ? Buffer.from(document) : document;
  return lintFile(bytes, context).flatMap((linted) => linted.findings);
}

test.each(RULE_IDS)('%s catches its sample in the right line, and leaves its neighbour alone', (rule) => {
  const sample = SAMPLES[rule];
  const caught = findings(sample.caught, sample).filter((finding) => finding.rule === rule);
  expect(caught.map(({ line }) => line)).toContain(sample.line);
  const { version, service, cleanVersion = version, cleanService = service } = sample;
  const context = {
    ...(cleanVersion === undefined ? {} : { version: cleanVersion }),
    ...(cleanService === undefined ? {} : { service: cleanService }),
  };
  expect(findings(sample.clean, context).filter((finding) => finding.rule === rule)).toEqual([]);
});
