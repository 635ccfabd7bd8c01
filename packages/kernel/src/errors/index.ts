export { ERROR_CODES, type ErrorCode } from './catalogue.ts';
export { fileError, systemCodeOf } from './file-error.ts';
export { internalError } from './internal-error.ts';
export { OperatorError, type ErrorDetails, type OperatorErrorOptions } from './operator-error.ts';
