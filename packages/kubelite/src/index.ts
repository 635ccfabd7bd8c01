export { type Kubelite, type KubeliteOptions } from './kubelite.ts';
export { startKubelite } from './start-kubelite.ts';
