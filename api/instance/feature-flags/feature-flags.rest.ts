import {
  listFeatureDefinitions,
  listFeatures,
  featureFlag,
} from '../../../shared/instance/feature-flags/feature-flag.operations.js';
import { get, routes } from '../../core/routes.js';

export default routes('/features', [
  get('/', listFeatures, { present: featureFlag, paginate: 'none', readOnly: true }),
  get('/definitions', listFeatureDefinitions, { present: featureFlag, paginate: 'none', readOnly: true }),
]);
