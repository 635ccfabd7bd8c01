import type { MetadataService } from '../cloudbase/service.ts';
import type { CloudbaseVersion } from '../cloudbase/version.ts';

/** Which cloudbase-init will read the document, and how the document gets there. */
export interface LintContext {
  readonly version: CloudbaseVersion;
  /** `undefined` if it may be any. */
  readonly service: MetadataService | undefined;
}

/** The same for a KubeadmConfig. */
export interface KubeadmConfigContext extends LintContext {
  /** Whether AWS' provider would wrap the document: nothing in the file says otherwise. */
  readonly wrapped: boolean;
}
