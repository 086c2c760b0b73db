import { out, serializer } from '../../core/operations/serializer.js';
import { settingFields } from '../../tenancy/namespaces/setting-fields.js';
import { pushRules } from './push-rule.entity.js';
import type { PushRule } from './push-rule.entity.js';

const itself = (rule: PushRule) => rule;

/** What pushes to a project or group must follow (push-rules.md). */
export const pushRuleSerializer = serializer<PushRule>('PushRule', {
  id: out.integer((rule) => rule.id),
  created_at: out.instant((rule) => rule.created_at),
  ...settingFields<PushRule>(pushRules, { record: itself, settings: itself }, {}),
});
