export { ERROR_CODES, type ErrorCode } from './errors/catalogue.ts';
export { fileError, systemCodeOf } from './errors/file-error.ts';
export { OperatorError, type ErrorDetails, type OperatorErrorOptions } from './errors/operator-error.ts';
