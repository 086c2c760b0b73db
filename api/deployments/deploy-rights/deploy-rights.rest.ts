import { deployRightsShape } from '../../../shared/deployments/deploy-rights/deploy-rights.shape.js';
import { whoMayDeploy } from '../../../shared/deployments/deploy-rights/who-may-deploy.js';
import { get } from '../../core/routes.js';

export default [
  get('/projects/:id/environments/:environment_id/who_may_deploy', whoMayDeploy, { present: deployRightsShape }),
];
