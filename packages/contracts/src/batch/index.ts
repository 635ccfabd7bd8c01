/** What a batch and its far end are told, and of the rest what they need: loading the others' schemas takes time. */
export { AGENT_STATUS_FILE, AgentStatus } from '../agent-status.ts';
export type { ConfigNote } from '../config/config-note.ts';
export { looksLike, nearestKey } from '../config/reading/nearest-key.ts';
export type { FieldProblem } from '../config/reading/problem.ts';
export { joinPath } from '../config/reading/schema-shape.ts';
export { RELEASE_FILE } from '../release/release-manifest.ts';
export { versionTag } from '../release/version.ts';
export { BatchEvent, BatchFailure, BatchNodeState } from './events.ts';
export { FarEndEvent, farEndLine, parseFarEndLine } from './far-end/events.ts';
export { FarEndFacts } from './far-end/facts.ts';
export { FarEndExit, FarEndHolder, FarEndJob, FarEndRecord } from './far-end/job.ts';
export { isInsideParcel, ParcelEntry, ParcelHeader } from './far-end/parcel.ts';
export { failureIn, jsonIn, type FarEndFailure } from './far-end/result.ts';
export { batchFileError, readBatchFile, type BatchReading } from './file/read-batch-file.ts';
export { bytesOf, plainAddress, spanSeconds } from './file/scalars.ts';
export { ARCHES, type BatchFile, type NodeSettings, type SharedSettings, type WaveSettings } from './file/schema.ts';
export type { AuthSettings, JumpSettings, SshSettings } from './file/ssh-schema.ts';
export { BatchReport, BatchReportNode, BatchReportWave } from './report.ts';
