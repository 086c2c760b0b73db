import { declareSettings } from '../../tenancy/namespaces/declared-settings.js';
import { settingKinds } from '../../tenancy/namespaces/setting-kinds.js';

const kind = settingKinds<never>();
const MISSED_POLICIES = ['last', 'skip', 'all'] as const;

/**
 * Schedule settings that are stored and returned unchanged by REST, GraphQL, the audit log and archives: a new one
 * needs only a line here and a migration for its column.
 */
export const scheduleSettings = declareSettings({
  missed_policy: kind.choice(
    MISSED_POLICIES,
    'last',
    'Runs missed while the service was down: the last one fires, all do, or none.',
    { audited: true, graphql: 'Policy for runs missed while the service was down.' },
    MISSED_POLICIES,
  ),
});

/** Their names. */
export const SCHEDULE_SETTINGS = Object.keys(scheduleSettings) as (keyof typeof scheduleSettings)[];
