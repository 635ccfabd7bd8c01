export { instanceLogFiles } from './log-files.ts';
export { type LogOfInstance } from './log-sequence.ts';
export { planRotation } from './plan-rotation.ts';
export { logBytes, readLog, type LogWishes } from './read-log.ts';
export { logTextOf } from './split-entries.ts';
