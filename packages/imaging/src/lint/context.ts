import type { MetadataService } from '../cloudbase/service.ts';
import type { CloudbaseVersion } from '../cloudbase/version.ts';

/** Which cloudbase-init will read the document, and how the document gets there. */
export interface LintContext {
  readonly version: CloudbaseVersion;
  /** `undefined` if it may be any. */
  readonly service: MetadataService | undefined;
}
