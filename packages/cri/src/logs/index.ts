export { parseLogEntry } from './log-entry.ts';
export { lineJoiner, logLineBytes, type LogLine } from './log-lines.ts';
export { planRotation } from './plan-rotation.ts';
