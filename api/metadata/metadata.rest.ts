import { getMetadata, getVersion } from '../../shared/metadata/metadata.operations.js';
import { metadataShape } from '../../shared/metadata/metadata.shape.js';
import { get, routes } from '../core/routes.js';

export default routes('', [
  get('/version', getVersion, { present: metadataShape }),
  get('/metadata', getMetadata, { present: metadataShape }),
]);
