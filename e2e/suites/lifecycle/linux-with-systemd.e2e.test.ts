import { machineOf } from '../../support/machines/keadm-machine.ts';
import { lifeCases } from './life-cases.ts';

lifeCases(machineOf('Linux with systemd'));
