import { explainRefusedRequest } from '../../../shared/instance/refused-requests/refused-request.operations.js';
import { refusedRequestShape as present } from '../../../shared/instance/refused-requests/refused-request.shape.js';
import { get, routes } from '../../core/routes.js';

export default routes('', [get('/refused_requests/:request_id', explainRefusedRequest, { present, paginate: 'none' })]);
