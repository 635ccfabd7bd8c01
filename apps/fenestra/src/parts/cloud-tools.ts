export { cloudService, openCloudAdmin, openNodeCloud } from '@fenestra/lifecycle/cloud';
