export { cloudService, openCloudAdmin } from '@fenestra/lifecycle/cloud';
