// oxlint-disable-next-line import/no-unassigned-import -- the library looks for it at its own import and fails without it
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

export { x509 };
