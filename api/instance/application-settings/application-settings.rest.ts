import {
  getApplicationSettings,
  getPlanLimits,
  updateApplicationSettings,
  updatePlanLimits,
} from '../../../shared/instance/application-settings/application-settings.operations.js';
import {
  applicationSettingsShape,
  planLimitsShape,
} from '../../../shared/instance/application-settings/application-settings.shape.js';
import { get, put, routes } from '../../core/routes.js';

export default routes('/application', [
  get('/settings', getApplicationSettings, { present: applicationSettingsShape }),
  put('/settings', updateApplicationSettings, { present: applicationSettingsShape }),
  get('/plan_limits', getPlanLimits, { present: planLimitsShape }),
  put('/plan_limits', updatePlanLimits, { present: planLimitsShape }),
]);
