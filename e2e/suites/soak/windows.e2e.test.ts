import { machineOf } from '../../support/machines/keadm-machine.ts';
import { soakCases } from './soak-cases.ts';

soakCases(machineOf('Windows'));
