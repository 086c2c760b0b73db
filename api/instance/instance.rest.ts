import {
  getApplicationSettings,
  getPlanLimits,
  updateApplicationSettings,
  updatePlanLimits,
} from '../../shared/instance/application-settings/application-settings.operations.js';
import {
  applicationSettingsShape,
  planLimitsShape,
} from '../../shared/instance/application-settings/application-settings.shape.js';
import { get, put, routes } from '../core/routes.js';
import {
  getInstanceAuditEvent,
  listInstanceAuditEvents,
} from '../../shared/instance/audit-events/audit-event.operations.js';
import { auditEventShape } from '../../shared/instance/audit-events/audit-event.shape.js';
import {
  listFeatureDefinitions,
  listFeatures,
  featureFlag,
} from '../../shared/instance/feature-flags/feature-flag.operations.js';
import { getMetadata, getVersion } from '../../shared/instance/metadata/metadata.operations.js';
import { metadataShape } from '../../shared/instance/metadata/metadata.shape.js';
import { explainRefusedRequest } from '../../shared/instance/refused-requests/refused-request.operations.js';
import { refusedRequestShape } from '../../shared/instance/refused-requests/refused-request.shape.js';

const applicationSettingRoutes = routes('/application', [
  get('/settings', getApplicationSettings, { present: applicationSettingsShape }),
  put('/settings', updateApplicationSettings, { present: applicationSettingsShape }),
  get('/plan_limits', getPlanLimits, { present: planLimitsShape }),
  put('/plan_limits', updatePlanLimits, { present: planLimitsShape }),
]);

const auditEventRoutes = routes('', [
  get('/audit_events', listInstanceAuditEvents, { present: auditEventShape, paginate: 'keyset' }),
  get('/audit_events/:audit_event_id', getInstanceAuditEvent, { present: auditEventShape }),
]);

const featureFlagRoutes = routes('/features', [
  get('/', listFeatures, { present: featureFlag, paginate: 'none', readOnly: true }),
  get('/definitions', listFeatureDefinitions, { present: featureFlag, paginate: 'none', readOnly: true }),
]);

const metadataRoutes = routes('', [
  get('/version', getVersion, { present: metadataShape }),
  get('/metadata', getMetadata, { present: metadataShape }),
]);

const refusedRequestRoutes = routes('', [
  get('/refused_requests/:request_id', explainRefusedRequest, { present: refusedRequestShape, paginate: 'none' }),
]);
