export { requireService, SERVICE_NAMES, type MetadataService } from './cloudbase/service.ts';
export { CLOUDBASE_VERSIONS, OLDEST_VERSION, requireCloudbaseVersion } from './cloudbase/version.ts';
export { type LintContext } from './lint/finding.ts';
export { type Finding, type Outcome } from './lint/finding.ts';
export { lintFile, worstOf, type LintedDocument } from './lint/lint-file.ts';
export { type Severity } from './lint/rules.ts';
export { RULES } from './lint/rules.ts';
export { freshFacts, type FreshImage } from './provision/fresh-facts.ts';
export { gatherProvisionFacts } from './provision/gather-facts.ts';
export { type ImageSession } from './provision/provision-facts.ts';
export { programSources } from './provision/downloads.ts';
export { type ImageMaker } from './provision/downloads.ts';
export { type ProvisionFacts } from './provision/provision-facts.ts';
export { AFTER_ROLE, BEFORE_ROLE } from './provision/workflow.ts';
export { gatherImageState } from './verify/gather-state.ts';
export { IMAGE_CHECKS, verifyImage } from './verify/verify-image.ts';
export { edgeRequest, workerRequest } from './user-data/compose-request.ts';
export { makeUserData, type MadeUserData } from './user-data/make-user-data.ts';
export { USER_DATA_FORMS, type UserDataForm, type UserDataRequest } from './user-data/request.ts';
export { parseSecretStore, STORE_KINDS } from './user-data/secret-store.ts';
export { EXAMPLE_NODE_POOL } from './template/example.ts';
export { nodePool, nodePoolYaml } from './template/pool-objects.ts';
export { imageProject } from './image/image-project.ts';
export { COMMUNICATORS, type Communicator, type ProjectFile } from './image/image-wishes.ts';
export { PLUGINS_FILE } from './image/main-file.ts';
export { packerProblems } from './image/packer-texts.ts';
export { hasProject, validateProject, type ProjectFiles, type ProjectProblem } from './image/validate-project.ts';
export {
  IMAGE_PLATFORMS,
  IMAGE_ROLES,
  IMAGE_SYSTEMS,
  type ImageConfig,
  type ImagePlatform,
  type ImageRole,
  type ImageSystem,
} from './image/config.ts';
export { type NodePoolConfig } from './template/node-pool-config.ts';
export { readImageConfig } from './image/config.ts';
export { readNodePool } from './template/node-pool-config.ts';
