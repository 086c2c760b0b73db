import { out, shape } from '../../core/operations/shape.js';
import type { PushRule } from './push-rule.entity.js';

/** What pushes to a project or group have to keep to. */
export const pushRuleShape = shape<PushRule>('PushRule', {
  id: out.integer((rule) => rule.id),
  commit_message_regex: out.nullableText((rule) => rule.commit_message_regex),
  branch_name_regex: out.nullableText((rule) => rule.branch_name_regex),
  deny_delete_tag: out.boolean((rule) => rule.deny_delete_tag),
  member_check: out.boolean((rule) => rule.member_check),
  max_file_size: out.integer((rule) => rule.max_file_size),
  created_at: out.instant((rule) => rule.created_at),
});
