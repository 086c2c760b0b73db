import {
  getApplicationSettings,
  getPlanLimits,
  updateApplicationSettings,
  updatePlanLimits,
} from '../../shared/instance/application-settings/application-settings.operations.js';
import {
  applicationSettingsSerializer,
  planLimitsSerializer,
} from '../../shared/instance/application-settings/application-settings.serializer.js';
import { get, put, routes } from '../core/routes.js';
import {
  getInstanceAuditEvent,
  listInstanceAuditEvents,
} from '../../shared/instance/audit-events/audit-event.operations.js';
import { auditEventSerializer } from '../../shared/instance/audit-events/audit-event.serializer.js';
import {
  listFeatureDefinitions,
  listFeatures,
  featureFlag,
} from '../../shared/instance/feature-flags/feature-flag.operations.js';
import { getMetadata, getVersion } from '../../shared/instance/metadata/metadata.operations.js';
import { metadataSerializer } from '../../shared/instance/metadata/metadata.serializer.js';
import { explainRefusedRequest } from '../../shared/instance/refused-requests/refused-request.operations.js';
import { refusedRequestSerializer } from '../../shared/instance/refused-requests/refused-request.serializer.js';

export const applicationSettingRoutes = routes('/application', [
  get('/settings', getApplicationSettings, { present: applicationSettingsSerializer }),
  put('/settings', updateApplicationSettings, { present: applicationSettingsSerializer }),
  get('/plan_limits', getPlanLimits, { present: planLimitsSerializer }),
  put('/plan_limits', updatePlanLimits, { present: planLimitsSerializer }),
]);

export const auditEventRoutes = routes('', [
  get('/audit_events', listInstanceAuditEvents, { present: auditEventSerializer, paginate: 'keyset' }),
  get('/audit_events/:audit_event_id', getInstanceAuditEvent, { present: auditEventSerializer }),
]);

export const featureFlagRoutes = routes('/features', [
  get('/', listFeatures, { present: featureFlag, paginate: 'none', readOnly: true }),
  get('/definitions', listFeatureDefinitions, { present: featureFlag, paginate: 'none', readOnly: true }),
]);

export const metadataRoutes = routes('', [
  get('/version', getVersion, { present: metadataSerializer }),
  get('/metadata', getMetadata, { present: metadataSerializer }),
]);

export const refusedRequestRoutes = routes('', [
  get('/refused_requests/:request_id', explainRefusedRequest, { present: refusedRequestSerializer, paginate: 'none' }),
]);
