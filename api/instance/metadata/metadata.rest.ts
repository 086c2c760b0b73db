import { getMetadata, getVersion } from '../../../shared/instance/metadata/metadata.operations.js';
import { metadataShape } from '../../../shared/instance/metadata/metadata.shape.js';
import { get, routes } from '../../core/routes.js';

export default routes('', [
  get('/version', getVersion, { present: metadataShape }),
  get('/metadata', getMetadata, { present: metadataShape }),
]);
