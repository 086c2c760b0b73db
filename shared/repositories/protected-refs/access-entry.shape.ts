import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { out, shape } from '../../core/operations/shape.js';
import { describeEntry } from './access-levels.js';
import type { AccessEntryRecord } from './access-levels.js';

/** One entry of a protected branch or tag (protected-tags.md section 2). A deploy key shows as Maintainer. */
export const accessEntryShape = shape<AccessEntryRecord>('RefAccessLevel', {
  id: out.integer((entry) => entry.id),
  access_level: out.nullableInteger((entry) =>
    entry.deploy_key_id === null ? entry.access_level : ACCESS_LEVELS.maintainer,
  ),
  access_level_description: out.text(describeEntry),
  user_id: out.nullableInteger((entry) => entry.user_id),
  group_id: out.nullableInteger((entry) => entry.group_id),
  deploy_key_id: out.integer((entry) => entry.deploy_key_id ?? undefined, { optional: true }),
});
