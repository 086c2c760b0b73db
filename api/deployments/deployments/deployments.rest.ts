import {
  createDeployment,
  deleteDeployment,
  getDeployment,
  listDeployments,
} from '../../../shared/deployments/deployments/deployment.operations.js';
import { deploymentDetails, deploymentShape } from '../../../shared/deployments/deployments/deployment.shape.js';
import { approveDeployment } from '../../../shared/deployments/deployments/approve-deployment.js';
import { deploymentApprovalShape } from '../../../shared/deployments/deployment-approvals/deployment-approval.shape.js';
import { updateDeployment } from '../../../shared/deployments/deployments/update-deployment.js';
import { del, get, post, put, routes } from '../../core/routes.js';

export default routes('/projects/:id/deployments', [
  get('/', listDeployments, { present: deploymentShape, paginate: 'offset' }),
  post('/', createDeployment, { present: deploymentDetails, status: 201 }),
  get('/:deployment_id', getDeployment, { present: deploymentDetails }),
  put('/:deployment_id', updateDeployment, { present: deploymentDetails }),
  post('/:deployment_id/approval', approveDeployment, { present: deploymentApprovalShape, status: 201 }),
  del('/:deployment_id', deleteDeployment, { status: 204 }),
]);
