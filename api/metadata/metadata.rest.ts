import { getMetadata } from '../../shared/metadata/metadata.operations.js';
import { get, routes } from '../core/routes.js';

export default routes('', [get('/version', getMetadata), get('/metadata', getMetadata)]);
