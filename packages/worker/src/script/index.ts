export { prepareScript, SCRIPT_SHELLS, type ScriptRequest, type ScriptShell } from './prepare-script.ts';
