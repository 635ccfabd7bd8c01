export { type ContractCase } from './case.ts';
