import {
  createProjectDeployKey,
  enableProjectDeployKey,
} from '../../../shared/repositories/deploy-keys/add-deploy-key.js';
import {
  deleteProjectDeployKey,
  getProjectDeployKey,
  listDeployKeys,
  listProjectDeployKeys,
  updateProjectDeployKey,
} from '../../../shared/repositories/deploy-keys/deploy-key.operations.js';
import {
  deployKeyShape as record,
  instanceDeployKeyShape,
} from '../../../shared/repositories/deploy-keys/deploy-key.shape.js';
import {
  createDeployKey,
  deleteDeployKey,
} from '../../../shared/repositories/deploy-keys/public-deploy-key.operations.js';
import { del, get, post, put, routes } from '../../core/routes.js';

export default [
  get('/deploy_keys', listDeployKeys, { present: instanceDeployKeyShape, paginate: 'offset' }),
  post('/deploy_keys', createDeployKey, { present: instanceDeployKeyShape, status: 201 }),
  del('/deploy_keys/:key_id', deleteDeployKey, { status: 204 }),
  ...routes('/projects/:id/deploy_keys', [
    get('/', listProjectDeployKeys, { present: record, paginate: 'offset' }),
    post('/', createProjectDeployKey, { present: record, status: 201 }),
    get('/:key_id', getProjectDeployKey, { present: record }),
    put('/:key_id', updateProjectDeployKey, { present: record }),
    del('/:key_id', deleteProjectDeployKey, { status: 204 }),
    post('/:key_id/enable', enableProjectDeployKey, { present: record, status: 201 }),
  ]),
];
