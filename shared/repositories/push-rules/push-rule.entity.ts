import { defineEntity, id, relation, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { declareSettings, settingColumns } from '../../tenancy/namespaces/declared-settings.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { MOST, settingKinds } from '../../tenancy/namespaces/setting-kinds.js';
import { Project } from '../../tenancy/projects/project.entity.js';

const kind = settingKinds<never>();
const LONGEST = 511;
const inGraphql = { graphql: true } as const;

/** What a push rule consists of: parameters, columns, fields of REST and of GraphQL. */
export const pushRules = declareSettings({
  deny_delete_tag: kind.flag(false, 'If `true`, a push may not delete tags.', inGraphql),
  member_check: kind.flag(false, 'If `true`, the author of each commit must be a user of the instance.', inGraphql),
  prevent_secrets: kind.flag(false, 'If `true`, files that are likely to hold secrets are rejected.', inGraphql),
  reject_unsigned_commits: kind.flag(false, 'If `true`, commits without a signature are rejected.', inGraphql),
  commit_message_regex: kind.text(LONGEST, 'RE2 expression that each commit message must match.', inGraphql),
  commit_message_negative_regex: kind.text(LONGEST, 'RE2 expression that no commit message may match.', inGraphql),
  branch_name_regex: kind.text(LONGEST, 'RE2 expression that the name of each branch must match.', inGraphql),
  author_email_regex: kind.text(LONGEST, 'RE2 expression that the email of each author must match.', inGraphql),
  file_name_regex: kind.text(LONGEST, 'RE2 expression that the name of no file may match.', inGraphql),
  max_file_size: kind.number(0, { low: 0, high: MOST }, 'Size of the largest file in MB; 0 for any size.', inGraphql),
});

/** The names of its rules. */
export const PUSH_RULES = Object.keys(pushRules) as (keyof typeof pushRules)[];

const columns = { id: id(), ...settingColumns(pushRules), created_at: timestamp() };

/** What pushes to a project must follow. */
export const ProjectPushRule = defineEntity({
  name: 'ProjectPushRule',
  tableName: 'project_push_rules',
  properties: { ...columns, project_id: relation(Project) },
});

/** The same for the projects of a group. */
export const GroupPushRule = defineEntity({
  name: 'GroupPushRule',
  tableName: 'group_push_rules',
  properties: { ...columns, namespace_id: relation(Namespace) },
});

/** A push rule of either kind. */
export type PushRule = Omit<InferEntity<typeof GroupPushRule>, 'namespace_id'>;
