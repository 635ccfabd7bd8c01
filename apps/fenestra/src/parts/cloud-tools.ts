export { openCloudAdmin } from '@fenestra/lifecycle/cloud';
